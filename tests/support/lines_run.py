"""lines_run.py COVERAGE.json NEVER.txt - gcovr's counts, by folder; for tests/coverage.

Prints each folder's and each library's share of lines that ran; NEVER.txt gets the
lines that did not, as FILE:LINE. A source that is compiled several times counts once.
"""
import collections
import json
import os
import sys

ran, lines, never = collections.Counter(), collections.Counter(), []
with open(sys.argv[1], encoding="utf-8") as report:
    files = json.load(report)["files"]
if not files:
    sys.exit("coverage: no counts; were the programs built with COVERAGE=1?")
for file in files:
    folder = os.path.dirname(file["file"])
    counts = collections.Counter()
    for line in file["lines"]:
        if not line.get("gcovr/noncode"):
            counts[line["line_number"]] += line["count"]
    missed = sorted(n for n, count in counts.items() if count == 0)
    for name in {folder, folder.split("/")[0], "all"}:
        lines[name] += len(counts)
        ran[name] += len(counts) - len(missed)
    never += [f"{file['file']}:{n}\n" for n in missed]
with open(sys.argv[2], "w", encoding="utf-8") as text:
    text.writelines(never)
for name in sorted(lines, key=lambda n: (n == "all", n)):
    print(f"{name:20} {100 * ran[name] / lines[name]:6.1f} % of {lines[name]} lines")
