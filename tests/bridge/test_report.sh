#!/bin/sh
# igpu report: a short one, its page, and the part of a Markdown file that it replaces. Its
# largest experiments are asked for with fewer points: the numbers are the matter of
# test_bench*.sh and `make validate`.
# tests/run: timeout=1500 slow turn=0of3
. tests/support/cli.sh
own_cache
export IGPU="$IGPU_TMP/igpu"
cat >"$IGPU" <<END
#!/bin/sh
exec "$(realpath "$igpu")" \$(echo "\$*" | sed -e 's/^\(bench mlp\) --threads [0-9,]*/\1 --ws 64,256K --threads 14/' \
    -e 's/--ws 64K,256K,1M..9M:1M,128M/--ws 64K,1M..5M:2M/' -e 's/\([cg]pu-ws\) [159,]*/\1 1/g' \
    -e 's/--level llc/& --bytes 2M/' -e 's/24,168/168/' -e 's/--ws 512K,2M,8M/--ws 512K,2M/' -e 's/1,8,64 --stride/1,8 --stride/' \
    -e 's/--level dram/& --bytes 2M/' \
    -e 's/--level l3 \(.*\)--bytes 2M/--level l3 \1--bytes 1M/')
END
chmod 755 "$IGPU"
make -s BUILD="$IGPU_TMP/build" python
report $? "make python"
py="$IGPU_TMP/build/bin/igpu-python"

expect 0 "help" "$py" report --help
expect 2 "an unknown option" "$py" report --nonsense
expect 2 "a word too many" "$py" report now
expect 2 "an unknown engine" "$py" report --quick --engine fpga
printf 'before\n<!-- vigpu report: begin -->\nstale part\n<!-- vigpu report: end -->\nafter\n' \
    >"$IGPU_TMP/page.md"
echo "no markers" >"$IGPU_TMP/plain.md"
expect 3 "a page without markers" "$py" report --quick --markdown "$IGPU_TMP/plain.md"
says "the markers" "vigpu report: begin"
expect 2 "a report into nowhere" "$py" report --quick -o /nonexistent/x.html
expect 2 "igpu that is not there" env IGPU=/nonexistent/igpu "$py" report --quick \
    -o "$IGPU_TMP/none.html"
says "its path" /nonexistent/igpu
expect 3 "numbers that are none" "$py" report --load README.md -o "$IGPU_TMP/none.html"
says "the file" README.md
[ ! -e "$IGPU_TMP/none.html" ]
report $? "nothing is written"

expect 0 "a short report" "$py" report --quick -o "$IGPU_TMP/report.html" \
    --markdown "$IGPU_TMP/page.md" --save "$IGPU_TMP/numbers.json"
cp "$IGPU_TMP/out" "$IGPU_TMP/told"
expect 0 "the same from its numbers, into a new Markdown file" "$py" report \
    --load "$IGPU_TMP/numbers.json" -o "$IGPU_TMP/again.html" --markdown "$IGPU_TMP/new.md"
cmp "$IGPU_TMP/report.html" "$IGPU_TMP/again.html" && cmp "$IGPU_TMP/told" "$IGPU_TMP/out"
report $? "gives the same page and lines, byte for byte"
sed -n '/begin -->/,/end -->/p' "$IGPU_TMP/page.md" | cmp - "$IGPU_TMP/new.md"
report $? "and the same part"
"$(.ci/deps.sh python)" - "$IGPU_TMP" <<'PY'
import re, sys, xml.dom.minidom as dom
top = sys.argv[1]
lines = open(top + "/told").read().splitlines()
page = open(top + "/page.md").read()
html = open(top + "/report.html").read()
def test(good, what):
    print("ok" if good else "not ok", what)
    return good
good = test(len(lines) > 40 and any(l.startswith("ok ") for l in lines), "tells what it found")
good &= test(page.startswith("before\n<!-- vigpu report: begin -->") and
             page.endswith("<!-- vigpu report: end -->\nafter\n") and "stale part" not in page,
             "replaces what is between the markers, and nothing else")
good &= test("`igpu bench latency" in page and "| skl-gt2 gpu, 1 MB | 213.5 ns |" in page,
             "each table has its command, published and own numbers")
good &= test("`dp.messages`" in page, "says what is calibrated on what")
differ = sum(l.startswith("DIFF") for l in lines)
good &= test(f", {differ} differ" in page and page.count("**differs**") == differ,
             "counts what differs, and marks it")
svgs = re.findall(r"<svg.*?</svg>", html, re.S)
for svg in svgs:
    dom.parseString(svg)
good &= test(len(svgs) > 8, "curves as inline SVG")
good &= test(not re.search(r'(src|href)="(?!#)|url\((?!#)|@import', html),
             "nothing is loaded from elsewhere")
ids = re.findall(r' id="([^"]+)"', html)
good &= test("prefers-color-scheme: dark" in html and "@media print" in html and
             "#222222" not in html, "light, dark and print")
sys.exit(0 if good else 1)
PY
report $? "the report's content"
exit $failures
