#!/usr/bin/env bash
# test_library.sh - a 160th of the library of frames (one of four by the commit, a tenth with
# --long; docs/guide/graphics.md, "Library"), made
# anew: each picture comes to what the table of the library says of it, and the RTL and
# the C reference agree about each frame.
# tests/run: slow timeout=1200
. tests/support/cli.sh
t=$IGPU_TMP
mkdir -p "$t"
python=$(.ci/deps.sh python)
missing=$(.ci/deps.sh check frames | tr '\n' ' ')
[ -z "$missing" ] || { echo "1..0 # SKIP missing: apt-get install $missing" && exit 0; }
unset DISPLAY WAYLAND_DISPLAY

# Of the programs that are no games and not in Wine, from the eighth, the 48th, .. on: none of
# them is recorded after 140 frames.
step=160 first=$((8 + 40 * $(part_of 4)))
[ -z "${IGPU_LONG-}" ] || step=10 first=8
names=$(awk -v step="$step" -v first="$first" \
    '!/^#/ && NF && $2 != "d3d" && !/\/usr\/games\// && ++n % step == first % step {print $1}' \
    traces/frames/programs.txt)
# shellcheck disable=SC2086 # a list of words
expect 0 "made" "$python" traces/frames/library.py --cache "$t/cache" --table "$t/table.csv" \
    --check --checks "$t/checks.csv" $names
! grep 'not made' "$t/out"
report $? "all of them"
cat >"$t/look.py" <<'END'
import csv, sys


def rows(path):
    with open(path, encoding="utf-8") as file:
        return {(r["program"], r["frame"]): r for r in csv.DictReader(file)}


table, made, checks = rows("traces/frames/frames.csv"), rows(sys.argv[1]), rows(sys.argv[2])
# Verdicts are what counts; other machines round a few pixels otherwise.
for key in made:
    was, now = table.get(key), made[key]
    good = (was is not None and was["verdict"] == now["verdict"]
            and abs(float(was["near"]) - float(now["near"])) < 0.5)
    print("ok" if good else "not ok", *key, f"{now['verdict']}, {now['near']} % within 3"
          + ("" if good else f"; the table has {was and was['verdict']}, {was and was['near']}"))
print("ok" if len(made) >= 3 else "not ok", len(made), "frames")
for key, row in checks.items():
    print("ok" if row["verdict"] == "equal" else "not ok", *key, "on RTL and C reference:", row["verdict"])
print("ok" if len(checks) >= 3 else "not ok", len(checks), "on both")
END
"$python" "$t/look.py" "$t/table.csv" "$t/checks.csv" | tee "$t/looked"
! grep -q '^not ok' "$t/looked" || failures=1
exit $failures
