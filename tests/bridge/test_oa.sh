#!/usr/bin/env bash
# `igpu counters` and Debian's i915-perf-reader say the same of a recording, metric by
# metric, for every set; and bad input is one line.
. tests/support/cli.sh

write=$IGPU_BUILD/tests/csim/test_oa
sets=$("$igpu" counters --list --format csv | tail -n +2 | cut -d, -f1)
[ "$(wc -w <<<"$sets")" = 22 ]
report $? "22 sets"
for set in $sets; do
    file=$IGPU_TMP/$set.oa
    "$write" --write "$file" "$set" &&
        i915-perf-reader -c all "$file" >"$IGPU_TMP/theirs" 2>&1
    "$igpu" counters --format csv "$file" >"$IGPU_TMP/ours"
    python3 - "$IGPU_TMP/theirs" "$IGPU_TMP/ours" <<'PYTHON'
import csv, re, sys
theirs = dict(re.findall(r"^   (\w+): (\S+)$", open(sys.argv[1]).read(), re.M))
ours = {k: v for k, v in next(csv.DictReader(open(sys.argv[2]))).items() if v != ""}
wrong = [f"{k}: {theirs.get(k)} and {ours.get(k)}" for k in sorted(theirs | ours)
         if k not in theirs or k not in ours or float(theirs[k]) != float(ours[k])]
if wrong or len(ours) < 3:
    print(f"{len(ours)} metrics;", *wrong, sep="\n    ")
    sys.exit(1)
PYTHON
    report $? "$set"
done

expect 0 "intervals" "$igpu" counters --reports --format csv "$IGPU_TMP/ComputeBasic.oa"
[ "$(wc -l <"$IGPU_TMP/out")" = 5 ]
report $? "four of them and a head"
expect 0 "JSON" "$igpu" counters --reports --format json "$IGPU_TMP/ComputeBasic.oa"
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["intervals"]) == 4' \
    "$IGPU_TMP/out"
report $? "that is JSON"
expect 0 "a set's metrics" "$igpu" counters --list --set ComputeBasic
expect 2 "another set than the recording's" \
    "$igpu" counters --set RenderBasic "$IGPU_TMP/ComputeBasic.oa"
says "which it is" "was recorded with ComputeBasic"
expect 2 "an unknown set" "$igpu" counters --list --set Compute
says "its name" "Compute: no metric set"
expect 3 "a file that is no recording" "$igpu" counters README.md
says "where" "README.md: offset 0"
expect 3 "no file" "$igpu" counters "$IGPU_TMP/none"
head -c 1000 "$IGPU_TMP/ComputeBasic.oa" >"$IGPU_TMP/cut"
expect 3 "a cut one" "$igpu" counters "$IGPU_TMP/cut"
says "where it ends" "cut: offset [0-9]*: no record"
exit $failures
