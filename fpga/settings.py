#!/usr/bin/env python3
"""settings.py NETLIST KEY=VALUE... - give the top of a netlist (Yosys's JSON) settings of
nextpnr, which takes them as if they were options; some have no option. The file is
rewritten whole or not at all."""
import json
import os
import sys


def main() -> int:
    path, *words = sys.argv[1:]
    with open(path, encoding="utf-8") as netlist:
        design = json.load(netlist)
    tops = [module for module in design["modules"].values()
            if int(module.get("attributes", {}).get("top", "0"), 2)]
    if len(tops) != 1:
        print(f"{path}: {len(tops)} modules have the attribute top, one is needed",
              file=sys.stderr)
        return 1
    tops[0].setdefault("settings", {}).update(word.split("=", 1) for word in words)
    with open(f"{path}.new", "w", encoding="utf-8") as netlist:
        json.dump(design, netlist)
    os.replace(f"{path}.new", path)
    return 0


sys.exit(main())
