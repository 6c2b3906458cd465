#!/bin/sh
# igpu report: a short one, its page, and the part of a Markdown file that it replaces.
# tests/run: timeout=900
. tests/support/cli.sh
XDG_CACHE_HOME="$IGPU_TMP/cache"
export XDG_CACHE_HOME
mkdir -p "$XDG_CACHE_HOME"

expect 0 "help" "$igpu" report --help
expect 2 "an unknown option" "$igpu" report --nonsense
expect 2 "a word too many" "$igpu" report now
expect 2 "an unknown engine" "$igpu" report --quick --engine fpga
printf 'before\n<!-- igpu report: begin -->\nstale part\n<!-- igpu report: end -->\nafter\n' \
    >"$IGPU_TMP/page.md"
echo "no markers" >"$IGPU_TMP/plain.md"
expect 3 "a page without markers" "$igpu" report --quick --markdown "$IGPU_TMP/plain.md"
says "the markers" "igpu report: begin"
expect 2 "a report into nowhere" "$igpu" report --quick -o /nonexistent/x.html

expect 0 "a short report" "$igpu" report --quick -o "$IGPU_TMP/report.html" \
    --markdown "$IGPU_TMP/page.md"
python3 - "$IGPU_TMP" <<'PY'
import re, sys, xml.dom.minidom as dom
top = sys.argv[1]
lines = open(top + "/out").read().splitlines()
page = open(top + "/page.md").read()
html = open(top + "/report.html").read()
def test(good, what):
    print("ok" if good else "not ok", what)
    return good
good = test(len(lines) > 40 and any(l.startswith("ok ") for l in lines), "tells what it found")
good &= test(page.startswith("before\n<!-- igpu report: begin -->") and
             page.endswith("<!-- igpu report: end -->\nafter\n") and "stale part" not in page,
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
good &= test(not re.search(r"(src|href)=|url\(|@import", html), "nothing is loaded from elsewhere")
good &= test("prefers-color-scheme:dark" in html and "@media print" in html,
             "light, dark and print")
sys.exit(0 if good else 1)
PY
report $? "the report's content"
exit $failures
