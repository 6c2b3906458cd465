#!/usr/bin/env python3
"""captures.py [--every N] [--limit INSTRUCTIONS] [--csv FILE] - RTL and C reference on captures.

Captures programs of four drivers on the render node: the kernels of tests/perf/stacks and the
Level Zero program on Intel's compute driver (NEO), three scenes of each program of
tests/bridge/graphics on Mesa's GL, its programs of Vulkan, and the kernels that Mesa's rusticl
can compile. Each becomes a trace (`igpu frame trace`) that both engines run side by side
(`Vigpu --check`). --every N takes each Nth of the list (1). One of more instructions than
--limit (3,000,000) is left out. Prints a row for each, with what Vigpu said if the engines
differ, and how many agree of how many. Exit status 1: a capture fails or engines differ.
Build first: make igpu verilate.
"""
import argparse
import csv
import functools
import glob
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BIN = os.path.join(os.environ.get("BUILD", os.path.join(TOP, "build")), "bin")
IGPU, VIGPU = os.path.join(BIN, "igpu"), os.path.join(BIN, "Vigpu")
STACKS = os.path.join(TOP, "tests", "perf", "stacks")
GRAPHICS = os.path.join(TOP, "tests", "bridge", "graphics")
KERNELS = os.path.join(STACKS, "kernels.cl")
GL = ["scenes", "textures", "primitives", "outlines", "layers", "samples", "compute", "blocks",
      "patches", "tables"]
VULKAN = [["fences"], ["events"], ["conditions"], ["doubles"], ["bindings", "many"],
          ["bindings", "bindless"], ["conservative"]]
RUSTICL = ["copy", "saxpy", "wide", "stride", "gather", "mads", "mathf", "integers", "reduce"]
ZERO = """kernel void add(global const int *a, global const int *b, global int *c)
{ int i = get_global_id(0); c[i] = a[i] + b[i]; }
kernel void spin(global int *a, int n)
{ int v = a[0]; for (int i = 0; i < n; i++) v = v * 3 + i; a[0] = v; }
"""
SCENES = 3  # of each program, spread over it


def sh(command, env=None):
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, **(env or {})})


@functools.cache
def compile_program(folder, source, *libraries):
    """Its path, compiled when it is asked for."""
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    done = sh(["cc", "-O1", "-D_POSIX_C_SOURCE=200809L", "-o", program, source, *libraries, "-lm"])
    if done.returncode != 0:
        sys.exit(f"captures.py: {source}: {done.stderr.splitlines()[0]}")
    return program


def kernels():
    with open(KERNELS, encoding="utf-8") as text:
        return re.findall(r"^kernel void (\w+)\(", text.read(), re.M)


def alone(kernel, folder):
    """The path of a source of this kernel alone: rusticl has no halves and sub-groups."""
    with open(KERNELS, encoding="utf-8") as text:
        head, *parts = re.split(r"^(?=kernel void )", text.read(), flags=re.M)
    path = os.path.join(folder, f"{kernel}.cl")
    with open(path, "w", encoding="utf-8") as out:
        out.write(re.sub(r"^#pragma.*$", "", head, flags=re.M))
        out.write(next(p for p in parts if p.startswith(f"kernel void {kernel}(")))
    return path


@functools.cache
def compile_shaders(folder):
    for shader in glob.glob(os.path.join(GRAPHICS, "shaders", "*")):
        sh(["glslangValidator", "-V", "--quiet", "--target-env", "vulkan1.2", "-o",
            os.path.join(folder, os.path.basename(shader) + ".spv"), shader])


def vulkan_program(folder, name):
    compile_shaders(folder)
    return compile_program(folder, os.path.join(GRAPHICS, f"{name}.c"), "-lvulkan")


def zero_kernels(folder):
    with open(os.path.join(folder, "k.cl"), "w", encoding="utf-8") as out:
        out.write(ZERO)
    sh(["ocloc", "compile", "-file", os.path.join(folder, "k.cl"), "-device", "skl", "-spv_only",
        "-out_dir", folder, "-output", "k", "-output_no_suffix"])
    return os.path.join(folder, "k.spv")


