#!/usr/bin/env bash
# tests/run itself, on a small suite: what passes, fails, is skipped or takes too long is
# counted as such.
set -u
top=${IGPU_TMP:?run through tests/run}/top
mkdir -p "$top/tests/x" "$top/tests/support"
cp tests/run "$top/tests"
cp tests/support/rtl_passed.py "$top/tests/support"
printf 'list-lint:\n\t@:\n' >"$top/Makefile"
script() { printf '#!/bin/sh\n%s\n' "$2" >"$top/tests/x/test_$1.sh"; }

check() { # check NAME: the last command's verdict
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out" | sed 's/^/# /'; fi
}
suite() {
    out=$(cd "$top" && BUILD=build python3 tests/run "$@" 2>&1)
    code=$?
}
last() { [ "$(tail -n 1 <<<"$out")" = "$1" ] && [ "$code" = "$2" ]; }

script good 'echo "ok one"; echo "ok 2 - two"'
suite && last "2 passed, 0 failed" 0
check "results are counted"
script skip 'echo "1..0 # SKIP no such machine"'
script cmocka 'echo "1..2"; echo "not ok 1 # SKIP a case"; echo "ok 2 - b"'
suite && last "3 passed, 0 failed, 2 skipped" 0 && grep -q "skip .*no such machine" <<<"$out"
check "skips are counted apart, with their reason, cmocka's too"
script builds '# tests''/run: builds
[ "${1-}" = build ] && echo build >>"$IGPU_BUILD/did" && exit
echo run >>"$IGPU_BUILD/did"; echo "ok it ran"'
suite --build && [ "$out" = "" ] && [ "$(cat "$top/build/did")" = build ]
check "--build compiles what a test says that it compiles, and runs nothing"
rm "$top/tests/x/test_builds.sh"
script bad 'echo "ok one"; echo "not ok two"'
suite
last "4 passed, 1 failed, 2 skipped" 1
check "a failure is one, and the exit code says so"
script exit 'exit 3'
suite x/test_exit
last "0 passed, 1 failed" 1 && grep -q 'failed: exit code 3' <<<"$out"
check "a script without results passes or fails by its exit code"
script dead 'echo "ok one"; kill -SEGV $$'
suite x/test_dead
last "1 passed, 1 failed" 1 && grep -q 'killed by SIGSEGV' <<<"$out"
check "a crash after the last result fails"
script slow '# tests''/run: timeout=1
sleep 60'
suite x/test_slow
last "0 passed, 1 failed" 1 && grep -q 'over its time limit of 1 s' <<<"$out"
check "a test over its time limit fails"
script skipdead 'echo "ok one # SKIP no"; exit 1'
suite x/test_skipdead
last "0 passed, 1 failed, 1 skipped" 1
check "a skip does not hide a failure"
# The longest first by the last run's times, slow ones left out of --quick.
rm -f "$top"/tests/x/*
for name in a b c; do script $name "echo ok $name"; done
sed -i '1a # tests''/run: slow' "$top/tests/x/test_c.sh"
mkdir -p "$top/build/tests" && printf '1.0 x/test_a\n5.0 x/test_b\n3.0 x/test_c\n' >"$top/build/tests/times"
suite -j1
[ "$(grep -o 'x/test_.' <<<"$out" | tr '\n' ' ')" = "x/test_b x/test_c x/test_a " ] && [ "$(wc -l <"$top/build/tests/times")" = 3 ]
check "the longest test runs first"
suite --quick && last "2 passed, 0 failed" 0 && ! grep -q test_c <<<"$out"
check "--quick leaves out what is slow"
# Each ends when it has seen the other: one alone would be over its time limit.
meet='touch %s; until [ -e %s ]; do sleep 0.05; done; echo ok'
rm -f "$top"/tests/x/*
# shellcheck disable=SC2059 # the format is above
script a "# tests""/run: timeout=20 idle
$(printf "$meet" "$top/a.here" "$top/b.here")" && script b "# tests""/run: timeout=20
$(printf "$meet" "$top/b.here" "$top/a.here")"
suite -j1 && last "2 passed, 0 failed" 0
check "an idle test runs beside the others"
echo "nonsense" >"$top/build/tests/times"
suite && last "2 passed, 0 failed" 0
check "a damaged file of times does no harm"

# Commits take turns.
rm -f "$top"/tests/x/*
for name in a b c d; do script $name "echo ok $name"; done
for name in a.0of2 b.1of2 c.2of3; do sed -i "1a # tests""/run: turn=${name#*.}" "$top/tests/x/test_${name%.*}.sh"; done
stub=$top/stub && mkdir -p "$stub"
ran() { # ran DIGIT ARGUMENTS...: the tests of a commit with that first digit
    printf '#!/bin/sh\necho %sabc\n' "$1" >"$stub/git" && chmod +x "$stub/git"
    shift
    out=$(cd "$top" && PATH=$stub:$PATH BUILD=build python3 tests/run "$@" 2>&1)
    grep -o '^pass  x/test_.' <<<"$out" | sort | cut -d_ -f2 | tr -d '\n'
}
[ "$(ran 0) $(ran 1) $(ran 2) $(ran 5) $(ran f)" = "ad bd acd bcd bd" ]
check "a test runs in the commits of its turn"
[ "$(ran 0 --long) $(ran 0 x/test_b) $(ran 0 --quick)" = "abcd b ad" ]
check "all with --long, and what is named"
# A check of the RTL's text that passed with this text is left out, but for its turn.
rm -f "$top"/tests/x/*
mkdir -p "$top/tests/formal" "$top/rtl" "$top/bin"
printf '#!/bin/sh\necho tool 1\n' >"$top/bin/yosys" && chmod +x "$top/bin/yosys"
PATH=$top/bin:$PATH
echo 'module igpu_one; endmodule' >"$top/rtl/igpu_one.v"
printf '#!/bin/sh\necho ok\n' | tee "$top/tests/x/test_other.sh" >"$top/tests/formal/test_proofs.sh"
keep() { (cd "$top" && BUILD=build python3 tests/support/rtl_passed.py --write >/dev/null); }
commits() { # commits: which checks run in commits of each first digit
    (cd "$top" && python3 - <<'END'
import sys
sys.path.insert(0, "tests/support")
import rtl_passed
print(*sorted(f"{turn:x}" for turn in range(16) if "formal/test_proofs" not in rtl_passed.passed(f"{turn:x}0")))
END
    )
}
keep && [ "$(commits)" = e ] && out=$(git -C "$top" init -q 2>&1) && suite &&
    grep -q '^1 check.* left out' <<<"$out" && last "1 passed, 0 failed" 0 && ! grep -q test_proofs <<<"$out"
check "what passed with this text of the RTL runs in one commit of sixteen"
suite formal/test_proofs && last "1 passed, 0 failed" 0 && grep -q test_proofs <<<"$out"
check "and where its name is given"
suite --long && last "2 passed, 0 failed" 0
check "and with --long"
script bad 'echo "not ok a check"' && mv "$top/tests/x/test_bad.sh" "$top/tests/formal/test_eu_steps.sh"
echo kept >"$top/kept" && cp "$top/kept" "$top/tests/rtl_passed.txt"
! keep 2>/dev/null && cmp -s "$top/kept" "$top/tests/rtl_passed.txt"
check "what fails is not kept as passed"
rm "$top/tests/formal/test_eu_steps.sh"
every="0 1 2 3 4 5 6 7 8 9 a b c d e f"
echo 'module igpu_one(input wire a_i); endmodule' >"$top/rtl/igpu_one.v"
[ "$(commits)" = "$every" ] && suite && last "2 passed, 0 failed" 0 &&
    grep -q "is not what tests/rtl_passed.txt has; .* --write" <<<"$out"
check "with another text it runs, and how that is kept is told"
keep && [ "$(commits)" = e ] && echo >"$top/tests/formal/igpu_new.v" && [ "$(commits)" = "$every" ]
check "with one more file beside it"
keep && sed -i 's/echo ok/echo "ok"/' "$top/tests/formal/test_proofs.sh" && [ "$(commits)" = "$every" ]
check "when it is another itself"
keep && sed -i 's/tool 1/tool 2/' "$top/bin/yosys" && [ "$(commits)" = "$every" ]
check "with another version of its tool"
keep && rm "$top/bin/yosys" && [ "$(commits)" = "$every" ]
check "without that tool"
echo "nonsense" >"$top/tests/rtl_passed.txt" && [ "$(commits)" = "$every" ] &&
    rm "$top/tests/rtl_passed.txt" && [ "$(commits)" = "$every" ]
check "where the list is damaged, or is not there"
