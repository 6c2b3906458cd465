#!/usr/bin/env bash
# The programs as built: what they link to, that nothing is built twice, and what
# `make install` leaves.
# tests/run: alone timeout=600
set -u
out=""
build=${IGPU_BUILD:?run through tests/run}

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}

[ -x "$build/bin/Vigpu" ] && out=$(ldd "$build/bin/Vigpu" 2>&1) && ! grep -qE 'elf|iga64|igc|ocloc' <<<"$out"
check "Vigpu needs neither libelf nor Intel's compiler"
[ -x "$build/bin/igpu" ] && out=$(ldd "$build/bin/igpu" 2>&1) && ! grep -q 'not found' <<<"$out"
check "igpu finds its libraries"

out=$(make build-tests 2>&1)
[ "$?" = 0 ] && [ -z "$(grep -v 'Nothing to be done' <<<"$out")" ]
check "nothing is rebuilt when nothing changed"

out=$(make install DESTDIR="$IGPU_TMP" PREFIX=/opt/vigpu 2>&1) &&
    [ -x "$IGPU_TMP/opt/vigpu/bin/Vigpu" ] && [ -x "$IGPU_TMP/opt/vigpu/bin/igpu" ] &&
    [ -f "$IGPU_TMP/opt/vigpu/include/igpu/config.h" ]
check "make install PREFIX= copies programs and headers"
small=$IGPU_TMP/small
out=$(make install-igpu PREFIX="$small" ICDDIR= 2>&1) && [ ! -e "$small/bin/Vigpu" ] &&
    [ ! -e "$small/etc" ] && out=$(make -n install-igpu PREFIX="$small" 2>&1) &&
    ! grep -qE 'verilator --|bin/Vigpu' <<<"$out"
check "make install-igpu needs no Verilator, and with ICDDIR= leaves the loader's list alone"
out=$("$small/bin/igpu" run -- "$build/tests/ocl/test_ocl_compute" 2>&1) &&
    [ -x "$small/lib/igpu_ocloc" ]
check "the installed igpu run finds its driver"
out=""
for option in $("$build/bin/igpu" record --help | grep -o -- ' --[a-z-]*' | sort -u) --json; do
    cat "$IGPU_TMP"/opt/vigpu/share/man/man1/{Vigpu,igpu-record}.1 | tr -d '\\' |
        grep -q -- "$option" || out+="$option is in no manual page "
done
[ -z "$out" ] && grep -q '^.SH SYNOPSIS' "$IGPU_TMP/opt/vigpu/share/man/man1/igpu-record.1"
check "make install copies manual pages with every option of --help"
[ -f "$IGPU_TMP/opt/vigpu/lib/libigpu_ocl.so" ] &&
    out=$(cat "$IGPU_TMP/opt/vigpu/etc/OpenCL/vendors/vigpu.icd") &&
    [ "$out" = /opt/vigpu/lib/libigpu_ocl.so ]
check "make install copies the OpenCL driver and tells its place"
out=$(nm -D --defined-only "$build/lib/libigpu_ocl.so" | awk '{print $3}' | sort | tr '\n' ' ')
[ "$out" = "clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR " ]
check "the OpenCL driver shows nothing but what the loader asks for"
