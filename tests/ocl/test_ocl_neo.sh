#!/usr/bin/env bash
# igpu run --driver neo: Intel's own driver of OpenCL and Level Zero on our render node. Our
# tests of OpenCL run on it, but for what neo/differences.txt says, case by case: a sixth by the
# commit, with --long all.
# tests/run: timeout=900 slow
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
out=""

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && sed 's/^/# /' <<<"$out"; fi
}

# ---- the command -------------------------------------------------------------
out=$("$igpu" run --driver iris true 2>&1)
[ "$?" = 2 ] && grep -q 'expected neo' <<<"$out"
check "another driver is refused"
out=$("$igpu" run --driver neo --one true 2>&1)
[ "$?" = 2 ] && grep -q -- '--one: has no meaning' <<<"$out"
check "an option of our driver is refused"
out=$("$igpu" run --driver neo -d cfl-gt2 true 2>&1)
[ "$?" = 2 ] && grep -q 'expected skl or kbl' <<<"$out"
check "a device that the node has not is refused"
out=$("$igpu" run --driver neo sh -c 'exit 7' 2>&1)
[ "$?" = 7 ]
check "the exit status is the program's"
program=$build/tests/ocl/test_ocl_compute
out=$(IGPU_TEST_ONLY=a_kernel_adds_vectors "$igpu" run --driver neo -o "$tmp/a.igf" "$program" 2>&1) &&
    out=$("$igpu" frame verify "$tmp/a.igf" 2>&1) && out=$("$igpu" frame time --csv "$tmp/a.igf" 2>&1) &&
    [ "$(wc -l <<<"$out")" -ge 2 ]
check "-o: a capture, which has cycles"

# ---- our tests of OpenCL -----------------------------------------------------
digit=${IGPU_COMMIT:-0}
met=$((0x${digit:0:1} % 6))
for source in tests/ocl/test_ocl_{blocks,calls,compute,errors,image,info,memory,pipe,program,queue,range,subgroup,time,usm}.c; do
    name=$(basename "$source" .c)
    for case in $(grep -oP 'cmocka_unit_test\(\K\w+' "$source"); do
        grep -q "^${name#test_ocl_} $case " tests/ocl/neo/differences.txt && continue
        ((met++ % 6)) && [ -z "${IGPU_LONG-}" ] && continue
        out=$(IGPU_TEST_ONLY=$case timeout 60 "$igpu" run --driver neo "$build/tests/ocl/$name" 2>&1) &&
            grep -qE "(OK \]|ok [0-9]+ -) $case\$" <<<"$out"
        check "${name#test_ocl_}: $case"
    done
done
while read -r name case _; do
    out="$name $case"
    grep -q "cmocka_unit_test($case)" "tests/ocl/test_ocl_$name.c" || break
done < <(grep -v '^#' tests/ocl/neo/differences.txt)
check "differences.txt: each case is there"

out=$("${CC:-gcc}" -o "$tmp/refused" tests/ocl/neo/refused.c -lOpenCL 2>&1)
check "a program whose launch is refused"
timeout 60 "$igpu" run --driver neo "$tmp/refused" 2>"$tmp/err"
out=$(cat "$tmp/err")
check "it ends well"
[ "$(grep -c 'igpu run: batch [0-9]*: .*; its driver is told' "$tmp/err")" = 1 ]
check "one line tells of it"

for case in queue:profiling_times_ascend compute:groups_wait_for_each_other range:every_group_runs_once; do
    out=$(IGPU_TEST_ONLY=${case#*:} timeout 60 "$igpu" run --driver neo --time --csv "$tmp/l.csv" \
        "$build/tests/ocl/test_ocl_${case%:*}" 2>&1) && out=$(cat "$tmp/l.csv" && echo "$out") &&
        awk -F, 'NR > 1 { bad += $7 < before || $6 == 0; before = $7 } END { exit NR < 2 || bad }' "$tmp/l.csv"
    check "--time: ${case#*:}"
done
out=$("$igpu" run --driver neo --csv "$tmp/l.csv" true 2>&1)
[ "$?" = 2 ] && grep -q 'without --time' <<<"$out"
check "--csv without --time is refused"

# ---- Level Zero --------------------------------------------------------------
cat >"$tmp/k.cl" <<'C'
kernel void add(global const int *a, global const int *b, global int *c)
{ int i = get_global_id(0); c[i] = a[i] + b[i]; }
kernel void spin(global int *a, int n)
{ int v = a[0]; for (int i = 0; i < n; i++) v = v * 3 + i; a[0] = v; }
C
if out=$("${CC:-gcc}" -o "$tmp/zello" tests/ocl/neo/level_zero.c -lze_loader 2>&1); then
    out=$(cd "$tmp" && ocloc compile -file k.cl -device skl -spv_only -output k -output_no_suffix 2>&1) &&
        [ -s "$tmp/k.spv" ]
    check "kernels in SPIR-V"
    "$igpu" run --driver neo "$tmp/zello" "$tmp/k.spv"
    check "Level Zero: the program ends well"
    "$igpu" run --driver neo --time "$tmp/zello" "$tmp/k.spv" time
    check "Level Zero: events tell simulated time"
else
    echo "not ok Level Zero: a program # SKIP libze-dev is not installed"
fi
