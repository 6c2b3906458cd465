#!/usr/bin/env bash
# test_frames.sh - the library of frames without its programs: clocks that stand, the list
# of programs, what is told. Making it takes minutes: docs/guide/graphics.md#library.
. tests/support/cli.sh
t=$IGPU_TMP
mkdir -p "$t"
gcc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -o "$t/steady.so" traces/frames/steady*.c -ldl
report $? "steady.c and its parts compile"
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
cat >"$t/other.c" <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void *other(void *hours)
{
    struct timespec from, to, steady;
    (void)hours;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &from);
    usleep(20000);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &to);
    clock_gettime(CLOCK_MONOTONIC, &steady);
    printf("%d %ld ", (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000 >= 20,
           steady.tv_nsec);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, NULL) != 0 || pthread_join(thread, NULL) != 0)
        return 1;
    puts(getpwuid(getuid())->pw_dir);
    return 0;
}
END
gcc -std=c11 -o "$t/other" "$t/other.c" -lpthread && HOME=/nowhere STEADY_ALONE=1 LD_PRELOAD=$t/steady.so "$t/other" >"$t/beside"
grep -q '^1 0 ' "$t/beside"
report $? "another thread's sleep is real, and does not move the clock"
grep -q ' /nowhere$' "$t/beside"
report $? "the user's folder is HOME"
cat >"$t/show.c" <<'END'
void SDL_GL_SwapBuffers(void);
int main(void)
{
    SDL_GL_SwapBuffers();
    return 0;
}
END
printf 'void SDL_GL_SwapBuffers(void);\nvoid SDL_GL_SwapBuffers(void)\n{\n}\n' >"$t/sdl.c"
gcc -shared -fPIC -o "$t/libsdl.so" "$t/sdl.c" &&
    gcc -o "$t/show" "$t/show.c" -L"$t" -lsdl -Wl,-rpath,"$t"
for keys in 2-3:Return 1:; do
    STEADY_KEYS=$keys LD_PRELOAD=$t/steady.so "$t/show" >"$t/keys.$keys" 2>&1
    echo "status $?" >>"$t/keys.$keys"
done 2>"$t/keys.shell"
grep -q '^status 0$' "$t/keys.2-3:Return" && grep -q 'expected FRAMES:KEY,... as STEADY_KEYS at 1:$' "$t/keys.1:"
report $? "keys behind other frames are not pressed; what is no key is told"
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
says "is named" 'programs.txt:[0-9]*: expected a new NAME, egl, glx, vk or d3d, COMMAND'
sed -i 's/^glxgears wgl /glxgears glx@0 /' "$t/frames/programs.txt"
expect 1 "a first frame that is none" "$python" "$t/frames/library.py" --cache "$t/cache" glxgears
says "is named" 'programs.txt:[0-9]*: expected a new NAME, egl, glx, vk or d3d, COMMAND'
[ ! -e "$t/cache" ]
report $? "nothing is begun"
exit $failures
