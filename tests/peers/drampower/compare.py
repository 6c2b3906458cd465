#!/usr/bin/env python3
"""compare.py DRAMPOWER TRACE.pb... - our DRAM energies beside DRAMPower's, of the same
commands, with the same currents.

DRAMPOWER is a checkout of https://github.com/tukl-msd/DRAMPower at tag 4.0; nothing of it
is part of this project. Needs g++. Run from the top folder, after `make igpu`.

Each trace is simulated with --dram-commands; every rank's commands, in the order of their
clocks, go to DRAMPower's library. What DRAMPower 4.0 has no command for, or leaves out of
DDR4, is switched off here: power-down, pins, VPP. Exit status 1: a total differs by more
than 10 %.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = {"burst": "dram.burst", "groups": "dram.groups", "tras": "dram.tras",
        "trp": "dram.trp", "trcd": "dram.trcd", "trfc": "dram.trfc", "trefi": "dram.trefi",
        "cl": "dram.cl", "cwl": "dram.cwl", "tccd_s": "dram.tccd_s", "tccd_l": "dram.tccd_l",
        "trrd_s": "dram.trrd_s", "trrd_l": "dram.trrd_l", "tfaw": "dram.tfaw",
        "twtr_s": "dram.twtr_s", "twtr_l": "dram.twtr_l", "trtp": "dram.trtp",
        "twr": "dram.twr"}
CURRENTS = ("idd0", "idd2n", "idd3n", "idd4r", "idd4w", "idd5")
PARTS = ("activate", "read", "write", "refresh", "standby")


def build(drampower, folder):
    """DRAMPower's library with our main(): the program's path."""
    program = os.path.join(folder, "drampower_peer")
    source = os.path.join(drampower, "src")
    files = [os.path.join(source, name) for name in sorted(os.listdir(source))
             if name.endswith(".cc") and name != "TraceParser.cc"]
    subprocess.run(["g++", "-std=c++11", "-O1", "-w", "-I" + source, "-o", program,
                    os.path.join(HERE, "drampower_peer.cc"),
                    os.path.join(source, "libdrampower", "LibDRAMPower.cc"), *files],
                   check=True)
    return program


def parameters(config):
    """What the peer wants to know of a device, from our configuration."""
    out = {name: config[key] for name, key in KEYS.items()}
    out["banks"] = config["dram.groups"] * config["dram.banks"]
    out["mhz"] = config["dram.clock_hz"] / 1e6
    out["vdd"] = config["power.dram.vdd"] / 1e3
    out.update({name: config["power.dram." + name] / 1e3 for name in CURRENTS})
    return [f"{name}={value!r}" for name, value in out.items()]


def closed(commands, idle, end):
    """The same with what the controller would still do: rows that nobody uses any more
    are closed, which it tells when their bank is wanted again."""
    last = {}
    for clock, channel, rank, bank, command in sorted(commands):
        if command == "PRE":
            last.pop((channel, rank, bank), None)
        elif command == "REF":
            last = {k: v for k, v in last.items() if k[:2] != (channel, rank)}
        else:
            last[channel, rank, bank] = clock
    return commands + [(min(clock + idle, end), *bank, "PRE") for bank, clock in last.items()]


def peer(program, config, commands, end):
    """DRAMPower's energies of all ranks, in nJ."""
    total = dict.fromkeys(PARTS, 0.0)
    for channel in range(config["dram.channels"]):
        for rank in range(config["dram.ranks"]):
            mine = [c for c in commands if (c[1], c[2]) == (channel, rank)]
            # A row's closing is told late; of one clock, what closes comes first.
            mine.sort(key=lambda c: (c[0], {"PRE": 0, "REF": 1}.get(c[4], 2)))
            lines = [f"{c[0]} {c[4]} {c[3]}" for c in mine]
            got = subprocess.run([program, *parameters(config), f"end={end}"], input="\n".join(lines),
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
            for line in got.splitlines():
                name, value = line.split()
                total[name] += float(value) * config["power.dram.devices"]
    return total


def compare(program, trace, folder):
    """Prints both; the difference of the totals in percent."""
    out, log = os.path.join(folder, "d.csv"), os.path.join(folder, "d.json")
    subprocess.run(["./igpu", "ref", "--quiet", "--energy", "--dram-commands", out, "--json",
                    log, "-s", "power.dram.down=0", "-s", "power.dram.io=0",
                    "-s", "power.dram.ipp0=0", trace], check=True, stdout=subprocess.DEVNULL)
    with open(log, encoding="utf-8") as file:
        run = json.load(file)
    config = run["config"]
    with open(out, encoding="utf-8") as file:
        commands = [(int(r["clock"]), int(r["channel"]), int(r["rank"]), int(r["bank"]),
                     r["command"]) for r in csv.DictReader(file)]
    end = int(run["energy"]["seconds"] * config["dram.clock_hz"])
    end = max([end] + [c[0] for c in commands])
    theirs = peer(program, config, closed(commands, config["dram.idle_close"], end), end)
    ours = {name: run["energy"]["parts_nj"]["dram_" + name] for name in PARTS}
    print(f"{trace}: {len(commands)} commands in {end} clocks")
    for name in (*PARTS, "total"):
        a = sum(ours.values()) if name == "total" else ours[name]
        b = sum(theirs.values()) if name == "total" else theirs[name]
        print(f"  {name:9} ours {a:14.3f} nJ  DRAMPower {b:14.3f} nJ"
              + (f"  {100 * (a / b - 1):+7.2f} %" if b else ""))
    return 100 * (sum(ours.values()) / sum(theirs.values()) - 1)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    with tempfile.TemporaryDirectory() as folder:
        program = build(sys.argv[1], folder)
        worst = max((compare(program, trace, folder) for trace in sys.argv[2:]), key=abs)
    print(f"the totals differ by at most {abs(worst):.2f} %")
    sys.exit(0 if abs(worst) <= 10 else 1)


main()
