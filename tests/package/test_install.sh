#!/usr/bin/env bash
# What `make install` leaves is complete where it lies, other programs can be compiled
# against it, each directory can be given alone, and `make uninstall` removes it all.
# tests/run: alone timeout=600 slow turn=1of2
set -u
build=${IGPU_BUILD:?run through tests/run}
prefix=$IGPU_TMP/prefix
sample=traces/samples/mad_sp.pb
unset BUILD PYTHONDONTWRITEBYTECODE

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out" | sed 's/^/# /'; fi
}
# in_prefix COMMAND: away from the build, with nothing of this test's environment.
in_prefix() { (cd "$IGPU_TMP" && env -u IGPU_BUILD PATH="$prefix/bin:$PATH" "$@"); }

out=$(make install BUILD="$build" PREFIX="$prefix" 2>&1)
check "make install"
out=$(in_prefix Vigpu --quiet --csv - "$PWD/$sample" 2>&1) && [ "$out" = "$(./Vigpu --quiet --csv - "$PWD/$sample")" ]
check "the installed Vigpu simulates"
out=$(gcc -o "$IGPU_TMP/use_opencl" tests/package/use_opencl.c -lOpenCL 2>&1)
# In its place a script that tells that it was called.
server=$prefix/libexec/vigpu/igpu_ocloc
mv "$server" "$server.real" && printf '#!/bin/sh\ntouch "%s"\nexec "%s" "$@"\n' "$IGPU_TMP/called" "$server.real" >"$server" &&
    chmod 755 "$server"
out+=$(in_prefix env XDG_CACHE_HOME="$IGPU_TMP/cache" igpu run -- ./use_opencl 2>&1) && [ -e "$IGPU_TMP/called" ]
check "the installed igpu run finds its driver, and the driver its compile server"
mv "$server.real" "$server"
out=$(in_prefix env OCL_ICD_VENDORS="$prefix/etc/OpenCL/vendors" XDG_CACHE_HOME="$IGPU_TMP/cache" ./use_opencl 2>&1)
check "so does a program through the loader's list"
if [ -e "$build/lib/libigpu_jit.so" ]; then
    out=$(in_prefix env IGPU_JIT_STATS="$IGPU_TMP/stats" igpu record --quiet --jit now -k copy -g 64 -l 64 \
        --arg buf:256 --arg buf:256 "$prefix/share/vigpu/kernels/stream.cl" 2>&1) && grep -q '^copy: .* generated' "$IGPU_TMP/stats"
    check "the installed igpu finds the translator of kernels"
