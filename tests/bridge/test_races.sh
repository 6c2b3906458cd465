#!/usr/bin/env bash
# Races (docs/guide/races.md): `igpu record --races` names both instructions with their
# source lines, and is silent where barriers, atomics, equal values or other bytes make
# an order needless; `igpu run --races` tells the same of a program's kernels; nothing else
# changes. All kernels of the suite are as traces/kernels/races.txt says.
# What it cannot find: an order by atomics of the kernel's own (told as a race).
# tests/run: timeout=900
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
cl=tests/bridge/races/races.cl

look() { # look KERNEL OPTIONS...: what --races tells, into $IGPU_TMP/err
    kernel=$1
    shift
    "$igpu" record --races --quiet -k "$kernel" "$@" "$cl" >"$IGPU_TMP/out" 2>"$IGPU_TMP/err"
    status=$?
    [ $status = 0 ] || head -3 "$IGPU_TMP/err"
}
silent() { # silent WHAT KERNEL OPTIONS...
    what=$1
    shift
    look "$@"
    [ $status = 0 ] && [ ! -s "$IGPU_TMP/err" ]
    good=$?
    [ $good = 0 ] || head -3 "$IGPU_TMP/err"
    report $good "$what: silent"
}
tells() { # tells WHAT PATTERN KERNEL OPTIONS...: a line matches; races are no error
    what=$1 pattern=$2
    shift 2
    look "$@"
    [ $status = 0 ] && grep -qE "^igpu record: race in kernel $kernel, $pattern" "$IGPU_TMP/err"
    good=$?
    [ $good = 0 ] || head -3 "$IGPU_TMP/err"
    report $good "$what"
}
line() { grep -n -m1 -F "$1" "$cl" | cut -d: -f1; } # line TEXT: where it is

lines="-gline-tables-only"
range="-g 1024 -l 256"
sum="$range --arg buf:4K:iota --arg buf:16 --arg local:1K"
add=$(line 'part[i] += part[i + s]')
# shellcheck disable=SC2086 # words
{
    silent "a reduction with its barriers" sum $sum -O "$lines"
    tells "a barrier is missing: both lines" \
        "SLM offset 0x[0-9a-f]+: read at pc 0x[0-9A-F]+, [^ ]*races.cl:$add, thread 0 of group 0; write at pc 0x[0-9A-F]+, [^ ]*races.cl:$add, thread 1 of group 0; no barrier between \([0-9]+ times\)" \
        sum $sum -O "$lines -DLAX"
    tells "without lines: pcs" "SLM offset 0x[0-9a-f]+: read at pc 0x[0-9A-F]+, thread" sum $sum -O -DLAX
    silent "groups that count by atomics" count $range --arg buf:4K
    tells "groups that count without" \
        "argument 0 \+ 0x4: write at pc 0x[0-9A-F]+, [^ ]*races.cl:$(line 'out[1] += 1'), thread 0 of group 0; read at pc 0x[0-9A-F]+, [^ ]*races.cl:$(line 'out[1] += 1'), thread 0 of group 1; nothing orders groups" \
        count $range --arg buf:4K -O "$lines -DLAX"
    silent "all write the same" flag $range --arg buf:4K --arg u32:0
    tells "all write what differs" "argument 0 \+ 0x8: write .*; write .*; nothing orders groups" \
        flag $range --arg buf:4K --arg u32:1
    tells "lanes of a message" "argument 0 \+ 0x[0-9a-f]+: write at pc 0x[0-9A-F]+, thread 0 of group 0: lanes 0 and 1 write other values" \
        lanes $range --arg buf:4K
    silent "bytes beside each other" bytes $range --arg buf:4K --arg u32:0
    tells "a neighbour's byte" "argument 0 \+ 0x20: write .*; write .*; no barrier between" \
        bytes $range --arg buf:4K --arg u32:1
    tells "what the next group writes" "argument 0 \+ 0x[0-9a-f]+: read .*; write .*; nothing orders groups" \
        shift $range --arg buf:8K
    silent "global memory of a group, with a barrier" turn $range --arg buf:8K
    tells "without" "argument 0 \+ 0x[0-9a-f]+: read .*; write .*; no barrier between" turn $range --arg buf:8K -O -DLAX
    silent "16,383 barriers" many -g 64 -l 64 --arg buf:256 --arg local:256 --arg u32:16383
    tells "a race behind them" "SLM offset 0x[0-9a-f]+: (read .*; write|write .*; read) .*; no barrier between" \
        many -g 64 -l 64 --arg buf:256 --arg local:256 --arg u32:16383 -O -DLAX
    silent "atomics, a barrier and a read" mixed $range --arg buf:4K --arg local:4
    tells "atomics and a read" "SLM offset 0x0: atomic .*; read .*; no barrier between" mixed $range --arg buf:4K --arg local:4 -O -DLAX
    silent "private memory" own $range --arg buf:8K --arg u32:5
    silent "texels of their own" texels -g 64,16 -l 16,4 --arg image2d:64x16:rgba-f32 --arg i32:0
    tells "texels of all" "argument 0 \+ 0x0: write .*; write .*" \
        texels -g 64,16 -l 16,4 --arg image2d:64x16:rgba-f32 --arg i32:1
    tells "launches again and again" "argument 0" count $range --arg buf:4K -O -DLAX --repeat 40
    [ "$(grep -c ': race in' "$IGPU_TMP/err")" = 10 ] && grep -qE '^igpu record: races: [0-9]+ more lines$' "$IGPU_TMP/err"
    report $? "ten lines, and how many more"

    # Nothing else depends on it.
    "$igpu" record --quiet -k sum $sum -O -DLAX -o "$IGPU_TMP/off.pb" "$cl" &&
        "$igpu" record --quiet --races -k sum $sum -O -DLAX -o "$IGPU_TMP/on.pb" "$cl" 2>"$IGPU_TMP/err" &&
        "$igpu" trace dump "$IGPU_TMP/off.pb" | grep -v command >"$IGPU_TMP/off.txt" &&
        "$igpu" trace dump "$IGPU_TMP/on.pb" | grep -v command >"$IGPU_TMP/on.txt" &&
        [ -s "$IGPU_TMP/err" ] && cmp -s "$IGPU_TMP/off.txt" "$IGPU_TMP/on.txt"
    report $? "the trace is the same with it"
}
expect 2 "nothing is run" "$igpu" record --races --launch "$IGPU_TMP/l.pb" -k count -g 64 -l 64 --arg buf:4K "$cl"
says "says so" "runs nothing"

