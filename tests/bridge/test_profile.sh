#!/bin/sh
# --profile, igpu profile, igpu disasm (docs/profile.md): sums against the run's timeline
# and statistics, both engines' alike, what a run that stops has, the page, errors.
# tests/run: timeout=300
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
out=$IGPU_TMP
samples=traces/samples

for t in reduce_u32 ids_3d divergent; do
    expect 0 "a profile of $t" "$igpu" ref --quiet --profile "$out/$t.json" \
        --timeline "$out/$t.timeline" --json "$out/$t.stats" $samples/$t.pb
    python3 tests/bridge/profile.py "$out/$t.timeline" "$out/$t.json" "$out/$t.stats"
done
rm "$out"/*.timeline

# The RTL's is the same, and --check says so itself.
for t in copy matmul_tiled atomics32 chase_a64; do
    expect 0 "both engines' profiles of $t are alike" "$vigpu" --quiet --check \
        --profile "$out/rtl.json" $samples/$t.pb
    expect 0 "the reference's" "$igpu" ref --quiet --profile "$out/ref.json" $samples/$t.pb
    sed 's/"engine":"rtl"/"engine":"ref"/' "$out/rtl.json" | cmp -s - "$out/ref.json"
    report $? "the same file"
done
for engine in array pipe; do
    expect 0 "of $engine" "$vigpu" --quiet --engine $engine --profile "$out/other.json" \
        $samples/chase_a64.pb
    sed 's/"engine":"[a-z0-9:]*"/"engine":"ref"/' "$out/other.json" |
        cmp -s - "$out/ref.json"
    report $? "the same file"
done

# It changes nothing else, under either policy.
expect 0 "without" "$igpu" ref --quiet --csv "$out/off.csv" $samples/stencil.pb
expect 0 "with" "$igpu" ref --quiet --csv "$out/on.csv" --profile "$out/p.json" \
    $samples/stencil.pb
cmp -s "$out/off.csv" "$out/on.csv"
report $? "the same statistics"
expect 0 "oldest first" "$vigpu" --quiet --check -s eu.arbiter=1 --profile "$out/p.json" \
    $samples/stencil.pb
expect 0 "a small instruction cache and short windows" "$vigpu" --quiet --check \
    -s icache.miss=3 -s icache.kb=4 -s eu.threads=5 --profile "$out/p.json" \
    $samples/ids_3d.pb

# What stopped has its part.
expect 4 "a run that stops" "$igpu" profile --quiet --max-cycles 3000 \
    $samples/reduce_u32.pb
grep -q 'stopped early' "$out/out" && grep -q ' unfinished ' "$out/out"
report $? "says what was not finished"

expect 0 "text" "$igpu" profile --top 3 $samples/reduce_u32.pb
head -1 "$out/out" | grep -q 'reduce_u32, is held up by barriers (barrier)'
report $? "begins with the verdict"
[ "$(grep -c '^ *[0-9.]* %  *[0-9]* .*: ' "$out/out")" = 3 ]
report $? "has the instructions that were asked for"
expect 0 "the verdict beside statistics" "$vigpu" --quiet --profile "$out/p.json" \
    $samples/reduce_u32.pb
grep -q '^held up by    barriers' "$out/out"
report $? "is a line"

expect 0 "a page" "$igpu" profile --quiet --html "$out/p.html" $samples/matmul_tiled.pb
python3 - "$out/p.html" <<'PY'
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>',
                            page, re.S).group(1))
assert data["launches"][0]["kernel"] == "matmul_tiled"
assert not re.search(r'(src|href)="', page) and "http://www.w3.org/2000/svg" in page
PY
report $? "holds the JSON and asks for nothing else"

expect 0 "disasm" "$igpu" disasm $samples/copy.pb
grep -q '^ *14 .* 1024  (W) send .*{EOT}$' "$out/out"
report $? "has executions"

expect 2 "disasm of no trace" "$igpu" disasm
expect 2 "disasm of no such kernel" "$igpu" disasm -k none $samples/copy.pb
expect 3 "disasm of what is no trace" "$igpu" disasm tests/run
expect 2 "not into nowhere" "$igpu" profile --html /nonexistent/p.html $samples/copy.pb
expect 2 "not beside samples" "$igpu" profile --sample error=5% $samples/copy.pb
expect 3 "not of a trace that is none" "$igpu" profile --json "$out/none.json" tests/run
expect 1 "and then no file" test -e "$out/none.json"
expect 2 "no program" "$igpu" profile --
expect 127 "a program that is none" "$igpu" profile -- "$out/no-such-program"
