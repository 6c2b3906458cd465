#!/usr/bin/env bash
# What a change rebuilds: exactly the sources that include the changed file or what is
# generated from it, by the preprocessor's word. `make -n -W FILE` takes FILE for changed.
# tests/run: long
set -u
build=${IGPU_BUILD:?run through tests/run}
out=$(make -n -o FORCE V=1 test-programs 2>/dev/null | grep -e ' -c -o ')
[ -z "$out" ] || { echo "not ok everything is built: make build-tests first" && exit 1; }

# rebuilt FILE: the sources that make would compile again, settings and lists of sources
# (what depends on FORCE) being as they were.
rebuilt() {
    make -n -W "$1" -o FORCE V=1 test-programs 2>/dev/null |
        sed -n "s,.* -o $build/obj/[^ ]*\.o \([^ ]*\.c\)\( 2>.*\)*$,\1,p" | grep -v "^$build/gen/" | sort -u
}

verilator=$(verilator --getenv VERILATOR_ROOT)/include
include=(-Icsim/include -I. -Irtl/include "-I$build/gen" -isystem "$verilator" -isystem "$verilator/vltstd"
    -isystem /usr/include/libdrm)
for dir in "$build"/verilated/*/; do include+=(-isystem "$dir"); done
sources=(csim/*/*.c csim/*/*/*.c traces/*.c traces/*/*.c traces/*/*/*.c bridge/*/*/*.c tests/*/*.c)
shopt -s nullglob
built=()
# shellcheck disable=SC2206 # the patterns again, now without those that match nothing
sources=(${sources[@]})
for source in "${sources[@]}"; do # those of build-tests
    case $source in tests/fuzzing/* | tests/package/*) ;; *) built+=("$source") ;; esac
done
gcc -M -std=c11 -D_POSIX_C_SOURCE=200809L -DIGPU_VERSION='""' "${include[@]}" "${built[@]}" |
    sed ':a; /\\$/ { N; s/\\\n//; ba }' >"$IGPU_TMP/includes"

# check FILE HEADER [SOURCE...]: a change of FILE rebuilds the sources that include HEADER,
# and SOURCE..., for another reason.
check() {
    local file=$1 header=$2
    shift 2
    {
        printf '%s\n' "$@"
        grep -F "$header" "$IGPU_TMP/includes" | sed 's/^[^:]*: *\([^ ]*\).*/\1/'
    } | grep . | sort -u >"$IGPU_TMP/want"
    rebuilt "$file" >"$IGPU_TMP/got"
    if [ -s "$IGPU_TMP/want" ] && diff "$IGPU_TMP/want" "$IGPU_TMP/got" >"$IGPU_TMP/diff"; then
        echo "ok a change of $file rebuilds $(wc -l <"$IGPU_TMP/want") sources and no other"
    else
        sed -n '1,10s/^/# /p' "$IGPU_TMP/diff"
        echo "not ok a change of $file rebuilds the right sources"
    fi
}
check traces/format/igpu_trace.proto "$build/gen/igpu_trace.pb-c.h"
# It is part of the Verilated classes, and so of what names them.
mapfile -t users < <(grep -lE '__Dpi\.h|svdpi\.h|verilated' bridge/engines/rtl/*.c)
check rtl/include/igpu_fpu.vh "$build/gen/igpu_fpu_ops.h" "${users[@]}"
check csim/include/igpu/config.h csim/include/igpu/config.h
