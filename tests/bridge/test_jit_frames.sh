#!/usr/bin/env bash
# Shaders by the translator (docs/contract/jit.md): pictures, counters and traces of captures are
# the interpreter's.
# tests/run: slow
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
[ -e "$IGPU_BUILD/lib/libigpu_jit.so" ] || { echo "1..0 # SKIP no LLVM 14: nothing is translated" && exit 0; }
export XDG_CACHE_HOME="$t/cache" # nothing is translated yet
mkdir "$XDG_CACHE_HOME"

# Blending, textures and queries; threads that meet at barriers.
for program in scenes compute; do
    build_program "$program"
    mkdir -p "$t/$program.our"
    expect 0 "$program: a capture" env IGPU_JIT=off "$igpu" gl -o "$t/$program.igf" -- "$t/$program" "$t/$program.our"
    for jit in off now; do
        expect 0 "$program, IGPU_JIT=$jit" env IGPU_JIT=$jit IGPU_JIT_STATS="$t/$program.$jit.stats" \
            "$igpu" frame render --counters -o "$t/$jit.png" "$t/$program.igf"
        sed "s/$jit\.png/picture/" "$t/out" >"$t/$jit.counters"
    done
    cmp "$t/off.png" "$t/now.png" && cmp "$t/off.counters" "$t/now.counters"
    report $? "$program: the same picture and counters"
    mv "$t/now.counters" "$t/$program.counters"
    [ ! -e "$t/$program.off.stats" ] && grep -q 'shader: .* instructions generated' "$t/$program.now.stats"
    report $? "$program: by translated shaders"
done
# Pixels and bytes are counted by themselves; a few targets have more than four a pixel.
awk -F, '{ n[$1] = $2 } END { each = n["target_bytes"] / n["pixels_written"]; exit !(each >= 4 && each < 4.1) }' \
    "$t/scenes.counters"
report $? "scenes: as many pixels as bytes were written"
for jit in off now; do
    expect 0 "a trace, IGPU_JIT=$jit" env IGPU_JIT=$jit "$igpu" frame trace -o "$t/$jit.pb" "$t/scenes.igf"
done
cmp "$t/off.pb" "$t/now.pb"
report $? "the same trace"
expect 2 "another IGPU_JIT" env IGPU_JIT=maybe "$igpu" frame render -o "$t/never.png" "$t/scenes.igf"
grep -q 'IGPU_JIT=maybe: expected on, off or now' "$t/err" && [ ! -e "$t/never.png" ]
report $? "is told"
