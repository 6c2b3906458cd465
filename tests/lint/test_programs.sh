#!/usr/bin/env bash
# The programs as built: what they link to, and that nothing is built twice. What is
# installed: tests/package/test_install.sh.
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

out=$(nm -D --defined-only "$build/lib/libigpu_ocl.so" | awk '{print $3}' | sort | tr '\n' ' ')
[ "$out" = "clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR " ]
check "the OpenCL driver shows nothing but what the loader asks for"
