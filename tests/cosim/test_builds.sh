#!/bin/sh
# Another compiler and another optimisation level give byte-identical results (outside
# `host`), on samples: the C reference of clang -O0 against the default build, gcc -O2.
# With IGPU_LONG both engines of gcc and clang at -O0 and -O2, the RTL on one and on two
# host threads.
# tests/run: timeout=1800 slow
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

# One other build: the reference, and the RTL on one and on two host threads.
whole() { # whole DIRECTORY SETTINGS...
    dir=$1
    shift
    build "$dir" verilate "$@"
    other=$IGPU_BUILD/$dir/bin/Vigpu
    compare "reference, $dir" "$vigpu --engine ref" "$other --engine ref"
    compare "RTL, $dir" "$vigpu" "$other"
    compare "RTL on two threads, $dir" "$vigpu" "$other --threads 2"
}

if [ -n "${IGPU_LONG:-}" ]; then
    compare "RTL on two threads" "$vigpu" "$vigpu --threads 2"
    whole gcc-O0 OPT=-O0 VOPT=-O0
    whole clang-O0 CC=clang CXX=clang++ OPT=-O0 VOPT=-O0
    whole clang-O2 CC=clang CXX=clang++ OPT=-O2
fi
exit $failures
