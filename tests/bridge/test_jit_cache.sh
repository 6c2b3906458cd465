#!/usr/bin/env bash
# Translations in the cache folder (docs/contract/jit.md): the second process takes what the first
# one made and never opens LLVM; what is damaged is made anew; traces are the same bytes each time.
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
launch=(record --quiet -k collatz -g 4096 -l 64 --arg buf:16384:iota --arg buf:16384 --arg u32:20
    -o "$tmp/trace.pb" traces/kernels/diverge.cl)
export XDG_CACHE_HOME=$tmp/cache
mkdir -p "$XDG_CACHE_HOME"

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}
run() { # run JIT: records, and says whether LLVM was opened
    out=$(LD_DEBUG=files IGPU_JIT=$1 "$igpu" "${launch[@]}" 2>&1) && cmp "$tmp/off.pb" "$tmp/trace.pb" || return 1
    if grep -q 'libLLVM-14' <<<"$out"; then opened=yes; else opened=no; fi
    out="LLVM opened: $opened"
}
entries() { ls "$XDG_CACHE_HOME/vigpu" | grep -c '\.compiled$'; }

[ "$(uname -m)" = x86_64 ] && [ -e "$build/lib/libigpu_jit.so" ] ||
    { echo "ok all # SKIP no LLVM 14, or another host: nothing is kept" && exit; }
out=$(IGPU_JIT=off "$igpu" "${launch[@]}" 2>&1) && mv "$tmp/trace.pb" "$tmp/off.pb"
before=$(entries)
run now && [ "$opened" = yes ] && [ "$(entries)" = $((before + 1)) ]
check "the first process translates, and keeps it"
run now && [ "$opened" = no ] && run on && [ "$opened" = no ] && [ "$(entries)" = $((before + 1)) ]
check "the next ones take it, also a launch that is too short to be translated"
IGPU_JIT_CACHE=off run now && [ "$opened" = yes ]
check "IGPU_JIT_CACHE=off looks for nothing"
# Three quarters of what a translation is worth in each process.
short() { # says whether LLVM was opened
    out=$(LD_DEBUG=files IGPU_JIT=on "$igpu" record --quiet -k collatz -g 49152 -l 64 --arg buf:196608:iota \
        --arg buf:196608 --arg u32:20 -o "$tmp/short.pb" traces/kernels/diverge.cl 2>&1)
    if grep -q libLLVM-14 <<<"$out"; then echo yes; else echo no; fi
}
out=$(XDG_CACHE_HOME=$tmp/spent && mkdir "$XDG_CACHE_HOME" && short && cp "$tmp/short.pb" "$tmp/first.pb" && short &&
    short && cmp "$tmp/first.pb" "$tmp/short.pb" && short)
[ "$out" = $'no\nyes\nno\nno' ]
check "what processes run without a translation adds up: the second makes one, later ones take it"

entry=$(find "$XDG_CACHE_HOME/vigpu" -name '*.compiled' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2)
size=$(stat -c %s "$entry")
cp "$entry" "$tmp/good"
for bad in flip cut empty other pipe; do
    case $bad in
    flip) printf '\xff\x00\xff\x00' | dd of="$entry" bs=1 seek=$((size / 2)) conv=notrunc status=none ;;
    cut) truncate -s $((size - 1)) "$entry" ;;
    empty) : >"$entry" ;;
    other) find "$XDG_CACHE_HOME/vigpu" -name '*.compiled' ! -path "$entry" -exec cp {} "$entry" \; -quit ;;
    pipe) rm "$entry" && mkfifo "$entry" ;;
    esac
    run now && [ "$opened" = yes ] && cmp "$tmp/good" "$entry" || break
done
check "a damaged entry ($bad the last) is translated and kept anew"
out=$(LD_DEBUG=files IGPU_JIT=now "$igpu" record --quiet -k collatz -O -DSIMD=32 "${launch[@]:4}" 2>&1)
grep -q 'libLLVM-14' <<<"$out" && [ "$(entries)" -ge $((before + 2)) ]
check "other code is another entry"
touch "$tmp/file"
XDG_CACHE_HOME=$tmp/file run now && [ "$opened" = yes ]
check "no folder, nothing kept, no error"
# Four at once, from nothing: one entry, which is whole.
export XDG_CACHE_HOME=$tmp/many
mkdir -p "$XDG_CACHE_HOME" "$tmp"/one.{0,1,2,3,4}
own=$(realpath "$igpu") kernels=$PWD/traces/kernels
one() ( # one N JIT: in a folder of its own, so that command lines are the same
    cd "$tmp/one.$1" && IGPU_JIT=$2 "$own" "${launch[@]:0:14}" -o trace.pb "$kernels/diverge.cl" >said 2>&1
)
one 0 off && before=$(entries) && { for i in 1 2 3 4; do one $i now & done; wait; }
out=$(cat "$tmp"/one.?/said; for i in 1 2 3 4; do cmp "$tmp/one.0/trace.pb" "$tmp/one.$i/trace.pb" 2>&1; done)
[ -z "$out" ] && [ "$(entries)" = $((before + 1)) ] && run now && [ "$opened" = no ]
check "four processes at once keep one"
# Files of 2 KB at most, as on a disk that is full.
find "$XDG_CACHE_HOME/vigpu" -newer "$tmp/one.0/trace.pb" -name '*.compiled' -delete
out=$(trap '' XFSZ && ulimit -f 2 && IGPU_JIT=now "$igpu" "${launch[@]:0:14}" traces/kernels/diverge.cl 2>&1) &&
    [ "$(entries)" = "$before" ] && [ "$(find "$XDG_CACHE_HOME/vigpu" -name '*.part')" = "" ]
check "a full disk keeps nothing, which is no error"
