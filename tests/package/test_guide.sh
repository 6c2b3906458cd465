#!/bin/sh
# README's and the guide's commands run as a reader types them, and print what the pages say;
# and a page whose numbers are not the program's, or with a command that nobody runs, is told.
# tests/run: timeout=900 slow
. tests/support/cli.sh
if [ "$IGPU_BUILD" != build ]; then
    echo "1..0 # SKIP the guide's commands are those of the default build" && exit 0
fi
printf 'Text.\n\n```text\n$ ./igpu ref traces/samples/mad_sp.pb | grep ^cycles\ncycles        29737\n```\n' \
    >"$IGPU_TMP/wrong.md"
printf 'Text.\n\n    x = 1\n    ./igpu ref a.pb\n\n```text\nmake all\n```\n' >"$IGPU_TMP/unseen.md"
printf '<!-- not run: a test -->\n    ./igpu ref a.pb\n\n- item\n    make it longer\n\n```c\nmakes;\n```\n' \
    >"$IGPU_TMP/seen.md"
python3 - "$IGPU_TMP" <<'END'
import pathlib, sys
sys.path.insert(0, "tests/package")
import guide
tmp = pathlib.Path(sys.argv[1]).resolve()
guide.TOP, top = tmp, guide.TOP
for name in guide.NEEDED:
    (tmp / name).exists() or (tmp / name).symlink_to(top / name)
with open(tmp / "said", "w") as said:
    sys.stdout = said
    wrong = guide.page(tmp / "wrong.md", tmp)
    unseen = guide.page(tmp / "unseen.md", tmp)
    seen = guide.page(tmp / "seen.md", tmp)
text = (tmp / "said").read_text()
sys.exit(wrong or "prints something else" not in text
         or unseen or text.count("neither runs nor is marked") != 2 or not seen)
END
report $? "a number that the program does not print is told, and a command that nobody runs"
make -s python >"$IGPU_TMP/log" 2>&1
report $? "make python"
IGPU_PYTHON=$(.ci/deps.sh python) python3 tests/package/guide.py "$IGPU_TMP" README.md docs/guide/*.md || failures=1
exit $failures
