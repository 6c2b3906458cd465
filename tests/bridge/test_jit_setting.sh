#!/usr/bin/env bash
# Translation as a user asks for it (docs/contract/jit.md): wrong settings are told, and a trace
# that translated code records is the interpreter's.
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
launch=(record --quiet -k collatz -g 4096 -l 64 --arg buf:16384:iota --arg buf:16384 --arg u32:20
    traces/kernels/diverge.cl)

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}

out=$(IGPU_JIT=maybe "$igpu" "${launch[@]}" -o "$tmp/never.pb" 2>&1)
[ "$?" = 2 ] && [ "$(wc -l <<<"$out")" = 1 ] && grep -q 'IGPU_JIT=maybe: expected on, off or now' <<<"$out" &&
    [ ! -e "$tmp/never.pb" ]
check "a wrong IGPU_JIT is an error that names it"
out=$("$igpu" record --jit maybe 2>&1)
[ "$?" = 2 ] && grep -q -e '--jit maybe: expected on, off or now' <<<"$out"
check "so is a wrong --jit"
out=$(gcc -o "$tmp/use_opencl" tests/package/use_opencl.c -lOpenCL 2>&1) &&
    out=$(IGPU_JIT=maybe OCL_ICD_VENDORS="$build/lib/vigpu.icd" "$tmp/use_opencl" 2>&1) &&
    [ "$(grep -c 'IGPU_JIT' <<<"$out")" = 1 ] && grep -q 'expected on, off or now' <<<"$out"
check "the driver says so once, and goes on"

[ -e "$build/lib/libigpu_jit.so" ] || { echo "ok the rest # SKIP no LLVM 14: nothing is translated" && exit; }
for jit in off now on; do
    out=$(IGPU_JIT=$jit IGPU_JIT_STATS="$tmp/$jit.stats" "$igpu" "${launch[@]}" -o "$tmp/trace.pb" 2>&1) &&
        mv "$tmp/trace.pb" "$tmp/$jit.pb" || break
done
cmp "$tmp/off.pb" "$tmp/now.pb" && cmp "$tmp/off.pb" "$tmp/on.pb" && grep -q '^collatz: .* generated' "$tmp/now.stats" &&
    [ ! -e "$tmp/off.stats" ] && [ ! -e "$tmp/on.stats" ]
check "a trace by translated code is the interpreter's; off and short launches translate nothing"

# Without LLVM: beside another copy of the program is no translator, or none that can be opened.
bare=$tmp/bare
mkdir -p "$bare/bin" "$bare/lib"
cp "$igpu" "$bare/bin" && cp "$build/lib/igpu_ocloc" "$bare/lib" && echo "int nothing;" >"$tmp/nothing.c" &&
    gcc -shared -o "$tmp/libgone.so" "$tmp/nothing.c" &&
    gcc -shared -o "$tmp/needs.so" "$tmp/nothing.c" -Wl,--no-as-needed -L"$tmp" -lgone
for other in none text "$tmp/libgone.so" "$tmp/needs.so"; do
    rm -f "$bare/lib/libigpu_jit.so"
    case $other in
    none) ;;
    text) echo "no program" >"$bare/lib/libigpu_jit.so" ;;
    *) cp "$other" "$bare/lib/libigpu_jit.so" ;;
    esac
    [ "$other" != "$tmp/needs.so" ] || rm "$tmp/libgone.so"
    out=$(IGPU_JIT=now "$bare/bin/igpu" "${launch[@]}" -o "$tmp/trace.pb" 2>&1) && [ -z "$out" ] &&
        out=$(cmp "$tmp/off.pb" "$tmp/trace.pb") || break
    tried=$other
done
[ "${tried-}" = "$tmp/needs.so" ]
check "without LLVM, or with what is no translator ($(basename "$other") the last), all is interpreted"

# Over 6,000 instructions.
{
    echo "__kernel void long_one(__global float *out) { float x = out[get_global_id(0)];"
    for i in {1..3200}; do echo "x = x * $i.5f + out[$i];"; done
    echo "out[get_global_id(0)] = x; }"
} >"$tmp/long.cl"
for jit in off now; do
    out=$(IGPU_JIT=$jit IGPU_JIT_STATS="$tmp/long_one.$jit" "$igpu" record --quiet -k long_one -g 64 -l 64 --arg buf:65536 \
        -o "$tmp/trace.pb" "$tmp/long.cl" 2>&1) && mv "$tmp/trace.pb" "$tmp/long.$jit.pb" || break
done
cmp "$tmp/long.off.pb" "$tmp/long.now.pb" && grep -q 'kernel long_one is not translated: it is too long' "$tmp/long_one.now"
check "a kernel that is too long is interpreted, and the statistics say so"

# 7.5 M instructions, 1,310,720 of them `cbit`, which translated code calls: so those are counted.
cat >"$tmp/bits.cl" <<'END'
__kernel void bits(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);

    out[i] = popcount(in[i]) + popcount(in[i] * 3);
}
END
out=$(IGPU_JIT=on IGPU_JIT_STATS="$tmp/long.stats" "$igpu" record --quiet -k bits -g 10485760 -l 256 --arg buf:40M \
    --arg buf:40M "$tmp/bits.cl" 2>&1) &&
    out=$(awk '$1 == "cbit"' "$tmp/long.stats") && awk '{ exit !($2 > 1300000 && $2 < 1310720) }' <<<"$out"
check "a long launch waits for its translation behind its first groups"
