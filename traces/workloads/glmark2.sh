#!/usr/bin/env bash
# glmark2.sh [--table] DIR [NAME...] - glmark2's own 33 scenes at 800x600, or those named: a
# frame of each as DIR/glmark2-NAME.pb. What is recorded is kept. --table: all of them in a
# table of Markdown, on skl-gt2, behind it. From the top folder, after `make igpu`.
#
# apt-get install glmark2-es2-x11 glmark2-data xvfb xauth gcc
set -u
igpu=$PWD/igpu
table=false
[ "${1:-}" = --table ] && table=true && shift
[ $# -ge 1 ] || { echo "glmark2.sh: expected the folder of the traces" >&2; exit 2; }
mkdir -p "$1" || exit 1
folder=$(realpath "$1") && shift
for tool in glmark2-es2 xvfb-run cc; do
    command -v "$tool" >/dev/null || { echo "glmark2.sh: no $tool, left out" >&2; exit 1; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# NAME SCENE FRAME MICROSECONDS PUBLISHED: which frame; of each look at the clock, by which
# scenes move and which a preloaded library makes the same each time; frames a second that
# were published for an HD 530 (0: none), see bridge/programs/bench/measured.def.
scenes() {
    local columns="buffer:columns=200:update-dispersion=0.9:update-fraction=0.5"

    cat <<END
build-arrays build:use-vbo=false 3 1 0
build build:use-vbo=true 3 1 3179
texture-nearest texture:texture-filter=nearest 3 1 0
texture-linear texture:texture-filter=linear 3 1 0
texture-mipmap texture:texture-filter=mipmap 3 1 0
gouraud shading:shading=gouraud 3 1 0
blinn shading:shading=blinn-phong-inf 3 1 0
phong shading:shading=phong 3 1 0
cel shading:shading=cel 3 1 0
bump bump:bump-render=high-poly 3 1 1962
bump-normals bump:bump-render=normals 3 1 0
bump-height bump:bump-render=height 3 1 0
effect2d effect2d:kernel=0,1,0;1,-4,1;0,1,0; 3 1 1917
effect2d-5x3 effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1; 3 1 0
pulsar pulsar:light=false:quads=5:texture=false 3 1 0
desktop-blur desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4 3 1 0
desktop desktop:effect=shadow:windows=4 3 1 1644
buffer-map $columns:interleave=false:update-method=map 3 1 0
buffer-subdata $columns:interleave=false:update-method=subdata 3 1 0
buffer-interleave $columns:interleave=true:update-method=map 3 1 0
ideas ideas:speed=duration 29 60000 2390
jellyfish jellyfish 3 1 0
terrain terrain 3 1 240
shadow shadow 3 1 1826
refract refract 3 1 0
conditionals conditionals:fragment-steps=0:vertex-steps=0 3 1 0
conditionals-f5 conditionals:fragment-steps=5:vertex-steps=0 3 1 0
conditionals-v5 conditionals:fragment-steps=0:vertex-steps=5 3 1 0
function-low function:fragment-complexity=low:fragment-steps=5 3 1 0
function-medium function:fragment-complexity=medium:fragment-steps=5 3 1 0
loop loop:fragment-loop=false:fragment-steps=5:vertex-steps=5 3 1 0
loop-f5 loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5 3 1 0
loop-uniform loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5 3 1 0
END
}
# Of ideas' 10 s the moment that takes nearest to what the whole takes on average.

cc -std=c11 -O1 -shared -fPIC -o "$work/steady.so" traces/frames/steady*.c -ldl || exit 1
record() { # NAME SCENE FRAME MICROSECONDS
    # shellcheck disable=SC2016
    xvfb-run -a -s "-screen 0 1024x768x24" "$igpu" gl --frames "$3" -o "$work/all.igf" -- \
        env STEADY_LOOK="$4" sh -c 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"' "$work/steady.so" \
        glmark2-es2 -s 800x600 -b "$2:nframes=$(($3 + 1))" </dev/null >"$work/log" 2>&1
    "$igpu" frame cut -o "$work/frame.igf" "$work/all.igf" >>"$work/log" 2>&1 &&
        "$igpu" frame trace -o "$work/frame.pb" "$work/frame.igf" >>"$work/log" 2>&1
    if [ -s "$work/frame.pb" ]; then
        mv "$work/frame.pb" "$folder/glmark2-$1.pb"
    else
        echo "glmark2.sh: $1 gave no trace: $(tail -n 1 "$work/log")" >&2
        return 1
    fi
}

status=0
while read -r name scene frame look published; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    trace=$folder/glmark2-$name.pb
    [ -s "$trace" ] || record "$name" "$scene" "$frame" "$look" || { status=1; continue; }
    $table || continue
    cycles=$("$igpu" ref --quiet --csv - "$trace" | awk -F, '$1 == "total" { print $2 }')
    [ -n "$cycles" ] || { status=1; continue; }
    echo "$name $scene $cycles $published" >>"$work/rows"
done < <(scenes)
# Beside the frame itself a real one has a copy to the window, the compositor and the CPU:
# what `build` was measured to take above the model's time, as in `igpu bench measured`.
if $table; then
    awk '{ ms = $3 / 1150000 } $1 == "build" && $4 > 0 { base = 1000 / $4 - ms }
        { name[NR] = $2; cycles[NR] = $3; time[NR] = ms; real[NR] = $4 }
        END { print "| scene | cycles | ms | frames/s | with the rest | published |"
            print "|---|---|---|---|---|---|"
            for (i = 1; i <= NR; i++)
                printf "| %s | %d | %.3f | %.0f | %.0f | %s |\n", name[i], cycles[i], time[i],
                    1 / time[i] * 1000, 1000 / (time[i] + base), real[i] ? real[i] : "" }' "$work/rows"
fi
exit $status
