#!/bin/sh
# Every parameter changes what is simulated, and on every engine: each line of
# parameters.txt sets one on the C reference, whose statistics must be others then; and, if
# the engines have to honour it, on the RTL, the pipelines and a board, whose statistics must
# be the reference's. An engine that docs/reference/params.md does not name refuses it.
# What it cannot find: values that are honoured wrongly in reference and engine alike, and
# others than the table's.
# tests/run: timeout=1800 slow
. tests/support/cli.sh
. tests/support/board.sh

record() { # record KERNEL GLOBAL LOCAL OPTIONS...
    kernel=$1 global=$2 local=$3
    shift 3
    expect 0 "$kernel is recorded" "$igpu" record -k "$kernel" -g "$global" -l "$local" "$@" \
        -o "$IGPU_TMP/$kernel.pb" tests/bridge/parameters.cl
}
record wide 512 64 --arg buf:64K:randf32:1 --arg buf:64K:iota --arg buf:64K
record divide 64 16 --toggles --arg buf:64K:iota --arg buf:64K
record shuffle 64 16 --arg buf:64K:iota --arg buf:64K
record twice 32768 128 --repeat 2 --arg buf:128K:iota --arg buf:128K
for frame in depth fast_depth geometry patches blend shadow bc7 inner kept doubles; do
    expect 0 "$frame is recorded" "$igpu" frame trace -o "$IGPU_TMP/$frame.pb" \
        "tests/fuzzing/corpus/render/$frame.igf"
done

board --shape 1x24 --port 0
python3 tests/bridge/parameters.py tests/bridge/parameters.txt "$IGPU_TMP" "$igpu" "$vigpu" "$place" ||
    failures=1
exit $failures
