#!/usr/bin/env python3
"""values_sanitized.py VIGPU [CASE...] - the suite's kernels under --execute --rtl-values.

Records one work-group's launch of each kernel of traces/kernels/cases.yaml (its middle
width) by ./igpu and executes it in VIGPU, a ./Vigpu built with sanitizers, or memcheck's:
    make SAN=1 build/san/bin/Vigpu
    tests/cosim/values_sanitized.py build/san/bin/Vigpu
    tests/cosim/values_sanitized.py 'valgrind -q --error-exitcode=9 ./Vigpu' copy_partial
A run that does not end with status 0, or says anything of a sanitizer, is a failure.
"""
import os
import subprocess
import sys
import tempfile

import yaml

FOLDER = "traces/kernels"


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, timeout=1800)


def record(case, launch):
    def commas(sizes):
        return ",".join(str(size) for size in sizes)

    simd = case["simd"][len(case["simd"]) // 2]
    command = ["./igpu", "record", "--quiet", "-k", case["kernel"], "-g", commas(case["local"]),
               "-l", commas(case["local"]), "-O", f"{case.get('options', '')} -DSIMD={simd}".strip()]
    for arg in case.get("args", ()):
        command += ["--arg", arg]
    return run(command + ["--launch", launch, f"{FOLDER}/{case['file']}"])


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: values_sanitized.py VIGPU [CASE...]")
    with open(f"{FOLDER}/cases.yaml", encoding="utf-8") as file:
        cases = yaml.safe_load(file)["cases"]
    bad = ran = 0
    with tempfile.TemporaryDirectory() as work:
        launch = os.path.join(work, "launch.pb")
        for case in cases:
            if sys.argv[2:] and case["name"] not in sys.argv[2:]:
                continue
            done = record(case, launch)
            if done.returncode == 0:
                done = run([*sys.argv[1].split(), "--quiet", "--execute", "--rtl-values", launch])
            said = done.stdout
            wrong = done.returncode != 0 or "Sanitizer" in said or "runtime error" in said
            ran += 1
            bad += wrong
            if wrong:
                print(f"not ok {case['name']}: status {done.returncode}\n{said[-1500:]}", flush=True)
    print(f"{ran} kernels, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
