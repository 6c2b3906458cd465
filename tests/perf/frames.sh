#!/usr/bin/env bash
# frames.sh [SCENE...] - user CPU seconds of a frame of glmark2's scenes at 800x600 (build texture
# phong blur terrain): of this pipeline with one host thread, and of llvmpipe without threads.
#
# Rule: a long run less a short one, by the frames between, the least of three each. Ours is
# `igpu frame render` of captures of 3 and 103 frames (13 of those over 100 ms), llvmpipe's glmark2
# itself with 4 and 104: so start, reading the capture and the PNG fall out on the one side,
# start and compiler on the other.
# From the top folder after `make igpu`; IGPU_PROGRAM: another program; WORK: where captures are
# kept. apt-get install glmark2-es2-x11 glmark2-data xvfb xauth gcc time
set -u
work=${WORK:-/tmp/vigpu-frames} igpu=${IGPU_PROGRAM:-$PWD/igpu} runs=3
mkdir -p "$work"
[ -e "$work/steady.so" ] || cc -std=c11 -O1 -shared -fPIC -o "$work/steady.so" traces/frames/steady*.c -ldl || exit 1

scene() {
    case $1 in
    build) echo build:use-vbo=true ;;
    texture) echo texture:texture-filter=nearest ;;
    phong) echo shading:shading=phong ;;
    blur) echo desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4 ;;
    terrain) echo terrain ;;
    *) echo "frames.sh: no scene $1" >&2 && exit 2 ;;
    esac
}
on_screen() { xvfb-run -a -s "-screen 0 1024x768x24" "$@"; }
glmark() { # SCENE FRAMES: a command
    echo "LD_PRELOAD=$work/steady.so:\$LD_PRELOAD exec \$TIMES glmark2-es2 -s 800x600 -b '$1:nframes=$2'"
}
least() { # COMMAND...: its user CPU seconds, as \$TIMES writes them
    for _ in $(seq $runs); do
        TIMES="/usr/bin/time -f %U -o $work/time" "$@" </dev/null >"$work/log" 2>&1
        tail -n 1 "$work/time"
    done | sort -n | head -n 1
}
ours() { IGPU_HOST_THREADS=1 $TIMES "$igpu" frame render -o "$work/picture.png" "$1"; }
theirs() {
    LP_NUM_THREADS=0 LIBGL_ALWAYS_SOFTWARE=1 STEADY_LOOK=1 on_screen sh -c "$(glmark "$@")"
}

echo "| scene | this pipeline, ms | llvmpipe, ms | ratio |"
echo "|---|---|---|---|"
[ $# -gt 0 ] || set -- build texture phong blur terrain
for name in "$@"; do
    text=$(scene "$name") || exit 2
    case $name in blur | terrain) most=13 ;; *) most=103 ;; esac
    for frames in 3 $most; do
        capture=$work/$name.$frames.igf
        [ -s "$capture" ] || STEADY_LOOK=1 on_screen "$igpu" gl --frames $frames -o "$capture" -- \
            sh -c "$(TIMES='' glmark "$text" $((frames + 1)))" </dev/null >"$work/log" 2>&1 || exit 1
    done
    short=$(least ours "$work/$name.3.igf") long=$(least ours "$work/$name.$most.igf")
    begun=$(least theirs "$text" 4) drawn=$(least theirs "$text" 104)
    awk -v n="$name" -v a="$short" -v b="$long" -v c="$begun" -v d="$drawn" -v f=$((most - 3)) 'BEGIN {
        us = (b - a) * 1000 / f; lp = (d - c) * 10
        printf "| `%s` | %.1f | %.1f | %.1f |\n", n, us, lp, us / lp }'
done