# ---- a program

cat >"$IGPU_TMP/host.c" <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
int main(void)
{
    const char *text = "kernel void count(global uint *out)\n"
                       "{\n    if (get_local_id(0) == 0)\n        out[1] += 1;\n}\n";
    cl_platform_id p;
    cl_device_id d;
    size_t global = 1024, local = 256;
    if (clGetPlatformIDs(1, &p, NULL) || clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 1, &d, NULL))
        return 1;
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
    cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, 4096, NULL, NULL);
    cl_program prog = clCreateProgramWithSource(c, 1, &text, NULL, NULL);
    clBuildProgram(prog, 1, &d, "-gline-tables-only", NULL, NULL);
    cl_kernel k = clCreateKernel(prog, "count", NULL);
    clSetKernelArg(k, 0, sizeof(m), &m);
    for (int i = 0; i < 3; i++)
        clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL);
    return clFinish(q);
}
END
${CC:-cc} -o "$IGPU_TMP/host" "$IGPU_TMP/host.c" -lOpenCL 2>"$IGPU_TMP/err" || { report 1 "a program is built"; exit 1; }
expect 0 "a program's races are no error" "$igpu" run --quiet -- "$IGPU_TMP/host"
[ ! -s "$IGPU_TMP/err" ]
report $? "and are not looked for"
expect 0 "unless asked for" "$igpu" run --quiet --races -- "$IGPU_TMP/host"
says "they are told" '^vigpu: race in kernel count, argument 0 + 0x4: write at pc 0x[0-9A-F]*, .*:4, thread 0 of group 0; read at pc'
[ "$(grep -c 'of group 0; read at' "$IGPU_TMP/err")" = 1 ]
report $? "once for each kernel"
expect 2 "not where launches are executed in time" "$igpu" run --races --time --execute -- "$IGPU_TMP/host"

# ---- the suite's kernels

"$igpu" suite --races traces/kernels/cases.yaml >"$IGPU_TMP/out" 2>"$IGPU_TMP/err"
report $? "the suite passes with it"
# CASE, what is told of it (without places), by case and width.
sed -nE -e 's/^igpu suite: ([a-z0-9_]+) SIMD[0-9]+: race in kernel [^,]*, (SLM|argument [0-9]+|address)[^:]*: .*; (no barrier between|nothing orders groups) .*/\1: \2, \3/p' \
    -e 's/^igpu suite: ([a-z0-9_]+) SIMD[0-9]+: race in kernel [^,]*, (SLM|argument [0-9]+|address)[^:]*: .*: lanes .*/\1: \2, lanes/p' \
    "$IGPU_TMP/err" | sort -u >"$IGPU_TMP/found"
grep -v '^#' traces/kernels/races.txt | sed 's/  *#.*//' | sort -u >"$IGPU_TMP/known"
diff "$IGPU_TMP/known" "$IGPU_TMP/found" | head -20
cmp -s "$IGPU_TMP/known" "$IGPU_TMP/found"
report $? "and its races are those that traces/kernels/races.txt explains"

exit $failures
