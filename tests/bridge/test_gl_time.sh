#!/usr/bin/env bash
# test_gl_time.sh - simulated time for GL and Vulkan: the program's own timer queries tell
# what the cycle model says, and so does the list of launches.
# tests/run: timeout=600
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program clocks

expect 0 "GL: timer queries tell simulated time" "$igpu" gl --time --csv "$t/l.csv" -- "$t/clocks"
cat "$t/out"
grep -qE '^simulated: [0-9]+ launches, [0-9]+ cycles' "$t/out"
report $? "what all took is told"
head -1 "$t/l.csv" | grep -qx 'launch,batch,kind,threads,instructions,cycles,start_ns'
report $? "the list has its columns"
awk -F, 'NR > 1 { bad += $7 < before || $6 == 0; before = $7; n++; all += $6 }
    END { getline line < "'"$t/out"'"; while (line !~ /^simulated/) getline line < "'"$t/out"'"
          split(line, w, " "); exit !(n > 0 && bad == 0 && w[2] == n && w[4] == all) }' "$t/l.csv"
report $? "its launches follow each other, and their sum is what all took"
cp "$t/out" "$t/first"
expect 0 "a second run" "$igpu" gl --time -o "$t/c.igf" -- "$t/clocks"
diff <(grep -v igf "$t/first") <(grep -v igf "$t/out")
report $? "tells the same, captured too"
expect 0 "the capture's frame has a time" "$igpu" frame time --csv "$t/c.igf"
expect 0 "a slower clock" "$igpu" gl --time -s gpu.clock_hz=575000000 -- "$t/clocks"
awk '/^2000 rounds/ { t = $3 } END { print t }' "$t/first" "$t/out" >"$t/slow"
[ "$(awk '/^2000 rounds/ { t = $3 } END { print t }' "$t/out")" -gt $((19 * $(awk '/^2000 rounds/ { t = $3 } END { print t }' "$t/first") / 10)) ]
report $? "takes nearly twice as long"

mkdir -p "$t/wine"
build_program raw_clocks -ldl
gcc -std=c11 -O1 -shared -fPIC -DLIBRARY -o "$t/wine/looks.so" tests/bridge/graphics/raw_clocks.c
expect 0 "the host's clock" "$igpu" gl --time -- "$t/raw_clocks" "$t/wine/looks.so"
grep ok "$t/out"

expect 2 "--csv without --time" "$igpu" gl --csv "$t/x" -o "$t/x.igf" -- true
expect 2 "-s without --time" "$igpu" gl -s eu.threads=4 -o "$t/x.igf" -- true
expect 2 "an unknown setting" "$igpu" gl --time -s no.such=4 -- true
says "it is named" no.such
expect 2 "--time without execution" "$igpu" gl --time --no-execute -o "$t/x.igf" -- true
expect 2 "a list in no folder" "$igpu" gl --time --csv "$t/none/x" -- true

if [ -n "$(ls /usr/lib/*-linux-gnu/libvulkan_intel.so /usr/lib64/libvulkan_intel.so 2>/dev/null)" ] &&
    command -v glslangValidator >"$t/out"; then
    glslangValidator -V --quiet --target-env vulkan1.2 -o "$t/rounds.comp.spv" tests/bridge/graphics/shaders/rounds.comp
    build_program stamps -lvulkan libvulkan-dev
    expect 0 "Vulkan: timestamps tell simulated time" "$igpu" gl --time -- "$t/stamps" "$t"
    cat "$t/out"
else
    echo "not ok Vulkan: timestamps # SKIP apt-get install mesa-vulkan-drivers glslang-tools"
fi
exit $failures
