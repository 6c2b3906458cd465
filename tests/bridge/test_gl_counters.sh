#!/usr/bin/env bash
# test_gl_counters.sh - OA counters in simulated time: the sets of GL_INTEL_performance_query
# and VK_KHR_performance_query, i915-perf's stream, and captures that ask for reports.
# tests/run: timeout=600 slow
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program counted "-I/usr/include/libdrm -lEGL -lGLESv2" "libegl-dev libgles-dev libdrm-dev"

for scene in sets rounds stream; do
    expect 0 "counted $scene" "$igpu" gl --time -o "$t/$scene.igf" -- "$t/counted" $scene
    grep -v igf "$t/out"
    cp "$t/out" "$t/$scene"
done
expect 0 "once more" "$igpu" gl --time -- "$t/counted" rounds
diff <(grep -v igf "$t/rounds") "$t/out"
report $? "tells the same"
expect 0 "a capture that asks for reports is executed" "$igpu" frame render -o "$t/r.png" "$t/rounds.igf"
expect 0 "and has a time" "$igpu" frame time "$t/rounds.igf"

"$igpu" gl -o "$t/n.igf" -- "$t/counted" rounds >"$t/out" 2>&1
[ $? = 3 ] && grep -q 'no set' "$t/out"
report $? "without simulated time there are no sets"
"$igpu" gl --time -d kbl-gt3e -- "$t/counted" rounds >"$t/out" 2>&1
[ $? = 3 ] && grep -q 'no set' "$t/out"
report $? "nor on a GPU whose sets are not known"

if [ -n "$(ls /usr/lib/*-linux-gnu/libvulkan_intel.so /usr/lib64/libvulkan_intel.so 2>/dev/null)" ] &&
    command -v glslangValidator >"$t/out"; then
    glslangValidator -V --quiet --target-env vulkan1.2 -o "$t/rounds.comp.spv" tests/bridge/graphics/shaders/rounds.comp
    build_program measures -lvulkan libvulkan-dev
    expect 0 "Vulkan's performance queries" "$igpu" gl --time -- "$t/measures" "$t"
    cat "$t/out"
else
    echo "not ok Vulkan's performance queries # SKIP apt-get install mesa-vulkan-drivers glslang-tools"
fi
exit $failures
