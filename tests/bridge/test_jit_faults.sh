#!/usr/bin/env bash
# Kernels that fail, translated (docs/contract/jit.md): wild addresses, ends of buffers and of
# shared memory, loops without an end, barriers that not all reach. The error is the
# interpreter's, with its instruction and lane, and so is what a trace's writer leaves.
# tests/run: slow
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
[ -e "$build/lib/libigpu_jit.so" ] || { echo "1..0 # SKIP no LLVM 14: nothing is translated" && exit; }

cat >"$tmp/bad.cl" <<'END_CL'
__kernel void load_one(__global int *out, ulong far)
{
    size_t i = get_global_id(0);
    __global int *p = i == 37 ? (__global int *)far : out + i;

    out[i] = *p + 1;
}
__kernel void store_one(__global int *out, ulong far)
{
    size_t i = get_global_id(0);
    __global int *p = i == 70 ? (__global int *)far : out + i;

    out[i] = 5;
    *p = 6;
}
__kernel void store_all(__global int *out, ulong far)
{
    ((__global int *)far)[get_global_id(0)] = out[0];
}
__kernel void past_end(__global int *out, uint by)
{
    size_t i = get_global_id(0);

    out[i + by] = out[i] + 1;
}
__kernel void past_end4(__global int4 *out, uint by)
{
    size_t i = get_global_id(0) / 8;

    out[i + by] = out[i] + 1;
}
__kernel void shared(__global int *out, uint by)
{
    __local int l[64];
    size_t i = get_local_id(0);

    l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[i * by + 7];
    l[i * by] = 3;
}
__kernel void shared_atomic(__global int *out, uint by)
{
    __local int l[64];
    size_t i = get_local_id(0);

    l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&l[i * by], 3);
    out[get_global_id(0)] = l[i];
}
__kernel void endless(__global int *out, uint n)
{
    size_t i = get_global_id(0);

    while (n != 12345) {
        if (i & 1)
            n += 2;
        else
            n ^= 1;
        n &= 0xff;
    }
    out[i] = n;
}
__kernel void endless_read(__global volatile int *out, uint n)
{
    size_t i = get_global_id(0);

    while (out[i] != 7000)
        ;
    out[i] = n;
}
__kernel void half_barrier(__global int *out, uint n)
{
    size_t i = get_local_id(0);

    out[i] = 1;
    if (i >= n)
        return;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = 2;
}
__kernel void private_far(__global int *out, uint by)
{
    int a[40], s = 0;
    size_t i = get_global_id(0);

    for (int k = 0; k < 40; k++)
        a[k] = out[(i + k) & 63];
    a[(i * by) & 0xffffff] = 3;
    for (int k = 0; k < 40; k++)
        s += a[(k * out[k]) % 40];
    out[i] = s + a[(out[i] * by) & 0xfffff];
}
END_CL

# record JIT KERNEL ARGUMENT [OPTION...]: its exit status and all that it says, in $tmp/JIT.
record() {
    local jit=$1 kernel=$2 arg=$3
    shift 3
    IGPU_JIT=$jit IGPU_JIT_STATS="$tmp/$jit.stats" timeout 60 "$igpu" record --quiet -k "$kernel" -g 256 -l 64 \
        --arg buf:1024:iota --arg "$arg" "$@" "$tmp/bad.cl" >"$tmp/$jit" 2>&1
    echo "exit $?" >>"$tmp/$jit"
}

# fails KERNEL ARGUMENT PATTERN [OPTION...]: in both ways the same, run and recorded.
fails() {
    local kernel=$1 arg=$2 pattern=$3 good=0
    shift 3
    rm -f "$tmp/now.stats" "$tmp/never.pb"
    for how in "--threads 1" "--threads 2 -o $tmp/never.pb"; do
        for jit in off now; do
            # shellcheck disable=SC2086 # words
            record $jit "$kernel" "$arg" $how "$@"
        done
        grep -q -e "$pattern" "$tmp/off" && grep -q '^exit 1' "$tmp/off" && cmp -s "$tmp/off" "$tmp/now" &&
            [ ! -e "$tmp/never.pb" ] || good=1
    done
    grep -q "^$kernel: .* generated, [^:]*$" "$tmp/now.stats" || good=1
    if [ $good = 0 ]; then echo "ok $kernel $arg"; else echo "not ok $kernel $arg" && cat "$tmp/off" "$tmp/now"; fi
}

fails load_one u64:4096 'lane 5 reads 4 bytes at 0x1000, in no buffer'
fails load_one u64:0x7fffffffffff0000 'lane 5 reads 4 bytes'
fails store_one u64:0 'lane 6 writes 4 bytes at 0x0, in no buffer'
fails store_all u64:3 'lane 0 writes 4 bytes at 0x3'
fails past_end u32:1000000 'lane 0 accesses 4 bytes at offset 0x3D0900 of surface 0'
fails past_end u32:100 'offset 0x400 of surface 0, which has 1024 bytes'
fails past_end u32:0xffffffff 'lane 0 accesses 4 bytes at offset 0xFFFFFFFC'
fails past_end4 u32:62 'accesses 16 bytes at offset 0x400 of surface 0'
fails shared u32:64 'of the group.s shared memory of 1024 bytes'
fails shared u32:100000 'lane 1 accesses 4 bytes at 0x61A9C'
fails shared_atomic u32:500000 'of the group.s shared memory of 1024 bytes'
fails endless u32:1 'limit of instructions, 1000000, is reached' --max-instructions 1000000
fails endless_read u32:1 'limit of instructions, 1000000, is reached' --max-instructions 1000000
fails half_barrier u32:32 'never reach: they have ended'
fails private_far u32:999999 'indirect destination: byte 38144 of the registers'
