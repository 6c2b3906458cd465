#!/usr/bin/env bash
# igpu run --time --oa: one recording of all launches of a program, its queues as contexts.
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
program=$build/tests/ocl/test_ocl_counters
export PYTHONPATH=tests/support
out=""
check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}

for every in "" 1us; do
    rm -rf "$tmp/traces"
    out=$("$igpu" run -d skl --time -o "$tmp/traces" --oa "$tmp/run.oa" --oa-set RenderBasic \
        ${every:+--oa-every $every} "$program" 2>&1)
    check "a program with two queues ${every:+, every $every}"
    out=$(python3 - "$tmp/run.oa" "$every" "$tmp/traces/launches.csv" <<'PYTHON' 2>&1
import csv, sys
import oa
found, total = oa.reports(sys.argv[1]), oa.total(sys.argv[1])
launches = list(csv.DictReader(open(sys.argv[3])))
assert len(launches) == 7, len(launches)
# A report where another queue's launch begins, and one at the end, with no context.
switches = [r for r in found if r["id"] & 1 << 22]
queues = [r["context"] for r in switches[:-1]]
assert queues[:6] == [2, 3] * 3 and len(queues) == 7, queues
assert all(r["id"] >> 16 & 1 for r in switches[:-1])
assert not found[-1]["id"] >> 16 & 1
times = [r["clocks"] for r in found]
assert times == sorted(times), times
# Seven kernels of 128 threads, 768 lines each; 512 of them come in once.
assert total["a"][4] == 7 * 128 and total["a"][32] == 7 * 768, total
assert total["c"][6] == 512, total
assert total["clocks"] >= sum(int(l["cycles"]) for l in launches)
timer = [r for r in found if r["id"] & 1 << 19]
if sys.argv[2]:
    steps = {y["clocks"] - x["clocks"] for x, y in zip(timer, timer[1:])}
    assert len(timer) >= 5 and steps <= {1533, 1534}, steps  # 2^4 / 12 MHz
    assert len(found) == len(timer) + len(switches)
else:
    assert not timer
PYTHON
)
    check "its recording ${every:+, every $every}"
    out=$(i915-perf-reader -c all "$tmp/run.oa" 2>&1) && grep -q 'hw_id=0x2' <<<"$out" &&
        grep -q 'hw_id=0x3' <<<"$out"
    check "i915-perf-reader sees both queues ${every:+, every $every}"
    out=$("$igpu" counters "$tmp/run.oa" 2>&1) && grep -q '^ShaderMemoryAccesses *5376 ' <<<"$out"
    check "and igpu counters all launches ${every:+, every $every}"
done
out=$(cd "$tmp" && "$OLDPWD/$igpu" run -d skl --time --oa here.oa "$OLDPWD/$program" 2>&1) && [ -s "$tmp/here.oa" ]
check "a file in the folder where it was started"
out=$("$program" --untimed 2>&1)
check "without simulated time such queues are refused"

# A trace of all launches keeps whose they are.
out=$("$igpu" run -d skl --one -o "$tmp/one" "$program" --plain 2>&1) &&
    out=$("$igpu" counters --every 1us --oa "$tmp/one.oa" "$tmp/one/trace.pb" 2>&1)
check "a trace of all launches of two queues"
out=$(python3 - "$tmp/one.oa" <<'PYTHON' 2>&1
import sys
import oa
found = oa.reports(sys.argv[1])
queues = [r["context"] for r in found if r["id"] & 1 << 22][:-1]
assert queues == [1, 2] * 3, queues
here = None
for r in found:
    here = r["context"] if r["id"] & 1 << 22 else here
    assert r["context"] == here, r
PYTHON
)
check "its reports switch contexts"
out=$("$igpu" trace dump "$tmp/one/trace.pb" 2>&1 | grep -c '^context: 1$') && [ "$out" = 3 ]
check "and igpu trace dump tells them"

refused() { # refused WHAT ARGUMENTS...: exit 2 and one line
    local what=$1
    shift
    out=$("$igpu" run "$@" true 2>&1 >/dev/null)
    [ $? = 2 ] && [ "$(wc -l <<<"$out")" = 1 ] && grep -q '^igpu run: ' <<<"$out"
    check "refused: $what"
}
refused "--oa without --time" --oa "$tmp/x.oa"
refused "--oa with --sample" --time --sample error=2% --oa "$tmp/x.oa"
refused "an unknown set" --time --oa "$tmp/x.oa" --oa-set Compute
refused "an interval of 0" --time --oa "$tmp/x.oa" --oa-every 0us
refused "an interval of hours" --time --oa "$tmp/x.oa" --oa-every 3h
refused "a folder that there is not" --time --oa "$tmp/none/x.oa"
refused "--oa-every alone" --oa-every 1us
[ ! -e "$tmp/x.oa" ]
check "nothing half-written"
