#!/bin/sh
# Another compiler and another optimisation level give byte-identical results: clang -O0
# against the default build, on samples with the C reference (outside `host`). With
# IGPU_LONG also the RTL, and gcc -O0.
# tests/run: timeout=900
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

strip_host() {
    python3 -c '
import json, sys
d = json.load(sys.stdin)
for key in ("host", "engine", "version"):
    d.pop(key)
json.dump(d, sys.stdout, indent=1)'
}

compare() { # compare WHAT PROGRAM_A PROGRAM_B
    for name in mad_sp reduce_u32 histogram_local divergent chase_n stencil; do
        t=traces/samples/$name.pb
        # shellcheck disable=SC2086
        $2 --quiet --json - $t | strip_host >"$IGPU_TMP/a.json" &&
            $3 --quiet --json - $t | strip_host >"$IGPU_TMP/b.json" &&
            cmp -s "$IGPU_TMP/a.json" "$IGPU_TMP/b.json"
        report $? "$name: $1"
    done
}

build() { # build DIRECTORY TARGET SETTINGS...
    dir=$1 target=$2
    shift 2
    make -j2 "$target" BUILD="$IGPU_BUILD/$dir" "$@" >"$IGPU_TMP/build.log" 2>&1 || {
        tail -5 "$IGPU_TMP/build.log"
        report 1 "build $dir"
    }
}

build clang-O0 igpu CC=clang CXX=clang++ OPT=-O0
compare "clang -O0 against gcc -O2" "$igpu ref" "$IGPU_BUILD/clang-O0/bin/igpu ref"
if [ -n "${IGPU_LONG:-}" ]; then
    build gcc-O0 igpu OPT=-O0
    compare "gcc -O0 against gcc -O2" "$igpu ref" "$IGPU_BUILD/gcc-O0/bin/igpu ref"
    build clang-rtl verilate CC=clang CXX=clang++ OPT=-O0 VOPT=-O0
    compare "RTL, clang -O0 against gcc" "$vigpu" "$IGPU_BUILD/clang-rtl/bin/Vigpu"
fi
exit $failures
