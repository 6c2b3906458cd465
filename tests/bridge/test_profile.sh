#!/bin/sh
# --profile, igpu profile, igpu disasm (docs/guide/profile.md): sums against the run's timeline
# and statistics, both engines' alike, what a run that stops has, the page, errors.
# tests/run: timeout=300 slow turn=0of3
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
# Whose memory the messages went to.
expect 0 "traffic by argument" "$igpu" profile --json "$out/buffers.json" \
    $samples/matmul_tiled.pb
python3 - "$out/buffers.json" <<'PY'
import json, sys
launch = json.load(open(sys.argv[1]))["launches"][0]
by = {b.get("argument"): b for b in launch["buffers"]}
# Of 64 x 64 numbers in tiles of 16: each matrix is read 4 times, the product written once.
print("ok" if sorted(by) == [0, 1, 2]
      and [by[i]["bytes"] for i in (0, 1, 2)] == [65536, 65536, 16384]
      else "not ok", "three matrices")
print("ok" if all(b["lines"] == sum(b["lines_from"].values()) for b in by.values())
      and sum(b["lines"] for b in by.values()) == launch["traffic"]["l3_lines"]
      else "not ok", "and all of the L3's lines")
PY
# The EUs' switching energy by instruction is the classes' of the statistics.
expect 0 "with energy" "$vigpu" --quiet --energy --json "$out/stats.json" \
    --profile "$out/energy.json" $samples/stencil.pb
python3 - "$out/energy.json" "$out/stats.json" <<'PY'
import json, sys
launch = json.load(open(sys.argv[1]))["launches"][0]["instructions"]
classes = json.load(open(sys.argv[2]))["energy"]["classes_nj"]
mine, all_of_it = sum(i["energy_pj"] for i in launch), 1e3 * sum(classes.values())
print("ok" if abs(mine - all_of_it) < 1e-5 * all_of_it > 0 else "not ok", "adds up", mine)
print("ok" if all((i["energy_pj"] > 0) == (i["issues"] > 0) for i in launch) else "not ok",
      "what is executed takes some")
PY
expect 0 "as text" "$igpu" profile --energy --top 2 $samples/stencil.pb
[ "$(sed -n '/switching energy/,$p' "$out/out" | wc -l)" = 3 ]
report $? "the two that take most"

# A capture's frame, draw by draw, each by its shaders: the sums are the draw's.
frame=tests/fuzzing/corpus/render/blend.igf
expect 0 "a frame of a capture" "$igpu" profile --frame 1 --by stage --json "$out/frame.json" $frame
expect 0 "the same as a trace" "$igpu" frame trace --frame 1 -o "$out/frame.pb" $frame
expect 0 "of both engines" "$vigpu" --quiet --check --by stage --profile "$out/p.json" \
    "$out/frame.pb"
python3 - "$out/frame.json" "$out/p.json" <<'PY'
import json, sys
a, b = (json.load(open(path))["launches"] for path in sys.argv[1:])
def ok(name, good):
    print("ok" if good else "not ok", name)
ok("alike", a == b)
ok("draws are named", [l["draw"] for l in a] == [2, 3])
ok("vertex and pixel", [p["stage"] for p in a[1]["parts"]] == ["vertex", "pixel"])
ok("stages add up", all(
    sum(p["thread_cycles"] for p in l["parts"]) == l["thread_cycles"]
    and sum(p["threads"] for p in l["parts"]) == l["threads"] for l in a))
PY
expect 2 "a frame that is not there" "$igpu" profile --frame 99 $frame
expect 2 "a frame of a trace" "$igpu" profile --frame 1 $samples/copy.pb
expect 2 "no frame" "$igpu" profile --frame 0 $frame
# By EU, slot and work-group: the parts' thread-cycles and reasons are the whole's.
for by in eu slot group; do
    expect 0 "both engines by $by" "$vigpu" --quiet --check --by $by --profile "$out/by.json" $samples/reduce_u32.pb
    python3 - "$out/by.json" $by <<'PY'
