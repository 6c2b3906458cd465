#!/usr/bin/env bash
# test_vulkan.sh - Vulkan programs, which know themselves what must come out: events,
# conditional rendering, vertices of 64 bits, bindings by the hundred and without a table,
# conservative rasterization.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
[ -n "$(ls /usr/lib/*-linux-gnu/libvulkan_intel.so /usr/lib64/libvulkan_intel.so 2>/dev/null)" ] ||
    { echo "1..0 # SKIP no libvulkan_intel.so: apt-get install mesa-vulkan-drivers" && exit 0; }
command -v glslangValidator >"$t/out" ||
    { echo "1..0 # SKIP no glslangValidator: apt-get install glslang-tools" && exit 0; }
for shader in tests/bridge/graphics/shaders/*; do
    glslangValidator -V --quiet --target-env vulkan1.2 -o "$t/$(basename "$shader").spv" "$shader" ||
        { echo "not ok compile $shader" && exit 1; }
done

# run PROGRAM [WORD]: as it knows itself, and recorded; nothing is said
run() {
    local file=$t/$1${2:-}

    build_program "$1" -lvulkan libvulkan-dev
    expect 0 "$*: as the program knows it" "$igpu" gl -o "$file.igf" -- "$t/$1" "$t" ${2:-}
    [ ! -s "$t/err" ]
    report $? "$*: without a word"
    expect 0 "$*: a trace" "$igpu" frame trace -o "$file.pb" "$file.igf"
    expect 0 "$*: runs" "$igpu" ref "$file.pb"
}

run fences
run events
run conditions
run doubles
run bindings many
run bindings bindless
run conservative

expect 1 "an event that nobody sets" "$igpu" gl -o "$t/never.igf" -- "$t/events" "$t" never
says "is named" 'command 0x0e[0-9a-f]* at 0x[0-9a-f]*: not executed: a wait for what nothing before it wrote'
expect 1 "rendered later" "$igpu" frame trace -o "$t/x.pb" "$t/never.igf"
says "it is named, too" 'a wait for what nothing before it wrote'
exit $failures
