#!/usr/bin/env bash
# Launches that repeat the one before are not simulated again, and get the same cycles.
# tests/run: timeout=300 slow turn=2of3
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
out=""

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}

# Repetitions of three kinds (in the L3; atomics; reaching the LLC each time), other
# arguments between them, a kernel with local memory, and what follows them.
cat >"$tmp/host.c" <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
static const char *source =
    "kernel void add(global float *x, float a) { x[get_global_id(0)] += a; }\n"
    "kernel void count(global int *x) { atomic_inc(&x[get_global_id(0) % 4]); }\n"
    "kernel void copy(global const float *x, global float *y)\n"
    "{ y[get_global_id(0)] = x[get_global_id(0)]; }\n"
    "kernel void turn(global float *x, local float *s)\n"
    "{ s[get_local_id(0)] = x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  x[get_global_id(0)] = s[get_local_size(0) - 1 - get_local_id(0)]; }\n";
int main(int argc, char **argv)
{
    int times = argc > 1 ? atoi(argv[1]) : 5;
    size_t small = 2048, large = 1 << 19, local = 64;
    float a = 1, b = 2;
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel add = clCreateKernel(program, "add", NULL);
    cl_kernel count = clCreateKernel(program, "count", NULL);
    cl_kernel copy = clCreateKernel(program, "copy", NULL);
    cl_kernel turn = clCreateKernel(program, "turn", NULL);
    cl_mem x = clCreateBuffer(context, 0, large * 4, NULL, NULL);
    cl_mem y = clCreateBuffer(context, 0, large * 4, NULL, NULL);
    clSetKernelArg(add, 0, sizeof(x), &x);
    clSetKernelArg(count, 0, sizeof(y), &y);
    clSetKernelArg(copy, 0, sizeof(x), &x);
    clSetKernelArg(copy, 1, sizeof(y), &y);
    clSetKernelArg(turn, 0, sizeof(x), &x);
    clSetKernelArg(turn, 1, local * 4, NULL);
    for (int round = 0; round < (argc > 1 ? 1 : 2); round++) {
        clSetKernelArg(add, 1, sizeof(a), &a);
        for (int i = 0; i < times; i++)
            clEnqueueNDRangeKernel(queue, add, 1, NULL, &small, &local, 0, NULL, NULL);
        if (argc > 1)
            break;
        clSetKernelArg(add, 1, sizeof(b), &b);
        for (int i = 0; i < times; i++)
            clEnqueueNDRangeKernel(queue, add, 1, NULL, &small, &local, 0, NULL, NULL);
        for (int i = 0; i < times; i++)
            clEnqueueNDRangeKernel(queue, count, 1, NULL, &small, &local, 0, NULL, NULL);
        for (int i = 0; i < 3; i++)
            clEnqueueNDRangeKernel(queue, copy, 1, NULL, &large, &local, 0, NULL, NULL);
        for (int i = 0; i < times; i++)
            clEnqueueNDRangeKernel(queue, turn, 1, NULL, &small, &local, 0, NULL, NULL);
    }
    return clFinish(queue) != CL_SUCCESS;
}
C
cc -o "$tmp/host" "$tmp/host.c" -lOpenCL 2>"$tmp/cc.txt"
out=$(cat "$tmp/cc.txt") && [ -x "$tmp/host" ]
check "the program compiles"
cycles() { cut -d, -f2,11 "$1/launches.csv"; }

for set in disp.launch_cycles=64 disp.launch_cycles=0 "l3.atomic=63 -s disp.launch_cycles=0"; do
    name=${set// /}
    # shellcheck disable=SC2086 # several settings
    out=$("$igpu" run -o "$tmp/with-$name" --time -d skl -s $set "$tmp/host" 2>&1 &&
        IGPU_NO_REPEAT=1 "$igpu" run -o "$tmp/without-$name" --time -d skl -s $set "$tmp/host" 2>&1) &&
        out=$(diff <(cycles "$tmp/with-$name") <(cycles "$tmp/without-$name")) && [ "$(cycles "$tmp/with-$name" | wc -l)" = 47 ]
    check "repeated or simulated, all launches take the same cycles ($set)"
done

# The machine's other load does not count in CPU seconds.
TIMEFORMAT=%U
cpu() { { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print int(100 * $1) }'; }
"$igpu" run -d skl "$tmp/host" 2 >/dev/null 2>&1 # compiled
with=$(cpu "$igpu" run -d skl --time "$tmp/host" 400)
without=$(cpu env IGPU_NO_REPEAT=1 "$igpu" run -d skl --time "$tmp/host" 400)
out="$with and $without hundredths of a CPU second"
echo "# $out"
[ $((with * 3)) -lt $((without * 2)) ]
check "400 repetitions cost less than two thirds"

# ---- energy ------------------------------------------------------------------
energy() { # energy DIR ENVIRONMENT...: with --energy; the summary to DIR.txt
    env "${@:2}" "$igpu" run -o "$tmp/$1" --time --energy -d skl "$tmp/host" >"$tmp/$1.txt" 2>&1
}
energy e && energy again && energy simulated IGPU_NO_REPEAT=1
out=$(diff <(cut -d, -f2,11-12,16- "$tmp/e/launches.csv") <(cut -d, -f2,11-12,16- "$tmp/again/launches.csv"))
check "energies are the same in each run"
out=$(python3 - "$tmp" <<'END'
import csv, re, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/e/launches.csv")))
slow = list(csv.DictReader(open(sys.argv[1] + "/simulated/launches.csv")))
assert len(rows) == 46 == len(slow), len(rows)
for a, b in zip(rows, slow):
    pkg, dram, igpu = (float(a[k]) for k in ("pkg_nj", "dram_nj", "igpu_nj"))
    assert 0 < igpu < pkg and dram > 0, a
    assert 1 < (pkg + dram) / float(a["time_ns"]) < 30, a  # W
    # A launch that is not simulated again has the energy of the one that it repeats;
    # what the DRAM did meanwhile is not the same to the last digit.
    assert abs(float(b["pkg_nj"]) / pkg - 1) < 1e-6, (a, b)
    assert abs(float(b["dram_nj"]) / dram - 1) < 0.2, (a, b)
table = open(sys.argv[1] + "/e.txt").read()
total = float(re.search(r"^all .*", table, re.M).group().split()[7])
assert abs(total - sum(float(r["pkg_nj"]) + float(r["dram_nj"]) for r in rows) / 1e3) < 0.1, total
END
)
check "each launch has its energy, and the table their sum"
! grep -q nj "$tmp"/with-*/launches.csv
check "without --energy there is none"
"$igpu" run --energy "$tmp/host" >"$tmp/out" 2>&1
[ $? = 2 ] && out=$(cat "$tmp/out") && [ "$(wc -l <"$tmp/out")" = 1 ]
check "--energy without --time is refused"
