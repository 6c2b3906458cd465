#!/usr/bin/env bash
# lint-libraries can fail: an arrow that the table lacks, one that points up, and a source in
# too low a layer or in none are found and named.
# tests/run: slow
set -u
top=$PWD build=$(realpath "$IGPU_BUILD")
failures=0

# defect WHAT PATTERN COMMAND [TABLE]: after COMMAND in a copy of the tables, the gate says
# PATTERN, or that half of it which reads .ci/libraries.txt or the folders' layers.
defect() {
    local half=${4:-libraries layers}
    rm -rf "$IGPU_TMP/tree" && mkdir -p "$IGPU_TMP"/tree/{csim,.ci} && cp .ci/libraries.txt "$IGPU_TMP/tree/.ci"
    cp -r csim/emu "$IGPU_TMP/tree/csim"
    output=$(cd "$IGPU_TMP/tree" && eval "$3" && PYTHONDONTWRITEBYTECODE=1 &&
        for table in $half; do
            case $table in libraries) python3 "$top/tests/lint/libraries.py" "$build/lib" ;; *)
                python3 "$top/tests/lint/layers.py" "$build/obj" ;; esac || exit 1
        done)
    if grep -qE -e "$2" <<<"$output"; then
        echo "ok $1"
    else
        echo "not ok $1: expected $2, got: $output"
        failures=1
    fi
}

defect "silent as it is" '^$' true
defect "an arrow that is not in the table" \
    'libigpu-emu.a needs libigpu-isa.a, which .ci' \
    "sed -i 's/csim.emu tex,fpu,isa,util/csim\/emu tex,fpu,util/' .ci/libraries.txt" libraries
defect "an arrow that points up" 'util uses stats, which is not above it' \
    "sed -i 's/csim.util:/csim\/util stats:/' .ci/libraries.txt" libraries
defect "a source in too low a layer" 'emu_mem .* uses emu_error .*, a layer above' \
    "sed -i 's/^stop  *emu_error/stop/; s/^images  */&emu_error /' csim/emu/layers.txt" layers
defect "a source in no layer" 'csim/emu/emu_mem: in no layer' \
    "sed -i 's/ emu_mem:/:/' csim/emu/layers.txt" layers
defect "a layer of a source that is gone" 'emu_none: no such source' \
    "sed -i 's/ emu_mem:/ emu_mem emu_none:/' csim/emu/layers.txt" layers
defect "a pattern that no source has" 'csim/emu/layers.txt: none_\*: no such source' \
    "sed -i 's/ emu_mem:/ emu_mem none_*:/' csim/emu/layers.txt" layers
defect "a pattern's source in too low a layer" 'emu_error uses|emu_mem .* uses emu_error .*, a layer above' \
    "sed -i 's/^stop  *emu_error/stop/; s/^images  */&emu_err* /' csim/emu/layers.txt" layers
defect "many sources without layers" 'csim/emu: more than 15 sources, and no layers.txt' \
    "rm csim/emu/layers.txt" layers
exit $failures
