#!/usr/bin/env bash
# test_gfx.sh - the 3D pipeline against llvmpipe: what unmodified GLES programs read back
# of the simulated GPU, and what `igpu frame render` makes of their captures. Half of the
# programs by the commit, with --long all.
# tests/run: slow
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program triangle

half=$(part_of 2) number=0 programs='scenes samples'
for program in textures primitives outlines layers compute blocks patches fxt1 tables astc; do
    [ -z "${IGPU_LONG-}" ] && ((number++ % 2 != half)) || programs+=" $program"
done

# Each program's scenes: docs/guide/graphics.md says why with these settings.
for program in $programs; do
    build_program "$program"
    mkdir -p "$t/$program.ref" "$t/$program.our"
    REFERENCE=1 GALLIUM_OVERRIDE_CPU_CAPS=sse4.1 GALLIVM_PERF=no_aos_sampling LIBGL_ALWAYS_SOFTWARE=1 \
        "$t/$program" "$t/$program.ref" >"$t/ref.txt" 2>&1 ||
        { echo "1..0 # SKIP llvmpipe does not run: $(head -1 "$t/ref.txt")" && exit 0; }
    expect 0 "$program: all are executed" "$igpu" gl -o "$t/$program.igf" -- "$t/$program" "$t/$program.our"
    [ ! -s "$t/err" ]
    report $? "$program: without a word"
    [ "$program" != scenes ] || cp "$t/out" "$t/scenes.out"
    python3 tests/bridge/graphics/near.py "$t/$program.ref" "$t/$program.our" || failures=1
done
grep -q '^query 1 0' "$t/scenes.out"
report $? "a query that the program waits for is answered"
python3 tests/bridge/graphics/near.py "$t/scenes.ref/depth.ppm" "$t/scenes.our/clip.ppm" >/dev/null
[ $? = 1 ]
report $? "another scene's picture is told apart"

build_program statistics
LIBGL_ALWAYS_SOFTWARE=1 "$t/statistics" >"$t/statistics.ref"
report $? "statistics by llvmpipe"
expect 0 "statistics of a draw" "$igpu" gl -o "$t/s.igf" -- "$t/statistics"
diff "$t/statistics.ref" <(grep -v "s.igf" "$t/out")
report $? "they are llvmpipe's"

# Triangle by triangle, in their order.
build_program rings
LIBGL_ALWAYS_SOFTWARE=1 "$t/rings" >"$t/rings.ref"
report $? "tessellated patches by llvmpipe"
expect 0 "tessellated patches" "$igpu" gl -o "$t/rings.igf" -- "$t/rings"
grep -v 'rings.igf: ' "$t/out" >"$t/rings.our"
python3 tests/bridge/graphics/close.py "$t/rings.ref" "$t/rings.our"
report $? "they have llvmpipe's triangles"

# Sizes of surfaces and texels that are not there; what the driver draws beside the
# program; changes across and down blocks: the programs know.
for program in sizes beside derivatives; do
    build_program "$program"
    expect 0 "$program: as the program knows it" "$igpu" gl -o "$t/$program.igf" -- "$t/$program"
    grep -v '\.igf: ' "$t/out" | head -3
    [ ! -s "$t/err" ]
    report $? "$program: without a word"
    expect 0 "$program: a trace" "$igpu" frame trace -o "$t/$program.pb" "$t/$program.igf"
    expect 0 "$program: runs" "$igpu" ref "$t/$program.pb"
done

expect 0 "a scene of four samples" "$igpu" gl -o "$t/e.igf" -- "$t/samples" "$t/samples.our" edges
expect 0 "its picture" "$igpu" frame render -o "$t/e.png" "$t/e.igf"
"$(.ci/deps.sh python)" - "$t/e.png" "$t/samples.our/edges.ppm" <<'END'
import sys
from matplotlib import image
ours, read = (image.imread(path)[..., :3].astype(float) for path in sys.argv[1:])
sys.exit(int(abs(ours * 255 - read[::-1]).max() > 1.5))  # GL's first row is the lowest
END
report $? "is the mean of the samples, as the program reads it"
# llvmpipe has 4 samples at most: the program itself knows what each must be.
build_program cleared
expect 0 "samples that notes alone say are clear" "$igpu" gl -o "$t/cleared.igf" -- "$t/cleared"
build_program multisample
expect 0 "samples of a pixel are where the driver says" "$igpu" gl -o "$t/m.igf" -- "$t/multisample"
[ "$(grep -c '^[0-9]* samples: [1-9][0-9]* checked, 0 wrong' "$t/out")" = 4 ]
report $? "of 2, 4, 8 and 16"

# What covers more than llvmpipe does, and lines that it divides otherwise.
for program in inner stippled; do
    build_program "$program"
    expect 0 "$program: as the program knows it" "$igpu" gl -o "$t/$program.igf" -- "$t/$program"
    grep -q '[1-9][0-9]* pixels .*, 0 wrong' "$t/out"
    report $? "$program: some are covered so"
    expect 0 "$program: a trace" "$igpu" frame trace -o "$t/$program.pb" "$t/$program.igf"
    expect 0 "$program: runs" "$igpu" ref "$t/$program.pb"
done

