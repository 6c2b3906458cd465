#!/usr/bin/env bash
# test_frames.sh - the library of frames without its programs: clocks that stand, the list
# of programs, what is told. Making it takes minutes: docs/graphics.md#library.
. tests/support/cli.sh
t=$IGPU_TMP
mkdir -p "$t"
gcc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -o "$t/steady.so" traces/frames/steady.c -ldl
report $? "steady.c compiles"
for i in 1 2; do
    # shellcheck disable=SC2016 # for the inner shell
    LD_PRELOAD=$t/steady.so setarch -R sh -c 'date +%s.%N; sleep 5; date +%s.%N; exec sh -c "echo \$\$"' >"$t/clock.$i"
done
grep -q '^1000000000\.0' "$t/clock.1" && cmp "$t/clock.1" "$t/clock.2"
report $? "clocks begin at the same moment"
python=$(.ci/deps.sh python)
"$python" -c 'import numpy, matplotlib' 2>/dev/null || { echo "ok - # SKIP no NumPy, no matplotlib" && exit $failures; }
expect 1 "a program that is none" "$python" traces/frames/library.py --cache "$t/cache" no-such-program
says "is named" 'no program no-such-program in traces/frames/programs.txt'
sed -i 's/^glxgears glx /glxgears wgl /' "$(cp -r traces/frames "$t/frames" && echo "$t/frames/programs.txt")"
expect 1 "a line that is none" "$python" "$t/frames/library.py" --cache "$t/cache" glxgears
says "is named" 'programs.txt:[0-9]*: expected a new NAME, egl or glx, COMMAND'
[ ! -e "$t/cache" ]
report $? "nothing is begun"
exit $failures
