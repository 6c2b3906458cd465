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
cat >"$t/child.c" <<'END'
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void end(void)
{
    puts("written at the end");
}
int main(void)
{
    pid_t child;
    atexit(end);
    child = fork();
    if (child == 0) {
        execlp("no-such-program", "no-such-program", (char *)NULL);
        if (system("printf '%s preloaded ' \"$LD_PRELOAD\" >&2; sleep 0.2") == 0)
            fputs("then ", stderr);
        exit(1);
    }
    fputs("the parent\n", stderr);
    return child < 0;
}
END
gcc -std=c11 -o "$t/child" "$t/child.c" && LD_PRELOAD=$t/steady.so "$t/child" 2>"$t/order" | cat >"$t/ends"
[ "$(grep -c 'written at the end' "$t/ends")" = 1 ]
report $? "a child ends without what its parent does at the end"
grep -q '^ preloaded then the parent$' "$t/order"
report $? "a child is not recorded, and is over before its parent goes on"
python=$(.ci/deps.sh python)
"$python" -c 'import numpy, matplotlib' 2>/dev/null || { echo "ok - # SKIP no NumPy, no matplotlib" && exit $failures; }
"$python" -c 'import csv, sys
rows = [list(csv.DictReader(open("traces/frames/" + n))) for n in ("frames.csv", "checks.csv")]
frames = {(r["program"], r["frame"]) for r in rows[0] if r["draws"] and not r["verdict"].startswith("refused")
          and int(r["width"]) * int(r["height"]) <= 640 * 480}
sys.exit(frames != {(r["program"], r["frame"]) for r in rows[1] if r["verdict"] == "equal"})'
report $? "each frame of the table that is not too large was equal on both engines"
expect 1 "a program that is none" "$python" traces/frames/library.py --cache "$t/cache" no-such-program
says "is named" 'no program no-such-program in traces/frames/programs.txt'
sed -i 's/^glxgears glx /glxgears wgl /' "$(cp -r traces/frames "$t/frames" && echo "$t/frames/programs.txt")"
expect 1 "a line that is none" "$python" "$t/frames/library.py" --cache "$t/cache" glxgears
says "is named" 'programs.txt:[0-9]*: expected a new NAME, egl or glx, COMMAND'
sed -i 's/^glxgears wgl /glxgears glx@0 /' "$t/frames/programs.txt"
expect 1 "a first frame that is none" "$python" "$t/frames/library.py" --cache "$t/cache" glxgears
says "is named" 'programs.txt:[0-9]*: expected a new NAME, egl or glx, COMMAND'
[ ! -e "$t/cache" ]
report $? "nothing is begun"
exit $failures
