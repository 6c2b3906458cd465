#!/bin/bash
# Policies (docs/guide/change-the-machine.md): both engines obey each of them, the page's own
# examples are built and run, sweeps know them by name and by file, and an object that
# does not fit is refused.
# tests/run: timeout=600 slow turn=0of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
page=docs/guide/change-the-machine.md
small=(-s l3.ways=4 -s l3.ways_slm=4 -s llc.size=128K)
samples="l3_stream copy atomics32"

cycles() { # cycles SAMPLE OPTIONS...: of both engines, or what is wrong
    "$vigpu" --quiet --check "${@:2}" "traces/samples/$1.pb" 2>&1 | awk '/^cycles/ {print $2} /gpu:/'
}

# ---- names ----

for setting in l3.policy=random l3.policy=srrip l3.policy=tree-plru llc.policy=random \
    llc.policy=srrip llc.policy=tree-plru llc.prefetch=next-line llc.prefetch=stride \
    dram.schedule=fcfs dram.schedule=bliss; do
    agent=()
    [ "${setting%%.*}" = l3 ] || agent=(-s cpu.agent=2 -s cpu.ws=64M)
    differ=1 good=0
    for sample in $samples; do
        with=$(cycles "$sample" "${small[@]}" "${agent[@]}" -s $setting)
        without=$(cycles "$sample" "${small[@]}" "${agent[@]}")
        case $with in *[!0-9]* | '') good=1 && echo "# $sample: $with" ;; esac
        [ "$with" = "$without" ] || differ=0
    done
    report $good "$setting: the RTL has the reference's cycles"
    report $differ "$setting changes cycles"
done

# ---- the page's objects ----

awk -v dir="$IGPU_TMP" '/^`[a-z]*\.c`/ { name = substr($1, 2); sub(/`.*/, "", name) }
    /^A prefetcher keeps/ { name = "ahead.c" }
    /^```c$/ { on = 1; next } /^```$/ { on = 0 } on { print > (dir "/" name) }' $page
for name in fifo ahead; do
    grep -q "cc -O2 -Wall -Wextra -shared -fPIC -Icsim/include -o $name.so $name.c" $page &&
        cc -O2 -Wall -Wextra -Werror -shared -fPIC -Icsim/include -o "$IGPU_TMP/$name.so" "$IGPU_TMP/$name.c"
    report $? "$name.c of the page is built as it says"
done
got=$(cycles l3_stream "${small[@]}" -s l3.policy="$IGPU_TMP/fifo.so")
lru=$(cycles l3_stream "${small[@]}")
again=$("$igpu" ref --quiet "${small[@]}" -s l3.policy="$IGPU_TMP/fifo.so" traces/samples/l3_stream.pb | awk '/^cycles/ {print $2}')
[ "$got" -gt 0 ] && [ "$got" != "$lru" ] && [ "$got" = "$again" ]
report $? "fifo.so: $got cycles on each engine, lru $lru"
got=$(cycles copy -s llc.prefetch="$IGPU_TMP/ahead.so")
[ "$got" -gt 0 ] && [ "$got" != "$(cycles copy)" ]
report $? "ahead.so: $got cycles"

expect 0 "a configuration with an object is dumped" "$vigpu" -s llc.policy="$IGPU_TMP/fifo.so" \
    --dump-config "$IGPU_TMP/mine.yaml"
grep -q "^llc.policy: $IGPU_TMP/fifo.so #" "$IGPU_TMP/mine.yaml"
report $? "by its path"
expect 0 "and read again" "$igpu" ref -c "$IGPU_TMP/mine.yaml" --json "$IGPU_TMP/mine.json" traces/samples/copy.pb
grep -q "\"llc.policy\": \"$IGPU_TMP/fifo.so\"" "$IGPU_TMP/mine.json"
report $? "the result tells it"

# ---- what does not fit ----

