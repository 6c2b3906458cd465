#!/bin/sh
# Another compiler and another optimisation level give byte-identical results (outside
# `host`), on samples: both engines of gcc and clang at -O0 and -O2, the RTL on one and on
# two host threads, against the default build. The C reference of the sanitized build,
# clang -O1 and -O0, is compared in every run: tests/bridge/test_sanitized.sh.
# tests/run: timeout=1800 long
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"

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

compare "RTL on two threads" "$vigpu" "$vigpu --threads 2"
whole gcc-O0 OPT=-O0 VOPT=-O0
whole clang-O0 CC=clang CXX=clang++ OPT=-O0 VOPT=-O0
whole clang-O2 CC=clang CXX=clang++ OPT=-O2
exit $failures
