#!/usr/bin/env python3
"""prose.py [--fix] [TOP] - a paragraph, or an item of a list, of a page is one line.
Tables, code, comments and HTML stay as they are, and so does a line that ends with two blanks
or a backslash (a break). Prints each line that goes on in the next one; --fix joins them
(`make format`)."""
import glob
import os
import re
import sys

FENCE = re.compile(r"\s*(```|~~~)")
ITEM = re.compile(r"\s*([-*+]|\d+[.)])\s")
APART = re.compile(r"\s*([|#<>]|!\[|-{3,}$|={3,}$)|\s*$")


def lines_of(text):
    """(number, line, whether it goes on in the next one) of each line."""
    lines = text.split("\n")
    fence, comment, prose, listed = None, False, False, False
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        mark = FENCE.match(line)
        if fence or mark:
            prose = False
            if mark and fence in (None, mark[1]):
                fence = None if fence else mark[1]
        elif comment or line.lstrip().startswith("<!--"):
            comment, prose = "-->" not in line, False
        elif APART.match(line):
            prose = False
            listed = listed and (not line.strip() or line.startswith(" "))
        elif not prose and not listed and line.startswith("    "):
            pass  # code
        else:
            listed = bool(ITEM.match(line)) or (listed and (prose or line.startswith(" ")))
            prose = True
        goes_on = prose and not (FENCE.match(following) or APART.match(following) or
                                 ITEM.match(following) or line.endswith(("  ", "\\")))
        yield i + 1, line, goes_on


def joined(text):
    out, before = [], False
    for _, line, goes_on in lines_of(text):
        if before:
            out[-1] = f"{out[-1].rstrip()} {line.strip()}"
        else:
            out.append(line)
        before = goes_on
    return "\n".join(out)


def main(words):
    fix = "--fix" in words
    os.chdir(next((word for word in words if word != "--fix"), "."))
    pages = (glob.glob(f"{top}*.md", recursive=True) for top in ("", "docs/**/", "traces/**/"))
    for path in sorted(path for some in pages for path in some):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if fix:
            if joined(text) != text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(joined(text))
            continue
        for number, line, goes_on in lines_of(text):
            if goes_on:
                print(f"{path}:{number}: a paragraph is one line (make format): {line[-40:]}")


if __name__ == "__main__":
    main(sys.argv[1:])