def scenes(source):
    with open(source, encoding="utf-8") as text:
        names = re.findall(r'\{"(\w+)", \w+\}', text.read())
    step = max(1, len(names) // SCENES)
    return names[::step][:SCENES]


def listed(folder):
    """Rows: driver, name, command that captures to OUT, what is set for it. A word that is a
    function gives its path, and compiles what is there, when the row is run."""
    rows, compiled = [], functools.partial(functools.partial, compile_program, folder)
    stacks = compiled(os.path.join(STACKS, "stacks.c"), "-lOpenCL")
    zero = compiled(os.path.join(TOP, "tests/ocl/neo/level_zero.c"), "-lze_loader")
    neo = [IGPU, "run", "--driver", "neo", "-o", "OUT", "--"]
    node = [IGPU, "gl", "-o", "OUT", "--"]
    for kernel in kernels():
        rows.append(("NEO", kernel, [*neo, stacks, KERNELS, kernel], {}))
    rows.append(("NEO", "level_zero", [*neo, zero, functools.partial(zero_kernels, folder)], {}))
    for name in GL:
        source = os.path.join(GRAPHICS, f"{name}.c")
        program = compiled(source, "-lEGL", "-lGLESv2")
        for scene in scenes(source):
            rows.append(("GL", f"{name} {scene}", [*node, program, folder, scene], {}))
    for words in VULKAN:
        program = functools.partial(vulkan_program, folder, words[0])
        rows.append(("Vulkan", " ".join(words), [*node, program, folder, *words[1:]], {}))
    for kernel in RUSTICL:
        rows.append(("rusticl", kernel, [*node, stacks, alone(kernel, folder), kernel],
                     {"RUSTICL_ENABLE": "iris",
                      "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/rusticl.icd"}))
    return rows


def check(row, folder, limit):
    """What came out ("equal", "left out" or a reason), instructions, cycles."""
    _, _, command, env = row
    path, trace = os.path.join(folder, "t.igf"), os.path.join(folder, "t.pb")
    words = [word() if callable(word) else word for word in command]
    done = sh([path if word == "OUT" else word for word in words], env)
    if not os.path.exists(path):
        return (done.stderr or done.stdout).strip().splitlines()[-1][:160], 0, 0
    done = sh([IGPU, "frame", "trace", "-o", trace, path])
    os.remove(path)
    if done.returncode != 0:
        return done.stderr.strip()[:160], 0, 0
    done = sh([IGPU, "ref", "--csv", "-", trace])
    total = next((r for r in csv.DictReader(done.stdout.splitlines()) if r["launch"] == "total"),
                 None)
    if total is None:
        return done.stderr.strip()[:160] or "no launch", 0, 0
    count, cycles = int(total["instructions"]), int(total["cycles"])
    if count > limit:
        return "left out", count, cycles
    done = sh([VIGPU, "--quiet", "--check", trace])
    return "equal" if done.returncode == 0 else done.stderr.strip()[:160], count, cycles


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--limit", type=int, default=3000000, metavar="INSTRUCTIONS")
    parser.add_argument("--csv", metavar="FILE")
    options = parser.parse_args()
    print(f"{'driver':<8} {'capture':<24} {'instructions':>12} {'cycles':>9}  verdict")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for row in listed(folder)[::options.every]:
            verdict, count, cycles = check(row, folder, options.limit)
            results.append([row[0], row[1], count, cycles, verdict])
            print(f"{row[0]:<8} {row[1]:<24} {count:>12} {cycles:>9}  {verdict}", flush=True)
    if options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([["driver", "capture", "instructions", "cycles",
                                        "verdict"]] + results)
    tried = [r for r in results if r[-1] != "left out"]
    equal = sum(r[-1] == "equal" for r in tried)
    print(f"{equal} of {len(tried)} captures are the same on both engines")
    return 0 if tried and equal == len(tried) else 1


if __name__ == "__main__":
    sys.exit(main())