import collections, json, sys
launch = json.load(open(sys.argv[1]))["launches"][0]
parts, by = launch["parts"], sys.argv[2]
assert launch["by"] == by
assert sum(p["thread_cycles"] for p in parts) == launch["thread_cycles"]
assert sum(p["threads"] for p in parts) == launch["threads"]
assert sum(p["issues"] for p in parts) == launch["issues"]
waits = collections.Counter()
for p in parts:
    waits.update(p["wait"])
    assert p["issues"] + sum(p["wait"].values()) == p["thread_cycles"]
    assert 0 <= p["from"] < p["to"] <= launch["cycles"]
    assert by == "group" or p["thread_cycles"] <= (p["to"] - p["from"]) * (7 if by == "eu" else 1)
assert {k: v for k, v in waits.items() if v} == launch["wait"]
names = [tuple(p.get(k) for k in ("group", "subslice", "eu", "slot")) for p in parts]
assert len(set(names)) == len(names) > 1
PY
    report $? "their sums are the launch's"
    expect 0 "as text" "$igpu" profile --quiet --top 2 --by $by $samples/reduce_u32.pb
done
grep -q '^[0-9]* work-groups: cycles from first to last [0-9]* to [0-9]*, half of them' "$out/out"
report $? "with how far they spread"
expect 2 "not by what there is not" "$igpu" profile --by thread $samples/reduce_u32.pb
says "says by what" "expected eu, slot, group or stage"
expect 2 "not without a profile" "$vigpu" --by eu $samples/reduce_u32.pb

# Launches in pieces and behind those before them, as in one run; a sample is near the whole
# and says how near.
expect 0 "recorded" "$igpu" record --quiet -k divergent -g 131072 -l 64 --arg buf:512K:rand:33 \
    --arg buf:512K --arg u32:6 --repeat 2 -o "$out/two.pb" traces/kernels/diverge.cl
expect 0 "whole" "$igpu" profile --quiet --kernels 0..0 --json "$out/whole.json" "$out/two.pb"
expect 0 "-j" "$igpu" profile --quiet -j 2 --by eu --json "$out/j.json" "$out/two.pb"
expect 0 "--warm" "$igpu" profile --quiet --warm --kernels 1..1 --json "$out/warm.json" "$out/two.pb"
expect 0 "a sample" "$igpu" profile --quiet --kernels 0..0 --sample windows=8 --json "$out/sample.json" \
    "$out/two.pb"
grep -q '^  a sample: [0-9]* threads were simulated' "$out/out" && grep -q 'fetches for other threads (+-0' "$out/out"
report $? "says what it is"
expect 0 "one on processes" "$igpu" profile --quiet --kernels 0..0 --sample windows=8 -j 2 \
    --json "$out/side.json" --html "$out/side.html" "$out/two.pb"
cmp -s "$out/sample.json" "$out/side.json"
report $? "the same"
expect 0 "launches left out" "$igpu" profile --quiet --sample error=5% --json "$out/left.json" \
    "$out/two.pb"
python3 - "$out" <<'PY'
import json, sys
whole, j, warm, sample, left = (json.load(open(f"{sys.argv[1]}/{n}.json"))["launches"]
                                for n in ("whole", "j", "warm", "sample", "left"))
def ok(name, good):
    print("ok" if good else "not ok", name)
w, s = whole[0], sample[0]
ok("the first of -j is the whole run's", j[0]["instructions"] == w["instructions"])
ok("its parts add up", all(sum(p["thread_cycles"] for p in l["parts"]) == l["thread_cycles"] for l in j))
ok("the second, warm", [l["launch"] for l in warm] == [1] and warm[0]["wait"] == j[1]["wait"])
ok("a sample adds up", s["issues"] + sum(s["wait"].values()) == s["thread_cycles"]
   and 0 < s["sample"]["threads"] < w["threads"] == s["threads"])
error = {k: abs(v - s["wait"].get(k, 0)) for k, v in w["wait"].items()}
ok(f"executions within 1 in 1,000", abs(s["issues"] - w["issues"]) < w["issues"] / 1000)
ok("reasons within 0.5 % of all", max(error.values()) < w["thread_cycles"] / 200)
ok("large ones in their intervals", all(
    e <= s["sample"]["half"][k] for k, e in error.items() if w["wait"][k] > w["thread_cycles"] / 1000))
