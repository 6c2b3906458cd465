#!/usr/bin/env bash
# The instruction caches' statistics (docs/contract/model.md, section 7): lines of code
# that are asked for, of one thread counted by hand from its assembly; hits, merged and
# misses add up; the same in every engine, also of runs that are stopped anywhere, where
# they grow with the cycle. Boards: test_fpga.sh.
# tests/run: slow turn=2of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

icache() { # icache ENGINE OPTIONS...: accesses hits misses merged
    engine=$1
    shift
    "$vigpu" --engine "$engine" --quiet --json - "$@" |
        awk -F '[:,}] *' '/^  "icache": / && $3 == $5 + $7 + $9 { print $3, $5, $7, $9 }'
}
same() { # same WHAT GOT EXPECTED
    [ "$2" = "$3" ]
    good=$?
    [ $good = 0 ] || echo "# $2, expected $3"
    report $good "$1"
}

cat >"$IGPU_TMP/k.cl" <<'END'
kernel void straight(global float *x)
{
    float a = x[get_global_id(0)];
    for (int i = 0; i < 40; i++)
        a = a * a + (float)i;
    x[get_global_id(0)] = a;
}
kernel void round(global float *x, int n)
{
    float a = x[get_global_id(0)];
    for (int i = 0; i < n; i++)
        a = sin(a) * sqrt(a);
    x[get_global_id(0)] = a;
}
END
record() { # record NAME KERNEL OPTIONS...
    "$igpu" record --quiet -o "$IGPU_TMP/$1.pb" -k "${@:2}" "$IGPU_TMP/k.cl"
}
record one straight -g 16 -l 16 --arg buf:64 -O -DSIMD=16
record many straight -g 16384 -l 64 --arg buf:64K
record turns round -g 4096 -l 64 --arg buf:16K --arg i32:9
# Its last instruction's pc, and so its lines.
last=$("$igpu" disasm "$IGPU_TMP/one.pb" | awk '/EOT/ {pc = $2} END {print pc}')
threads=$("$igpu" trace info "$IGPU_TMP/many.pb" | awk '/^threads/ {print $2}')
lines=$(((last + 15) / 64 + 1))
[ $lines -gt 5 ] && [ "$threads" -gt 300 ]
report $? "the kernel has some lines, and a launch of it some threads"
for engine in ref rtl array; do
    same "$engine: a thread misses each line once" "$(icache $engine "$IGPU_TMP/one.pb")" "$lines 0 $lines 0"
    same "$engine: without misses all are hits" "$(icache $engine -s icache.miss=0 "$IGPU_TMP/one.pb")" "$lines $lines 0 0"
    # shellcheck disable=SC2046 # four numbers
    set -- $(icache $engine "$IGPU_TMP/many.pb")
    same "$engine: all threads ask for all lines" "$1" "$((lines * threads))"
    # An EU finds what another one's request has brought.
    [ "$3" -ge $((lines * 3)) ] && [ "$3" -le $((lines * 24)) ] && [ "$2" -gt 0 ] && [ "$4" -gt 0 ]
    report $? "$engine: each subslice misses each line, each EU at most once"
done
for trace in "$IGPU_TMP/turns.pb" "$IGPU_TMP/many.pb" traces/samples/divergent.pb; do
    for small in "" "-s icache.kb=1 -s icache.ways=2 -s icache.miss=200"; do
        # shellcheck disable=SC2086 # words
        whole=$(icache ref $small "$trace")
        for engine in rtl array pipe; do
            # shellcheck disable=SC2086
            same "$engine is as the reference: $(basename "$trace") $small" "$(icache $engine $small "$trace")" "$whole"
        done
    done
done
least=0
for cycles in 100 250 333 334 335 420 700 1100 1777; do
    got=$(icache ref --max-cycles $cycles "$IGPU_TMP/turns.pb")
    for engine in rtl array pipe; do
        same "stopped at $cycles: $engine" "$(icache $engine --max-cycles $cycles "$IGPU_TMP/turns.pb")" "$got"
    done
    [ "${got%% *}" -ge "$least" ]
    report $? "stopped at $cycles: no less than before"
    least=${got%% *}
done
exit $failures