# ---- a capture rendered later ------------------------------------------------
expect 0 "a capture without execution" "$igpu" gl --no-execute -o "$t/a.igf" -- "$t/triangle" "$t/none.ppm" 2
expect 0 "render" "$igpu" frame render -o "$t/a.png" "$t/a.igf"
expect 0 "a frame compared with itself" "$igpu" frame render --compare "$t/a.png" --difference "$t/d.png" "$t/a.igf"
grep -q '^12288 pixels, 100.000 % the same' "$t/out"
report $? "it is the same"
expect 1 "compared with another frame" "$igpu" frame render --frame 1 --compare "$t/a.png" "$t/a.igf"
says "it is another" 'less than 99.5 %'
expect 0 "its counters" "$igpu" frame render --counters "$t/a.igf"
grep -q '^ia_vertices,[1-9][0-9]*,vertices' "$t/out" && grep -q '^vs_invocations,3,' "$t/out"
report $? "three vertices are shaded"
for program in $programs; do
    case $program in fxt1 | astc) continue ;; esac
    expect 0 "$program: counters of draws" "$igpu" frame render --json "$t/j.json" --draws "$t/d.csv" \
        --overdraw "$t/h.png" "$t/$program.igf"
    python3 tests/bridge/graphics/counters.py "$t/j.json" "$t/d.csv"
    report $? "$program: sums agree"
done
expect 0 "counters of every frame" "$igpu" frame render --every "$t/e.csv" "$t/a.igf"
python3 - "$t/e.csv" <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
sys.exit([r["frame"] for r in rows] != ["1", "2"] or any(r["vs_invocations"] != "3" for r in rows))
END
report $? "two frames, three vertices each"
expect 0 "the same again" "$igpu" frame render -o "$t/b.png" "$t/a.igf"
cmp "$t/a.png" "$t/b.png"
report $? "gives the same file"

# ---- cycles over the picture -------------------------------------------------
expect 0 "how often pixels are written" "$igpu" frame render --draws "$t/d.csv" --overdraw "$t/h.png" "$t/a.igf"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ps_invocations") k = i; $k = "cycles"
                   for (i = 1; i <= NF; i++) if ($i == "fast_clears") f = i }
         { print $1 "," ($f == 1 ? 0 : $k) }' "$t/d.csv" >"$t/shaded.csv"
expect 0 "as many cycles as pixels" "$igpu" frame render --times "$t/shaded.csv" --heat "$t/h.pfm" "$t/a.igf"
python3 tests/bridge/graphics/heat.py shaded "$t/h.pfm" "$t/h.png"
report $? "one lies on each for each time"
expect 0 "a frame's cycles" "$igpu" frame time --frame 1 --csv "$t/a.igf"
cp "$t/out" "$t/c.csv"
expect 0 "laid over it" "$igpu" frame render --frame 1 --times "$t/c.csv" --heat "$t/h.pfm" "$t/a.igf"
python3 tests/bridge/graphics/heat.py sum "$t/h.pfm" "$t/c.csv"
report $? "all are there"
! python3 tests/bridge/graphics/heat.py sum "$t/h.pfm" "$t/shaded.csv" >/dev/null
report $? "others are told apart"

# ---- the target that most pixels were written of ----
build_program behind
expect 0 "a frame drawn elsewhere first" "$igpu" gl -o "$t/behind.igf" -- "$t/behind"
"$igpu" frame render --draws "$t/d.csv" "$t/behind.igf"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ps_invocations") k = i; $k = "cycles" }
         { print $1 "," $k }' "$t/d.csv" >"$t/shaded.csv"
expect 0 "its busiest target" "$igpu" frame render --busiest --overdraw "$t/h.png" \
    --times "$t/shaded.csv" --heat "$t/h.pfm" "$t/behind.igf"
python3 tests/bridge/graphics/heat.py corner "$t/h.pfm" "$t/h.png"
report $? "as the window would show it"
expect 0 "and the window" "$igpu" frame render --overdraw "$t/h.png" "$t/behind.igf"
! python3 tests/bridge/graphics/heat.py corner "$t/h.pfm" "$t/h.png"
report $? "is another"

# ---- errors ------------------------------------------------------------------
expect 2 "nothing to do" "$igpu" frame render "$t/a.igf"
expect 2 "a frame that is none" "$igpu" frame render --frame 9 -o "$t/x.png" "$t/a.igf"
says "how many there are" 'the file has 2 frames'
expect 2 "--difference alone" "$igpu" frame render --difference "$t/x.png" -o "$t/y.png" "$t/a.igf"
expect 2 "--busiest alone" "$igpu" frame render --busiest -o "$t/y.png" "$t/a.igf"
expect 2 "--heat alone" "$igpu" frame render --heat "$t/x.png" "$t/a.igf"
for bad in 'draw,ticks' 'draw,cycles\n0,1' 'draw,cycles\n1' 'draw,cycles\n1,1x' 'draw,cycles\n1,2\n1,2' ''; do
    printf "$bad" >"$t/bad.csv"
    expect 3 "cycles that are none: $bad" "$igpu" frame render --times "$t/bad.csv" --heat "$t/x.png" "$t/a.igf"
    says "which line" 'bad.csv: line [123]: expected .* as .igpu frame time --csv. prints'
done
printf 'draw,cycles\n9,1\n' >"$t/bad.csv"
expect 3 "cycles of another frame" "$igpu" frame render --times "$t/bad.csv" --heat "$t/x.png" "$t/a.igf"
says "how many draws there are" 'bad.csv: draw 9, but the frame has 3'
expect 3 "a picture that is none" "$igpu" frame render --compare Makefile "$t/a.igf"
expect 1 "what is not executed" "$igpu" gl -o "$t/p.igf" -- "$t/triangle" "$t/p.ppm" 1 many
says "is named" 'command 0x7b000005 at 0x[0-9a-f]*: not executed: a draw of 16777218 vertices'
expect 1 "rendered later" "$igpu" frame render -o "$t/x.png" "$t/p.igf"
says "it is named, too" 'batch [0-9]*: command 0x7b000005 at 0x[0-9a-f]*: not executed: a draw of 16777218 vertices'
[ ! -e "$t/x.png" ] && [ ! -e "$t/y.png" ]
report $? "no picture is left"
exit $failures