ok("every launch counts", sum(l["stands_for"] for l in left) == 2)
PY
expect 2 "a sample has no parts" "$igpu" profile --sample error=5% --by slot $samples/copy.pb

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
assert len(data["launches"][0]["parts"]) == 24 # the EUs' map
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
expect 3 "not of a trace that is none" "$igpu" profile --json "$out/none.json" tests/run
expect 1 "and then no file" test -e "$out/none.json"
expect 2 "no program" "$igpu" profile --
expect 127 "a program that is none" "$igpu" profile -- "$out/no-such-program"

# Source lines: of the only kernel of a source, and of one of several.
cat >"$out/lines.cl" <<'CL'
float helper(float x, float y)
{
    return x * y + 1.0f;
}
kernel void other(global float *x) { x[0] = 1; }
kernel void one(global float *x, int n)
{
    int i = get_global_id(0);
    float s = x[i];
    for (int k = 0; k < n; k++)
        s = helper(s, s);
    x[i] = s;
}
CL
sed '/void other/s/.*//' "$out/lines.cl" >"$out/alone.cl"
for k in alone lines; do
    expect 0 "$k is recorded with lines" "$igpu" record --quiet -k one -g 4096 -l 64 \
        --arg buf:16K:randf32:1 --arg i32:20 -O -gline-tables-only -o "$out/$k.pb" "$out/$k.cl"
    expect 0 "and is sound" "$igpu" trace verify "$out/$k.pb"
    expect 0 "its profile" "$igpu" profile --json "$out/$k.json" --html "$out/$k.html" "$out/$k.pb"
    grep -q "^ *[0-9.]* %  [a-z_]*  *$out/$k.cl:3: return x \* y + 1.0f;" "$out/out"
    report $? "names the line of an inlined function"
    python3 - "$out/$k.json" <<'PY'
import json, sys
l = json.load(open(sys.argv[1]))["launches"][0]
lines = {x["line"][1] for x in l["instructions"] if "line" in x}
assert l["sources"][0]["text"].startswith("float helper"), l["sources"]
assert {3, 9, 10, 12} <= lines <= set(range(6, 14)) | {3}, lines
mads = [x for x in l["instructions"] if x["text"].startswith("mad")]
assert mads and all(x["line"][1] == 3 for x in mads)
PY
    report $? "and each instruction's"
    expect 0 "disasm" "$igpu" disasm "$out/$k.pb"
    grep -q '  1:3 .*mad ' "$out/out" && grep -q "^source 1: $out/$k.cl" "$out/out"
    report $? "has them too"
done
expect 0 "without the option" "$igpu" record --quiet -k one -g 4096 -l 64 \
    --arg buf:16K:randf32:1 --arg i32:20 -o "$out/plain.pb" "$out/lines.cl"
"$igpu" disasm "$out/plain.pb" | sed 's/^ *[0-9]* *\([0-9]* *[0-9]* *[0-9]*\) */\1 /' >"$out/plain"
"$igpu" disasm "$out/lines.pb" | sed '/^source/d; s/^ *[0-9]* *\([0-9]* *[0-9]* *[0-9]*\)  *[0-9]*:*[0-9]*  */\1 /' >"$out/lined"
[ "$(sed 1,2d "$out/plain" | tr -s ' ')" = "$(sed 1,2d "$out/lined" | tr -s ' ')" ]
report $? "the same code"

# Calls of inlined functions: a helper in a helper, called twice.
cat >"$out/calls.cl" <<'CL'
float inner(float x) { return x * x + 0.5f; }
float helper(float x, float y)
{
    return inner(x) * y + 1.0f;
}
kernel void one(global float *x, int n)
{
    int i = get_global_id(0);
    float s = x[i];
    for (int k = 0; k < n; k++)
        s = helper(s, s);
    s = helper(s, 3);
    x[i] = s;
}
CL
expect 0 "calls are recorded" "$igpu" record --quiet -k one -g 4096 -l 64 \
    --arg buf:16K:randf32:1 --arg i32:20 -O -g -o "$out/calls.pb" "$out/calls.cl"
