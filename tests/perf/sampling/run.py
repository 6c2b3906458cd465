#!/usr/bin/env python3
"""run.py [NAME...] - samples against whole runs, for the kernels of kernels.txt and the
programs of apps.c (docs/guide/sampling.md, section 6): `make sampling`.

Everything is simulated by `igpu ref`. Traces and whole runs are kept in $IGPU_BUILD/sampling
and not made again; times are CPU seconds: of recording, of the whole run, of the sample.
Results go to results.csv beside this file as they come; rows of other cases stay.
"""
import csv
import json
import os
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "..", "traces", "kernels")
BUILD = os.environ.get("IGPU_BUILD", "build")
IGPU = os.environ.get("IGPU", os.path.join(BUILD, "bin", "igpu"))
WORK = os.path.join(BUILD, "sampling")
APPS = ("cg", "jacobi", "lu", "sort", "bfs", "nbody")
COLUMNS = ("name", "launches", "instructions", "cycles", "error_percent", "half_percent",
           "covered", "threads_percent", "record_seconds", "whole_seconds", "cpu_seconds",
           "speedup", "speedup_recorded")
RESULTS = os.path.join(HERE, "results.csv")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def record_kernel(line, trace):
    _, file, kernel, size, local, *args = line
    source = os.path.join(HERE if file.startswith("./") else KERNELS, file)
    run(IGPU, "record", "--quiet", "-k", kernel, "-g", size, "-l", local,
        *(word for arg in args for word in ("--arg", arg)), "-o", trace, source)


def record_app(name, trace):
    program = os.path.join(WORK, "apps")
    folder = trace + ".d"
    if not os.path.exists(program):
        run("cc", "-O1", "-o", program, os.path.join(HERE, "apps.c"), "-lOpenCL")
    subprocess.run([os.path.abspath(IGPU), "run", "--quiet", "--one", "-o",
                    os.path.abspath(folder), "--", os.path.abspath(program), name],
                   check=True, cwd=HERE, capture_output=True)
    os.replace(os.path.join(folder, "trace.pb"), trace)


def recorded(trace, record):
    """CPU seconds that recording takes; None: it was recorded before this was noted."""
    kept = trace[:-3] + ".seconds"
    if not os.path.exists(trace):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        record(trace)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(kept, "w", encoding="utf-8") as text:
            text.write(str(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime))
    if not os.path.exists(kept):
        return None
    with open(kept, encoding="utf-8") as text:
        return float(text.read())


def whole_run(trace):
    kept = trace[:-3] + ".json"
    if not os.path.exists(kept):
        run(IGPU, "ref", "--quiet", "--json", kept, trace)
    with open(kept, encoding="utf-8") as text:
        return json.load(text)


def compare(name, trace, record):
    record_cpu = recorded(trace, record)
    whole = whole_run(trace)
    part = json.loads(run(IGPU, "ref", "--quiet", "--json", "-", "--sample", "error=2%", trace))
    low, high = part["sample"]["cycles_low"], part["sample"]["cycles_high"]
    whole_cpu, cpu = whole["host"]["cpu_seconds"], part["host"]["cpu_seconds"]
    return {"name": name, "launches": len(whole["kernels"]),
            "instructions": whole["instructions"], "cycles": whole["cycles"],
            "error_percent": f"{100 * (part['cycles'] / whole['cycles'] - 1):.2f}",
            "half_percent": f"{50 * (high - low) / part['cycles']:.2f}",
            "covered": int(low <= whole["cycles"] <= high),
            "threads_percent":
                f"{100 * part['sample']['threads'] / whole['threads_dispatched']:.1f}",
            "record_seconds": "" if record_cpu is None else f"{record_cpu:.1f}",
            "whole_seconds": f"{whole_cpu:.1f}", "cpu_seconds": f"{cpu:.2f}",
            "speedup": f"{whole_cpu / cpu:.1f}",
            "speedup_recorded": "" if record_cpu is None else
                                f"{(record_cpu + whole_cpu) / (record_cpu + cpu):.1f}"}


def cases():
    with open(os.path.join(HERE, "kernels.txt"), encoding="utf-8") as text:
        for line in (line.split("#")[0].split() for line in text):
            if line:
                yield line[0], lambda trace, line=line: record_kernel(line, trace)
    for name in APPS:
        yield f"app_{name}", lambda trace, name=name: record_app(name, trace)


def summary(rows):
    errors = [abs(float(row["error_percent"])) for row in rows]
    print(f"{len(rows)} cases: mean error {sum(errors) / len(errors):.2f} %, worst "
          f"{max(errors):.2f} %, {100 * sum(int(row['covered']) for row in rows) / len(rows):.0f}"
          " % of the intervals cover the whole run")


def known_rows():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, encoding="utf-8", newline="") as text:
        return {row["name"]: row for row in csv.DictReader(text)}


def write(rows):
    with open(RESULTS + ".part", "w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    os.replace(RESULTS + ".part", RESULTS)


def main():
    os.makedirs(WORK, exist_ok=True)
    rows = known_rows()
    wanted = sys.argv[1:]
    for name, record in cases():
        if wanted and name not in wanted:
            continue
        rows[name] = compare(name, os.path.join(WORK, f"{name}.pb"), record)
        write([rows[known] for known, _ in cases() if known in rows])
        print("  ".join(f"{rows[name][c]}" for c in COLUMNS), flush=True)
    summary(list(rows.values()))


if __name__ == "__main__":
    main()
