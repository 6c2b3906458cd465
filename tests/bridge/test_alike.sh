#!/bin/sh
# Launches of many groups that are alike (docs/contract/jit.md#alike): the trace is the one
# in which each thread was told of, which --max-instructions asks for, and features are
# those of that trace; of kernels all of whose groups are alike, most of them, and none.
# Can not find: that groups are told of though they are alike (csim/test_emu_alike_launch).
# tests/run: timeout=240
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
k=traces/kernels
t=$IGPU_TMP

same() { # same NAME OPTION...
    name=$1
    shift
    "$igpu" record --quiet -o "$t/told.pb" --max-instructions 1000000000000 "$@" &&
        "$igpu" features --csv "$t/told.csv" "$t/told.pb" &&
        "$igpu" record --quiet -o "$t/live.pb" "$@" && "$igpu" trace verify "$t/live.pb" >/dev/null &&
        python3 tests/bridge/same_sections.py "$t/told.pb" "$t/live.pb" &&
        "$igpu" features --csv "$t/live.csv" "$@" && cmp "$t/live.csv" "$t/told.csv"
    report $? "$name"
}
b="--arg buf:1M:rand:1"
same triad -k triad -g 65536 -l 64 $b $b $b --arg f32:2 $k/stream.cl
same "triad of whole and smaller groups" -k triad -O -cl-std=CL2.0 -g 65560 -l 64 $b $b $b --arg f32:2 $k/stream.cl
same "triad by 64-bit addresses" -k triad -O -cl-intel-greater-than-4GB-buffer-required -g 65536 -l 64 \
    $b $b $b --arg f32:2 $k/stream.cl
same "vectors of four" -k copy4 -g 32768 -l 32 $b $b $k/stream.cl
same "ids in three dimensions" -k ids -g 80,36,24 -l 5,3,2 --arg buf:2304K $k/ids.cl
same "tiles in shared memory" -k matmul_tiled -O -DSIMD=16 -g 512,512 -l 16,16 $b $b $b --arg i32:16 $k/matmul.cl
same "a product by rows" -k matmul_naive -O -DSIMD=8 -g 256,256 -l 8,8 $b $b $b --arg i32:4 $k/matmul.cl
same "a product of which lines are left out" -k matmul_naive -g 256,256 -l 8,8 $b $b $b --arg i32:32 $k/matmul.cl
same "rows, of which messages are left out" -k gemv -g 49152 -l 16 --arg buf:12M:rand:1 $b $b --arg u32:64 $k/linear.cl
same "a stencil with borders" -k stencil -g 512,256 -l 16,4 $b $b $k/stencil.cl
same "blocks of subgroups" -k blocks -g 65536 -l 64 --arg buf:1M:rand:2 --arg buf:8M $k/blocks.cl
same "a transposition" -k transpose -g 256,256 -l 8,8 $b $b --arg u32:256 $k/linear.cl
same "a reduction" -k reduce_u32 -g 65536 -l 64 $b $b --arg local:1K $k/reduce.cl
same "atomics by what memory has" -k histogram_local -g 16384 -l 16 $b $b --arg u32:4 $k/histogram.cl
same "loops as long as memory says" -k collatz -g 16384 -l 16 --arg buf:64K:iota --arg buf:64K --arg u32:60 $k/diverge.cl
same "two launches" -k copy -g 65536 -l 64 --repeat 2 $b $b $k/stream.cl