expect 0 "and sound" "$igpu" trace verify "$out/calls.pb"
expect 0 "and profiled" "$igpu" profile --json "$out/calls.json" "$out/calls.pb"
sed -n '/by where they are called/,/^$/p' "$out/out" | grep -q ":11: s = helper(s, s);"
report $? "are in the text"
python3 - "$out/calls.json" <<'PY'
import json, sys
l = json.load(open(sys.argv[1]))["launches"][0]
calls = {(x["line"][1], *(c[1] for c in x["called_from"])) for x in l["instructions"] if "called_from" in x}
assert {(1, 4, 11), (4, 11), (1, 4, 12), (4, 12)} <= calls, calls
assert all(x["line"][1] in (1, 4) for x in l["instructions"] if "called_from" in x)
assert l["sources"][0]["name"].endswith("calls.cl") and l["sources"][0]["text"]
PY
report $? "and in the JSON, each with those around it"
expect 0 "calls in the disassembly" "$igpu" disasm "$out/calls.pb"
grep -q '^.\{34\}1:1<1:4<1:11  ' "$out/out" && grep -q '^.\{34\}1:4<1:12 ' "$out/out"
report $? "innermost first, as far as they go"

# Banks and reuse: they add up to the launch's counters, and are the engines' alike.
for k in reduce_u32 matmul_tiled atomics32; do
    expect 0 "heat of $k" "$igpu" profile --heat --json "$out/h.json" --html "$out/h.html" $samples/$k.pb
    grep -q 'uses, by lines served since the one before' "$out/out"
    report $? "is in the text"
    python3 - "$out/h.json" <<'PY'
import json, sys
for l in json.load(open(sys.argv[1]))["launches"]:
    h, t = l["heat"], l["traffic"]
    assert sum(n for n, _ in h["l3"]) == t["l3_lines"] > 0
    assert sum(map(sum, h["slm"])) == t["slm_words"]
    assert 64 * sum(n for c in h["dram"] for n, _ in c) == t["dram_bytes"]
    assert h["whole"] and sum(n for _, n in h["times"]) == h["lines"]
    assert sum(n for _, n in h["again"]) + h["lines"] == t["l3_lines"]
    assert sum(n for n, _ in h["llc"]) >= t["llc_lines"] > 0
PY
    report $? "adds up"
    expect 0 "of the RTL" "$vigpu" --quiet --heat --profile "$out/r.json" $samples/$k.pb
    sed 's/"engine":"rtl"/"engine":"ref"/' "$out/r.json" | cmp -s - "$out/h.json"
    report $? "the same"
done
expect 2 "heat without a profile" "$vigpu" --heat $samples/copy.pb
expect 2 "heat of a sample" "$igpu" profile --heat --sample error=2% $samples/copy.pb
for e in 0 0% 101% x 100000 ''; do
    expect 2 "--ease '$e'" "$igpu" profile --ease "$e" $samples/copy.pb
done
expect 0 "--ease" "$igpu" profile --ease 50% $samples/copy.pb
grep -q '^  with 50 % of it: about [0-9]* cycles$' "$out/out"
report $? "says what would be left"

# An instruction in the verdict that is too long ends behind a word, with no brace left open.
expect 0 "jacobi" "$igpu" suite --case jacobi --traces "$out" traces/kernels/cases.yaml
expect 0 "its verdict" "$igpu" profile --quiet "$out/jacobi_simd16.pb"
sed -n 2p "$out/out" | grep -q 'instruction [0-9]*, mad (16|M0) [^{]*>:f (4[0-9.]* %), which waits for'
report $? "a mad without its {Compacted}"
expect 0 "ids_3d's verdict" "$igpu" profile --quiet $samples/ids_3d.pb
grep -q '// untyped_write, makes' "$out/out"
report $? "a message whose surface is one word too many"
