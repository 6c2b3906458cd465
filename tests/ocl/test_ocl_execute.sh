#!/usr/bin/env bash
# igpu run --time --execute: a program's launches are executed while they are simulated.
# Its locks go by simulated time, its kernels' clocks agree with its profiling events,
# what it computes and prints is right; -o keeps launch files that run again.
# tests/run: timeout=600 slow
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
out=""
mkdir -p "$tmp"

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}

cat >"$tmp/program.c" <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 168, SIZE = 16, TURNS = 2, STEPS = 2048 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static cl_mem buffer(size_t bytes, const void *from)
{
    return clCreateBuffer(context, from ? CL_MEM_COPY_HOST_PTR : 0, bytes, (void *)from, NULL);
}

/* Runs the kernel with buffers and a number behind them; its simulated time. */
static cl_ulong run(const char *name, size_t groups, const cl_mem *mem, cl_uint mems, cl_uint number)
{
    cl_kernel kernel = clCreateKernel(program, name, NULL);
    size_t global = groups * SIZE, local = SIZE;
    cl_ulong from = 0, to = 0;
    cl_event event;

    for (cl_uint i = 0; i < mems; i++)
        clSetKernelArg(kernel, i, sizeof(cl_mem), &mem[i]);
    clSetKernelArg(kernel, mems, sizeof(number), &number);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event) ||
        clWaitForEvents(1, &event))
        exit(4);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(from), &from, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(to), &to, NULL);
    return to - from;
}

static void lock(void)
{
    static cl_uint order[GROUPS * TURNS], zero[32];
    cl_mem mem[3] = {buffer(sizeof(zero), zero), buffer(64, zero), buffer(sizeof(order), NULL)};
    cl_uint sum = 0, turns[GROUPS] = {0}, good = 1;
    cl_ulong ns = run("spin_lock", GROUPS, mem, 3, TURNS);

    clEnqueueReadBuffer(queue, mem[1], CL_TRUE, 0, sizeof(sum), &sum, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, mem[2], CL_TRUE, 0, sizeof(order), order, 0, NULL, NULL);
    for (int i = 0; i < GROUPS * TURNS; i++)
        turns[order[i] % GROUPS]++;
    for (int i = 0; i < GROUPS; i++)
        good &= turns[i] == TURNS;
    printf("lock: sum %u, turns %s, %llu ns\n", sum, good ? "good" : "bad", (unsigned long long)ns);
}

static void chase(size_t bytes, cl_uint stride)
{
    static cl_ulong ticks[STEPS];
    cl_uint lines = (cl_uint)(bytes / 64), at = 0, *word = calloc(1, bytes);
    cl_ulong ns, sum = 0, late = 0;
    cl_mem mem[3];

    for (cl_uint i = 0; i < lines; i++) {
        cl_uint to = (cl_uint)(((cl_ulong)at + stride) % lines);

        word[at * 16] = to * 64;
        at = to;
    }
    mem[0] = buffer(bytes, word);
    mem[1] = buffer(64, NULL);
    mem[2] = buffer(sizeof(ticks), NULL);
    ns = run("clock_chase", 1, mem, 3, STEPS);
    clEnqueueReadBuffer(queue, mem[2], CL_TRUE, 0, sizeof(ticks), ticks, 0, NULL, NULL);
    for (int i = 0; i < STEPS; i++) {
        sum += ticks[i];
        late += i >= STEPS / 2 ? ticks[i] : 0;
    }
    printf("chase: %zu bytes, %llu ticks a step, %llu in all, %llu ns\n", bytes,
           (unsigned long long)late / (STEPS / 2), (unsigned long long)sum, (unsigned long long)ns);
    free(word);
}

