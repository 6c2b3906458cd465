#!/usr/bin/env python3
"""pieces.py NAME... - launches side by side (`igpu ref -j 2`) against one simulation of all,
for cases of run.py that it has recorded (docs/guide/sampling.md, section 6).

A busy machine's wall time says little, so the time that two free processors would take is
told by CPU seconds: the driver's own, and the largest of its processes'.
"""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run  # noqa: E402  pylint: disable=wrong-import-position

TICK = os.sysconf("SC_CLK_TCK")


def cpu_of(pid):
    """CPU seconds of a process so far, and its parent."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as text:
        words = text.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / TICK, int(words[1])


def watch(*words):
    """Run a command: wall seconds, its own CPU seconds, its processes'."""
    begin, seen = time.monotonic(), {}
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    seconds, parent = cpu_of(pid)
                except OSError:
                    continue
                if process.pid in (int(pid), parent):
                    seen[int(pid)] = seconds
            time.sleep(0.05)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: exit {process.returncode}")
    driver = seen.pop(process.pid, 0)
    return time.monotonic() - begin, driver, sorted(seen.values())


def result(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def main():
    for name in sys.argv[1:]:
        trace, out = os.path.join(run.WORK, f"{name}.pb"), os.path.join(run.WORK, "pieces.json")
        command = (run.IGPU, "ref", "--quiet", "--json", out)
        wall, cpu, _ = watch(*command, trace)
        whole = result(out)
        wall2, driver, workers = watch(*command, "-j", "2", trace)
        error = 100 * (result(out)["cycles"] / whole["cycles"] - 1)
        print(f"{name}: {len(whole['kernels'])} launches, one simulation {cpu:.1f} CPU s "
              f"({wall:.1f} s wall); -j 2: driver {driver:.1f}, processes "
              f"{' and '.join(f'{w:.1f}' for w in workers)} CPU s ({wall2:.1f} s wall): "
              f"{cpu / (driver + max(workers)):.2f} x by CPU, {wall / wall2:.2f} x by wall; "
              f"cycles {error:+.2f} %", flush=True)


if __name__ == "__main__":
    main()
