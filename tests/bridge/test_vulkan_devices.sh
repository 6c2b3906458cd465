#!/usr/bin/env bash
# test_vulkan_devices.sh - a Vulkan program by `igpu gl`: one that loads Vulkan at run time, many
# devices, and a picture that the program itself knows.
. tests/support/cli.sh
t=$IGPU_TMP
mkdir -p "$t"
unset DISPLAY WAYLAND_DISPLAY
skip() { echo "1..0 # SKIP $1" && exit 0; }
icd=$(ls /usr/share/vulkan/icd.d/intel_icd.*.json 2>/dev/null | head -1)
[ -n "$icd" ] || skip "no Vulkan driver: apt-get install mesa-vulkan-drivers"
command -v glslangValidator >"$t/which" || skip "no glslangValidator: apt-get install glslang-tools"
gcc -std=c11 -D_POSIX_C_SOURCE=200809L -o "$t/vulkan" tests/bridge/graphics/vulkan.c -ldl 2>"$t/cc" ||
    skip "$(head -1 "$t/cc"): apt-get install libvulkan-dev"
cat >"$t/clip.vert" <<'END'
#version 450
void main() {
    vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    gl_Position = vec4(p, 0.5, 1.0);
    gl_ClipDistance[0] = p.x;
}
END
cat >"$t/green.frag" <<'END'
#version 450
layout(location = 0) out vec4 o;
void main() { o = vec4(0, 1, 0, 1); }
END
for shader in clip.vert green.frag; do
    glslangValidator -V -o "$t/$shader.spv" "$t/$shader" >"$t/glslang" || skip "$(head -1 "$t/glslang")"
done

export VK_ICD_FILENAMES=$icd
expect 0 "a program that loads Vulkan itself, 40 devices, clip distances" \
    "$igpu" gl -o "$t/v.igf" -- "$t/vulkan" "$t/clip.vert.spv" "$t/green.frag.spv"
[ ! -s "$t/err" ]
report $? "without a word"
grep -q '^0 pixels wrong' "$t/out"
report $? "the last one's picture is right"
expect 0 "the capture rendered later" "$igpu" frame render -o "$t/v.png" "$t/v.igf"
exit $failures
