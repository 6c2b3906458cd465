#!/usr/bin/env bash
# test_gl.sh - `igpu gl` and `igpu frame`: an unmodified GLES program on Mesa's iris is
# captured, frames are counted and chosen, the same run gives the same file; errors.
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program triangle

expect 0 "a GLES program runs and is captured" "$igpu" gl -o "$t/a.igf" -- "$t/triangle" "$t/a.ppm" 3
grep -q 'HD Graphics 530 (SKL GT2)' "$t/out"
report $? "it sees a Skylake GT2"
grep -q "a.igf: 3 frames" "$t/out"
report $? "three frames are counted"
expect 0 "the file verifies" "$igpu" frame verify "$t/a.igf"
expect 0 "info" "$igpu" frame info "$t/a.igf"
grep -q '^driver    Mesa [0-9]' "$t/out" && [ "$(grep -c '^frame [1-3] ' "$t/out")" = 3 ]
report $? "info has Mesa's version and a line a frame"
expect 0 "dump" "$igpu" frame dump "$t/a.igf"
[ "$(grep -c '^batch .*render' "$t/out")" -ge 3 ] && grep -q '^frame 3 ends' "$t/out"
report $? "dump has the batches"
expect 0 "a second run" "$igpu" gl -o "$t/b.igf" -- "$t/triangle" "$t/a.ppm" 3
cmp "$t/a.igf" "$t/b.igf"
report $? "it gives the same file"
expect 0 "--frames 2" "$igpu" gl --frames 2 -d kbl-gt3e -o "$t/c.igf" -- "$t/triangle" "$t/c.ppm" 5
grep -q 'KBL GT3' "$t/out" && grep -q 'c.igf: 2 frames' "$t/out" && [ ! -e "$t/c.ppm" ]
report $? "it ends the program after frame 2, on a Kaby Lake GT3"

build_program abrupt
expect 0 "a program that ends by _exit()" "$igpu" gl -o "$t/x.igf" -- "$t/abrupt"
grep -q 'x.igf: 1 frames' "$t/out"
report $? "is captured whole"
expect 0 "one that ends by _Exit()" "$igpu" gl -o "$t/x.igf" -- "$t/abrupt" c
grep -q 'x.igf: 1 frames' "$t/out"
report $? "is captured whole"
expect 0 "one that a signal's handler ends amidst a batch" timeout 60 "$igpu" gl -o "$t/s.igf" -- "$t/abrupt" signal
expect 0 "is captured whole: the handler runs behind the batch" "$igpu" frame verify "$t/s.igf"

build_program waits
expect 0 "the GPU's clock while a program waits" timeout 100 "$igpu" gl -o "$t/w.igf" -- "$t/waits"
cat "$t/out"

build_program contexts
expect 0 "queries of a context, beside another one's draws" timeout 100 "$igpu" gl -o "$t/w.igf" -- "$t/contexts"
cat "$t/out"

# ---- errors ------------------------------------------------------------------
expect 1 "a program without graphics" "$igpu" gl -o "$t/n.igf" -- true
says "it is told so" 'did not use the GPU'
[ ! -e "$t/n.igf" ]
report $? "and there is no file"
expect 7 "a program's status" "$igpu" gl -o "$t/n.igf" -- sh -c 'exit 7'
expect 127 "no such program" "$igpu" gl -o "$t/n.igf" -- "$t/none"
expect 2 "no program" "$igpu" gl -o "$t/n.igf"
expect 2 "no output" "$igpu" gl -- "$t/triangle"
expect 2 "frames that are none" "$igpu" gl --frames 3-2 -o "$t/n.igf" -- true
says "what is expected" 'expected N or N-M'
expect 2 "a device that is none" "$igpu" gl -d arc -o "$t/n.igf" -- true
expect 2 "a folder that is none" "$igpu" gl -o "$t/none/n.igf" -- true
expect 2 "no verb" "$igpu" frame
expect 2 "two files" "$igpu" frame info a b
expect 3 "no file" "$igpu" frame info "$t/none"
expect 3 "another file" "$igpu" frame info Makefile
says "what makes one" 'igpu gl -o FILE makes one'
head -c 1500 "$t/a.igf" >"$t/cut.igf"
expect 3 "a file cut" "$igpu" frame verify "$t/cut.igf"
printf 'igpufrm\n\003\0\0\0\0\0\0\0' >"$t/v3.igf"
expect 3 "another version" "$igpu" frame verify "$t/v3.igf"
says "which is expected" 'version 3 of the frame file, expected 1 or 2'
[ -z "$(ls "$t" | grep -E 'part$')" ]
report $? "nothing half-written is left"
exit $failures
