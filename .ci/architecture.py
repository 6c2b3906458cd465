#!/usr/bin/env python3
"""architecture.py [OUT] - what is made of .ci/libraries.txt, in OUT (default: here):
docs/develop/architecture.md, its picture architecture.svg, and the table of folders in
README.md. `make architecture` calls it, and lint-params compares."""
import glob
import os
import re
import sys

TABLE = ".ci/libraries.txt"
LINE = re.compile(r"(folder|library|program) +([\w-]+) *([\w/.]*) *([\w,]*): (.+)")
PAGE, PICTURE = "docs/develop/architecture.md", "docs/develop/architecture.svg"
CODE = (".c", ".h", ".cpp", ".def")
COLOURS = {"csim": "#dbe9f6", "traces": "#e3f1db", "bridge": "#fbe8d3"}
BOX, ROW, GAP = (92, 30), 74, 24  # of the picture, in pixels


def read():
    """{kind: {name: (place, [what it uses], text)}}, in the table's order."""
    table = {"folder": {}, "library": {}, "program": {}}
    with open(TABLE, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                kind, name, place, uses, text = LINE.fullmatch(line.rstrip()).groups()
                table[kind][name] = place, [u for u in uses.split(",") if u], text
    return table


def reach(uses):
    """{name: all that it uses, directly or not}; names stand behind what they use."""
    below = {}
    for name, used in uses.items():
        below[name] = set(used).union(*(below[u] for u in used if u in below))
    return below


def rows(arrows):
    """{name: its row, from 0 at the bottom}: one below the lowest that uses it."""
    high = {}
    for name in arrows:
        high[name] = 1 + max((high[used] for used in arrows[name]), default=-1)
    low = {}
    for name in reversed(list(arrows)):
        users = [low[other] for other in low if name in arrows[other]]
        low[name] = min(users) - 1 if users else high[name]
    return low


def chains(arrows, row):
    """{(name, what it uses): the boxes and, in the rows between, the gaps that their line
    passes, from the top down}. A gap is (name, used, its row)."""
    return {(name, used): [name, *((name, used, r) for r in range(row[name] - 1, row[used], -1)),
                           used] for name in arrows for used in arrows[name]}


def places(arrows, row, chain):
    """{box or gap: the x of its middle}: near what it uses and what uses it."""
    near, line_of = {name: [] for name in arrows}, dict(row)
    for passed in chain.values():
        for one, other in zip(passed, passed[1:]):
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
        line_of.update((gap, gap[2]) for gap in passed[1:-1])
    lines = [[n for n in near if line_of[n] == r] for r in range(max(row.values()) + 1)]
    wide = {n: BOX[0] if n in row else 0 for n in near}

    def step(one, other):
        return (wide[one] + wide[other]) / 2 + (GAP if one in row or other in row else GAP / 3)

    x = {n: (i + 0.5 - len(line) / 2) * GAP for line in lines for i, n in enumerate(line)}
    for _ in range(80):
        for line in lines:
            wish = {n: sum(x[o] for o in near[n]) / (len(near[n]) or 1) for n in line}
            line.sort(key=lambda n: (round(wish[n], 6), str(n)))
            # As far right as wished and as the left neighbour asks, then all moved back.
            for i, name in enumerate(line):
                before = line[i - 1]
                x[name] = max(wish[name], x[before] + step(before, name)) if i else wish[name]
            off = sum(x[n] - wish[n] for n in line) / len(line)
            for name in line:
                x[name] -= off
    left = min(x[n] - wide[n] / 2 for n in x) - GAP
    return {name: round(x[name] - left) for name in x}


def picture(libraries):
    below = reach({name: uses for name, (_, uses, _) in libraries.items()})
    arrows = {name: [u for u in uses if not any(u in below[o] for o in uses)]
              for name, (_, uses, _) in libraries.items()}
    row = rows(arrows)
    chain = chains(arrows, row)
    x = places(arrows, row, chain)
    height = (max(row.values()) + 1) * ROW
    y = {name: height - row[name] * ROW - ROW // 2 for name in row}
    width = max(x[name] + (BOX[0] // 2 if name in row else 0) for name in x) + GAP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           f'width="{width}" height="{height}" font-family="sans-serif" font-size="14">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           '<g fill="none" stroke="#8a97a5" stroke-width="1.2">']
    bend = (ROW - BOX[1]) // 2
    for passed in chain.values():
        path = f"M{x[passed[0]]} {y[passed[0]] + BOX[1] // 2}"
        for one, other in zip(passed, passed[1:]):
            low = y[other] if other in row else height - other[2] * ROW - ROW // 2
            top, foot = low - ROW + BOX[1] // 2, low - BOX[1] // 2
            path += f"C{x[one]} {top + bend} {x[other]} {foot - bend} {x[other]} {foot}"
            path += f"V{foot + BOX[1]}" if other not in row else ""
        out.append(f'<path d="{path}"/>')
    out.append("</g>")
    for name, (place, _, text) in libraries.items():
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)|`", r"\1", text).replace("&", "&amp;")
        out.append(f'<g><title>{place}: {plain}</title><rect x="{x[name] - BOX[0] // 2}" '
                   f'y="{y[name] - BOX[1] // 2}" width="{BOX[0]}" height="{BOX[1]}" rx="4" '
                   f'fill="{COLOURS[place.split("/")[0]]}" stroke="#5b6773"/>'
                   f'<text x="{x[name]}" y="{y[name] + 5}" text-anchor="middle">{name}</text></g>')
    return "\n".join(out + ["</svg>", ""])


def lines_of(folder, old):
    """Lines of its C, to two digits; what the page has, while that is right to a fifth."""
    count = 0
    for path in sorted(glob.glob(f"{folder}/*")):
        if path.endswith(CODE):
            with open(path, encoding="utf-8") as text:
                count += sum(1 for _ in text)
    had = re.search(rf"^\| `{folder}` .*\| ([\d,]+) \|$", old, re.M)
    kept = int(had[1].replace(",", "")) if had else 0
    if abs(kept - count) <= count / 5:
        return f"{kept:,}"
    digits = 10 ** max(0, len(str(count)) - 2)
    return f"{(count + digits // 2) // digits * digits:,}"


def layers(folder):
    """Its layers, from the bottom up, as lines of a list."""
    try:
        with open(f"{folder}/layers.txt", encoding="utf-8") as text:
            cut = [line.strip().split(": ", 1) for line in text
                   if line.strip() and not line.startswith("#")]
    except FileNotFoundError:
        return []
    return [f"- *{head.split()[0]}*: {text}" for head, text in cut]


HEAD = """# Architecture

Made by `make architecture` of the table `.ci/libraries.txt` and the folders' `layers.txt`. \
How a library is cut and what holds it so: [developing.md](developing.md#libraries).

## Who uses whom

Each box is a library, coloured by its top folder: blue `csim`, green `traces`, orange `bridge`. \
A line leads down, between the boxes, to what it uses; what that uses in turn, it may use as well, as far as the \
tables below tell.

![libraries, and which uses which](architecture.svg)
"""


def page(table, old):
    libraries, out = table["library"], [HEAD]
    for top in COLOURS:
        out += [f"## {top}", "", "| folder | library | what it is for | may use | lines |",
                "|---|---|---|---|---|"]
        mine = {place: (name, uses, text) for name, (place, uses, text) in libraries.items()
                if place.startswith(top + "/")}
        for place, (name, uses, text) in mine.items():
            out.append(f"| `{place}` | `{name}` | {text} | {', '.join(uses) or '-'} | "
                       f"{lines_of(place, old)} |")
        out.append("")
        for place, (name, _, _) in mine.items():
            inside = layers(place)
            if inside:
                out += [f"`{name}` from the bottom up:", "", *inside, ""]
    out += ["## Programs", "", "| program | its `main()` | what it is for | libraries |",
            "|---|---|---|---|"]
    below = reach({name: uses for name, (_, uses, _) in libraries.items()})
    for name, (place, uses, text) in table["program"].items():
        linked = set(uses).union(*(below[u] for u in uses))
        out.append(f"| `{name}` | `{place}` | {text} | "
                   f"{', '.join(n for n in reversed(libraries) if n in linked)} |")
    return "\n".join(out + [""])


def folders(table, readme):
    """README.md with its table of folders."""
    out = ["| folder | what |", "|---|---|"]
    for top, (_, _, text) in table["folder"].items():
        names = [f"`{name}`" for name, (place, _, _) in table["library"].items()
                 if place.startswith(top + "/")]
        libraries = f"; libraries: {', '.join(names)}" if names else ""
        out.append(f"| `{top}/` | {text}{libraries} |")
    begin, end = "<!-- folders: begin -->\n", "<!-- folders: end -->"
    head, rest = readme.split(begin)
    return head + begin + "\n".join(out) + "\n" + end + rest.split(end)[1]


def text_of(path):
    try:
        with open(path, encoding="utf-8") as text:
            return text.read()
    except FileNotFoundError:
        return ""


def main():
    out, table = sys.argv[1] if len(sys.argv) > 1 else ".", read()
    made = {PAGE: page(table, text_of(PAGE)), PICTURE: picture(table["library"]),
            "README.md": folders(table, text_of("README.md"))}
    for path, content in made.items():
        path = os.path.join(out, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)


main()