int main(int argc, char **argv)
{
    static const char hello[] = "kernel void hello(global uint *a, uint n) {"
                                " if (get_global_id(0) == 3) printf(\"hello from %u\\n\", n);"
                                " a[get_global_id(0)] = n; }\n";
    static char text[1 << 16];
    const char *source[2] = {text, hello};
    FILE *file = fopen(argv[1], "r");
    cl_platform_id platform;
    cl_device_id device;
    cl_mem out;

    if (argc != 2 || file == NULL || fread(text, 1, sizeof(text) - 1, file) == 0)
        return 2;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, NULL);
    program = clCreateProgramWithSource(context, 2, source, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "-DSIMD=16", NULL, NULL))
        return 3;
    lock();
    chase(64 << 10, 377);
    chase(16 << 20, 104729);
    out = buffer(64, NULL);
    (void)run("hello", 1, &out, 1, 42);
    return 0;
}
C
out=$(cc -o "$tmp/program" "$tmp/program.c" -lOpenCL 2>&1)
check "the program compiles"
program=("$tmp/program" traces/kernels/time.cl)

out=$("$igpu" run --quiet --time --execute -d skl "${program[@]}" 2>"$tmp/err") && [ ! -s "$tmp/err" ]
check "it runs, and nobody complains of its clock"
one=$(grep -E '^(lock|chase|hello)' <<<"$out")
grep -q '^lock: sum 336, turns good,' <<<"$one"
check "no addition under the lock is lost, every group has its turns"
grep -q '^hello from 42$' <<<"$one"
check "what a kernel prints comes out"
# 1,150 MHz: the ticks of all steps are the launch's time, less its begin and end.
agree() { # agree BYTES LOW HIGH: ticks a step
    local line
    line=$(grep "^chase: $1 bytes" <<<"$one")
    awk -v low="$2" -v high="$3" '{
        ratio = $8 / ($11 * 1.15)
        exit !($4 >= low && $4 <= high && ratio > 0.97 && ratio <= 1) }' <<<"$line"
}
out=$one
agree 65536 150 260
check "64 KB: a step's ticks are the L3's, and agree with the event"
agree 16777216 400 700
check "16 MB: DRAM's, and agree with the event"
grep -q '^spin_lock  *1 ' <<<"$("$igpu" run --quiet --time --execute -d skl "${program[@]}" 2>&1)"
check "the table has its kernels"
out=$("$igpu" run --quiet --time --execute -d skl "${program[@]}" 2>&1 | grep -E '^(lock|chase|hello)')
[ "$out" = "$one" ]
check "a second run is the same"
out=$("$igpu" run --quiet --time --execute -d skl -s eu.threads=3 "${program[@]}" 2>&1 | grep -E '^lock')
grep -q 'sum 336, turns good' <<<"$out" && [ "$out" != "$(grep '^lock' <<<"$one")" ]
check "another machine: right too, in another time"

out=$("$igpu" run --quiet --time --execute -o "$tmp/dir" -d skl "${program[@]}" 2>&1) &&
    [ "$(find "$tmp/dir" -name '*.pb' | wc -l)" = 4 ]
check "-o keeps a launch file for each launch"
ns=$(sed -n 's/^lock:.* \([0-9]*\) ns/\1/p' <<<"$one")
out=$("$igpu" ref --quiet --execute --dump-buf "1:$tmp/sum" "$tmp/dir/0000-spin_lock.pb" 2>&1) &&
    [ "$(od -An -tu4 -N4 "$tmp/sum" | tr -d ' ')" = 336 ] &&
    awk -v ns="$ns" '/^cycles/ { d = $2 / 1.15 - ns; exit !(d * d < 4) }' <<<"$out"
check "... which runs again, in the same time"

no() { # no WORDS NAME OPTION...
    out=$("$igpu" run "${@:3}" true 2>&1)
    [ $? = 2 ] && grep -q -- "$1" <<<"$out" && [ "$(wc -l <<<"$out")" = 1 ]
    check "$2"
}
no '--execute: has no meaning without --time' "--execute alone" --execute
no 'leave out --sample or --execute' "with --sample" --time --execute --sample error=2%
out=$(IGPU_EXECUTE=1 "$igpu" run --quiet true 2>&1)
grep -q 'use --execute' <<<"$out"
check "the environment's is not used, and told of"