fi
out=$(in_prefix env -u PYTHONPATH igpu trace mix "$PWD/$sample" 2>&1)
check "the installed vigpu finds its Python package"
out=$(in_prefix env -u PYTHONPATH python3 -c "import sys; sys.path.insert(0, '$prefix/share/vigpu/python')
from vigpu import igpu; print(igpu.sample('mad_sp')); print(igpu.shared('kernels/cases.yaml'))" 2>&1) &&
    [ "$out" = "$prefix/share/vigpu/samples/mad_sp.pb
$prefix/share/vigpu/kernels/cases.yaml" ] && [ -e "$prefix/share/vigpu/examples/first_look.ipynb" ]
check "samples, cases and examples are found where they are installed"
out=$(in_prefix bash -c '. "$1/share/bash-completion/completions/igpu"
    COMP_WORDS=(igpu fr) COMP_CWORD=1; _vigpu; echo "${COMPREPLY[@]}"
    COMP_WORDS=(igpu record --dump) COMP_CWORD=2; _vigpu; echo "${COMPREPLY[@]}"' bash "$prefix" 2>&1) &&
    [ "$out" = "frame
--dump-buf" ]
check "bash completes commands and options"

frame=$PWD/tests/fuzzing/corpus/render/geometry.igf
out=$(in_prefix igpu frame render --rtl-values -o "$IGPU_TMP/rtl.png" "$frame" 2>&1) &&
    out+=$(./igpu frame render -o "$IGPU_TMP/emu.png" "$frame" 2>&1) && cmp -s "$IGPU_TMP/rtl.png" "$IGPU_TMP/emu.png" &&
    grep -q '^values .* equal' <<<"$out"
check "the installed igpu finds the program with the RTL, which renders a frame"
out=$(in_prefix igpu gl -o none.igf -- true 2>&1)
grep -q 'did not use the GPU' <<<"$out"
check "the installed igpu gl finds the render node that it preloads"

flags() { PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs "vigpu-$1"; }
for name in trace sim; do
    # shellcheck disable=SC2046 # flags are words
    out=$(cd "$IGPU_TMP" && gcc -std=c11 -Wall -Wextra -Wpedantic -Werror "$OLDPWD/tests/package/use_$name.c" \
        $(flags $name) -o "use_$name" 2>&1 && "./use_$name" "$OLDPWD/$sample" 2>&1)
    case $name in trace) want="168 threads" ;; *) want="$("$build/bin/igpu" ref --csv - $sample |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } END { print $c " cycles" }')" ;; esac
    [ "$out" = "$want" ]
    check "a program compiled with pkg-config uses the $name library"
done
out=$(cd "$prefix/include/vigpu" && find . -name '*.h' | while read -r header; do
    gcc -std=c11 -fsyntax-only -I. -include "$header" -x c /dev/null 2>&1 || echo "$header"
done)
[ -z "$out" ]
check "each installed header needs only installed ones"
out=$(find "$prefix" -type f ! -path '*/lib/*.a' ! -path '*/lib/vigpu/lib*' ! -path '*/bin/*gpu' ! -path '*/igpu_ocloc' ! -path '*/igpu-rtl' -print0 |
    xargs -0 cat -- "$prefix/bin/igpu-python" | sed "s,$prefix,,g" | grep -aP -e "(?<![\\w./-])\\Q$PWD\\E(?![\\w.-])")
[ -z "$out" ]
check "nothing installed names the folder it was built in"
out=""
for option in $("$build/bin/igpu" record --help | grep -o -- ' --[a-z-]*' | sort -u) --json; do
    cat "$prefix"/share/man/man1/{Vigpu,igpu-record,igpu-predict,vigpu}.1 | tr -d '\\' |
        grep -q -- "$option" || out+="$option is in no manual page "
done
[ -z "$out" ] && grep -q '^.SH SYNOPSIS' "$prefix/share/man/man1/igpu-record.1"
check "the manual pages have every option of --help"
out=$(readelf -d "$prefix/lib/vigpu/libigpu_ocl.so" | grep SONAME) && grep -q 'libigpu_ocl.so' <<<"$out"
check "the driver has a SONAME"

echo other >"$prefix/lib/vigpu/other"
out=$(make uninstall BUILD="$build" PREFIX="$prefix" 2>&1) &&
    out=$(find "$prefix" ! -type d) && [ "$out" = "$prefix/lib/vigpu/other" ] &&
    out=$(find "$prefix" -name 'vigpu*' ! -path "$prefix/lib/vigpu") && [ -z "$out" ]
check "make uninstall removes what was installed and nothing else"
out=$(make uninstall BUILD="$build" PREFIX="$prefix" 2>&1)
[ "$?" != 0 ] && grep -q "nothing is installed" <<<"$out"
check "make uninstall says where nothing is installed"

# Each directory alone, staged, as distributions do it.
stage=$IGPU_TMP/stage
out=$(make install BUILD="$build" DESTDIR="$stage" PREFIX=/usr bindir=/b libdir=/l libexecdir=/x includedir=/i \
    mandir=/m datadir=/d pythondir=/p/dist-packages ICDDIR=/e 2>&1) &&
    out=$(find "$stage" -mindepth 1 -maxdepth 1 -printf '%f ' | tr ' ' '\n' | sort | tr '\n' ' ') &&
    [ "$out" = "b d e i l m p x " ] && out=$(cat "$stage/e/vigpu.icd") && [ "$out" = /l/vigpu/libigpu_ocl.so ] &&
    out=$(strings "$stage/l/vigpu/libigpu_ocl.so" | grep igpu_ocloc) && grep -qx '/x/vigpu/igpu_ocloc' <<<"$out"
check "each GNU directory can be given alone, with DESTDIR"
out=$(make install-igpu BUILD="$build" DESTDIR="$IGPU_TMP/small" PREFIX=/o ICDDIR= 2>&1) &&
    [ ! -e "$IGPU_TMP/small/o/bin/Vigpu" ] && [ ! -e "$IGPU_TMP/small/o/etc" ] &&
    out=$(make -n install-igpu BUILD="$build" PREFIX=/o 2>&1) && ! grep -qE 'verilator --|bin/Vigpu' <<<"$out"
check "make install-igpu needs no Verilator, and with ICDDIR= leaves the loader's list alone"
out=$(IGPU_FAKE_MISSING=verilator IGPU_APT=false make install BUILD="$build" PREFIX="$prefix" 2>&1)
[ "$?" != 0 ] && grep -q 'install -y --no-install-recommends verilator' <<<"$out" && ! grep -q '^installing' <<<"$out"
check "make install installs no package: it names what is missing"
out=$(IGPU_FAKE_MISSING=help2man make install BUILD="$build" PREFIX="$IGPU_TMP/half" 2>&1)
[ "$?" != 0 ] && grep -q 'install -y --no-install-recommends help2man' <<<"$out" && [ ! -e "$IGPU_TMP/half" ]
check "without help2man make install says so and copies nothing"
out=$(make -n -o FORCE V=1 BUILD="$build" test-programs | grep -e ' -o ')
[ -z "$out" ]
check "the build is as it was"

# What a distribution sets reaches every compilation and link.
make -k -n -B V=1 BUILD="$IGPU_TMP/none" test-programs CPPFLAGS=-Dcpp_x CFLAGS=-Dc_x CXXFLAGS=-Dcxx_x LDFLAGS=-Wl,-z,ld_x \
    2>/dev/null >"$IGPU_TMP/commands"
out=$(grep -E '^(gcc|cc) .* -c ' "$IGPU_TMP/commands" | grep -v -e '-Dcpp_x .*-Dc_x')
out+=$(grep -E '^(g\+\+|c\+\+) .* -c |^make .*_fast\.o' "$IGPU_TMP/commands" | grep -v -e '-Dcpp_x .*-Dcxx_x')
out+=$(grep -E '^(gcc|g\+\+) ' "$IGPU_TMP/commands" | grep -v ' -c ' | grep -v -e ld_x)
[ -z "$out" ] && [ "$(grep -c -e '-Dc_x' "$IGPU_TMP/commands")" -gt 300 ]
check "CPPFLAGS, CFLAGS, CXXFLAGS and LDFLAGS reach every command"
