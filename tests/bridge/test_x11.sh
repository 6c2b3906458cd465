#!/usr/bin/env bash
# test_x11.sh - unmodified GLX and EGL programs with windows by `igpu gl`, in an X server
# without a GPU: what the server shows is what GL reads, and llvmpipe's picture.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
skip() { # skip WHY
    echo "1..0 # SKIP $1"
    exit 0
}
command -v Xvfb >/dev/null || skip "no Xvfb: apt-get install xvfb"
[ -n "$(ls /usr/lib/*-linux-gnu/libGLX_mesa.so.0 /usr/lib64/libGLX_mesa.so.0 2>/dev/null)" ] ||
    skip "no libGLX_mesa.so.0: apt-get install libglx-mesa0"
build_program windows "-lGL -lX11" "libgl-dev libx11-dev"
build_program threads "-lEGL -lGLESv2 -lX11 -pthread" "libegl-dev libgles-dev libx11-dev"
build_program presents "-lxcb -lxcb-dri3 -lxcb-present" "libxcb-dri3-dev libxcb-present-dev"

# ---- without a display ---------------------------------------------------------
expect 3 "a GLX program without a display" "$igpu" gl -o "$t/n.igf" -- "$t/windows" "$t"
says "an X server is suggested" 'in an X server: xvfb-run -a igpu gl'

Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$t/display" 2>"$t/xvfb" &
server=$!
trap 'kill $server; wait $server 2>/dev/null' EXIT
for _ in $(seq 200); do
    [ ! -s "$t/display" ] || break
    kill -0 $server 2>/dev/null || skip "Xvfb does not start: $(head -1 "$t/xvfb")"
    sleep 0.1
done
DISPLAY=:$(cat "$t/display")
export DISPLAY

# ---- GLX -----------------------------------------------------------------------
mkdir "$t/ref" "$t/our"
REFERENCE=1 GALLIUM_OVERRIDE_CPU_CAPS=sse4.1 LIBGL_ALWAYS_SOFTWARE=1 "$t/windows" "$t/ref" >"$t/ref.txt" 2>&1 ||
    skip "llvmpipe does not run: $(head -1 "$t/ref.txt")"
expect 0 "a GLX program" "$igpu" gl -o "$t/w.igf" -- "$t/windows" "$t/our"
[ ! -s "$t/err" ]
report $? "without a word"
cp "$t/out" "$t/windows.out"
grep -q 'HD Graphics 530 (SKL GT2)' "$t/windows.out"
report $? "it sees a Skylake GT2"
grep -E '^(not )?ok ' "$t/windows.out"
grep -q '^not ok' "$t/windows.out" && failures=1
for name in window larger part front-drawn front-of-server front-both pixmap-of-server pixmap-both \
    texture-from-pixmap counter-reached swap-counted smaller; do
    grep -q "^ok $name" "$t/windows.out" || report 1 "$name is checked"
done
# Shown: window, larger, the one of the counters, smaller twice.
grep -q "w.igf: 5 frames" "$t/windows.out"
report $? "swaps are frames"
# llvmpipe keeps no front buffer: that picture the program itself knows.
for name in window larger part pixmap pbuffer smaller; do
    python3 tests/bridge/graphics/near.py "$t/ref/$name.ppm" "$t/our/$name.ppm"
    report $? "$name: llvmpipe's picture"
done
expect 0 "a second run" "$igpu" gl -o "$t/v.igf" -- "$t/windows" "$t/our"
# Not the same file: Mesa gives buffers back after a second by the clock.
for run in w v; do
    "$igpu" frame render --every "$t/$run.csv" -o "$t/$run.png" "$t/$run.igf"
done
cmp "$t/w.csv" "$t/v.csv" && cmp "$t/w.png" "$t/v.png"
report $? "it gives the same frames"
expect 0 "--frames 2" "$igpu" gl --frames 2 -o "$t/c.igf" -- "$t/windows" "$t/our"
grep -q 'c.igf: 2 frames' "$t/out" && ! grep -q part-copied "$t/out"
report $? "it ends the program after frame 2"
expect 0 "capture only" "$igpu" gl --no-execute -o "$t/x.igf" -- "$t/windows" "$t/our"
expect 0 "rendered later" "$igpu" frame render --frame 2 -o "$t/x.png" "$t/x.igf"
expect 0 "a variable for another way is overruled" env LIBGL_DRI3_DISABLE=1 LIBGL_ALWAYS_SOFTWARE=1 \
    "$igpu" gl --frames 1 -o "$t/y.igf" -- "$t/windows" "$t/our"

# ---- EGL, threads, others --------------------------------------------------------
for run in 1 2 3; do
    expect 0 "EGL windows of two threads, run $run" "$igpu" gl -o "$t/t.igf" -- "$t/threads"
    [ "$(grep -c '^ok thread' "$t/out")" = 2 ]
    report $? "each shows its pictures"
done
"$t/presents" >"$t/presents.ref"
expect 1 "a program with Present of its own" "$igpu" gl -o "$t/p.igf" -- "$t/presents"
says "it did not use the GPU" 'did not use the GPU'
cmp "$t/presents.ref" "$t/out"
report $? "the server's answers reach it"
exit $failures