object() { # object NAME VICTIM VERSION: a policy whose victim is that expression
    sed -e "s|return \*(const uint8_t \*)set % ways;|$2|" -e "s|IGPU_POLICY_VERSION, \"fifo\"|$3, \"$1\"|" \
        "$IGPU_TMP/fifo.c" >"$IGPU_TMP/$1.c"
    cc -shared -fPIC -Icsim/include -o "$IGPU_TMP/$1.so" "$IGPU_TMP/$1.c" || report 1 "$1.c is built"
}
refused() { # refused WHAT PATTERN FILE
    expect 2 "$1: refused" "$igpu" ref -s l3.policy="$3" traces/samples/copy.pb
    says "$1: and why" "l3.policy: .*$2"
}
object old 'return *(const uint8_t *)set % ways;' 0
object beyond 'return ways;' IGPU_POLICY_VERSION
object moody 'static uint32_t n; return n++ * 7 % ways;' IGPU_POLICY_VERSION
refused "a version" "of version 0 of igpu/policy.h; expected 1: build it again" "$IGPU_TMP/old.so"
refused "a victim that is no way" "does not fit: victim() is not below ways" "$IGPU_TMP/beyond.so"
refused "one that remembers" "does not fit: two trials of it differ" "$IGPU_TMP/moody.so"
refused "a prefetcher" "exports no 'igpu_replacement'" "$IGPU_TMP/ahead.so"
refused "a file that is none" "cannot be read" "$IGPU_TMP/none.so"
refused "a text" "no shared object that can be loaded" "$IGPU_TMP/fifo.c"
expect 2 "a name that is none: refused" "$igpu" ref -s l3.policy=fifo traces/samples/copy.pb
says "with the names" "expected lru|random|srrip|tree-plru, or a file's path with a slash in it"
expect 2 "a path where none may be: refused" "$igpu" ref -s dram.schedule=./x.so traces/samples/copy.pb
# Right in the trials, wrong in a set that they do not have.
object late 'return index == 5 ? 0 : index < 4 ? 0 : ways + 3;' IGPU_POLICY_VERSION
expect 1 "a victim that is none in the run: an error" "$igpu" ref "${small[@]}" -s l3.policy="$IGPU_TMP/late.so" traces/samples/l3_stream.pb
says "with the way" "l3.policy: 'late' replaced way 7 of 4; its victim() has to be below ways"

# ---- sweeps ----

python=$(.ci/deps.sh python)
sweep() { # as igpu sweep, from the sources
    IGPU=$igpu PYTHONPATH=bridge/python PYTHONDONTWRITEBYTECODE=1 "$python" -m vigpu sweep "$@"
}

cat >"$IGPU_TMP/p.yaml" <<Y
traces: [$PWD/traces/samples/l3_stream.pb, $PWD/traces/samples/copy.pb]
grid:
  l3.policy: [lru, srrip, ./fifo.so]
set: {l3.ways: 4, l3.ways_slm: 4}
Y
expect 0 "a sweep over names and a file" sweep "$IGPU_TMP/p.yaml"
expect 0 "its report against a baseline" sweep report "$IGPU_TMP/p.sqlite" --baseline l3.policy=lru --csv "$IGPU_TMP/p.csv"
grep -q "Against lru" "$IGPU_TMP/p.html" && grep -q "fifo.so" "$IGPU_TMP/p.csv" && grep -q ",srrip," "$IGPU_TMP/p.csv"
report $? "has names for values"
expect 0 "again: nothing is simulated" sweep "$IGPU_TMP/p.yaml"
grep -q " 0 simulated now" "$IGPU_TMP/out" "$IGPU_TMP/err"
report $? "since the object is the same"
sed -i 's/fifo", bytes/fifo2", bytes/' "$IGPU_TMP/fifo.c"
cc -shared -fPIC -Icsim/include -o "$IGPU_TMP/fifo.so" "$IGPU_TMP/fifo.c"
expect 0 "with another object" sweep "$IGPU_TMP/p.yaml"
grep -q " 2 simulated now" "$IGPU_TMP/out" "$IGPU_TMP/err"
report $? "its points are simulated anew"

exit $failures
