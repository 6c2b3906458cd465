#!/usr/bin/env python3
"""The numbers that the model must show, each from a real kernel.

usage: tests/perf/shown.py [--quick] [--engine ref|rtl] [ROW...]

Records the kernels of traces/kernels/ with ./igpu, simulates them, and prints for
every row what was measured, what is demanded and whether it holds. Rows: see ROWS.
--quick leaves out points that take long. Ends with `N passed, N failed`.
"""
import argparse
import json
import math
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, os.environ.get("BUILD", "build"), "shown")
PEAK = 16  # FLOP per cycle and EU
A64 = "-cl-intel-greater-than-4GB-buffer-required"
MAD_ARGS = {"sp": "f32:0.9990234375", "dp": "f64:0.9990234375",
            "hp": "f16:0.9990234375", "int": "i32:3"}
BYTES = {"sp": 4, "dp": 8, "hp": 2, "int": 4}


class Shown:
    def __init__(self, engine, quick):
        self.engine, self.quick = engine, quick
        self.passed = self.failed = 0

    def check(self, what, value, good, demand):
        print(f"{'ok  ' if good else 'FAIL'} {what}: {value} ({demand})", flush=True)
        self.passed += bool(good)
        self.failed += not good

    def record(self, name, source, kernel, size, local, args, options=""):
        """Record once; return the trace's path."""
        path = os.path.join(WORK, name + ".pb")
        if os.path.exists(path):
            return path
        command = ["./igpu", "record", "-k", kernel, "-g", str(size), "-l", str(local),
                   "-o", path, "--quiet", "-O", options]
        for arg in args:
            command += ["--arg", arg]
        command.append(os.path.join("traces", "kernels", source))
        subprocess.run(command, cwd=ROOT, check=True)
        return path

    def run(self, trace, config="skl-gt2", engine=None, sets=()):
        engine = engine or self.engine
        command = ["./igpu", "ref"] if engine == "ref" else ["./Vigpu", "--engine", engine]
        command += ["--quiet", "--json", "-", "-c", config]
        for item in sets:
            command += ["-s", item]
        done = subprocess.run(command + [trace], cwd=ROOT, check=True,
                              stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    def mad(self, kind, groups, local, loops):
        items = groups * local
        factor = MAD_ARGS[kind]
        return self.record(f"mad_{kind}_{groups}x{local}_{loops}", "mad.cl", f"mad_{kind}",
                           items, local, [f"buf:{items * BYTES[kind]}", f"i32:{loops}",
                                          factor, factor], "-DSIMD=32")

    def flop_per_cycle(self, kind, groups, local, loops, config="skl-gt2"):
        """Two operations for each of the 64 * loops steps of each work-item."""
        cycles = self.run(self.mad(kind, groups, local, loops), config)["cycles"]
        return 2.0 * groups * local * 64 * loops / cycles, cycles


def row_peak(s):
    peak = 24 * PEAK
    for groups in (48, 72, 96, 168):
        rate, cycles = s.flop_per_cycle("sp", groups, 32, 128)
        share = rate / peak
        what = f"single MAD, {groups} work-groups, {cycles} cycles"
        text = f"{rate:.1f} FLOP/cycle, {100 * share:.1f} % of {peak}"
        if groups == 48:
            s.check(what, text, share < 0.80, "below 80 %")
        elif groups == 72:
            s.check(what, text, share < 0.95, "reported; below the saturation at 96")
        else:
            s.check(what, text, 0.95 <= share <= 1.0, "95 to 100 %")
        s.check(what + ", length", cycles, cycles > 100000, "over 1e5 cycles")


def row_ratios(s):
    base, _ = s.flop_per_cycle("sp", 168, 32, 128)
    for kind, want, room in (("dp", 0.25, 0.01), ("hp", 2.0, 0.1), ("int", 1 / 3, 0.03)):
        rate, _ = s.flop_per_cycle(kind, 168, 32, 128)
        s.check(f"{kind} MAD / single MAD", f"{rate / base:.4f}",
                abs(rate / base - want) <= room, f"{want:.2f} +- {room}")


def local_maxima(curve, first, last):
    """Points of a curve {x: y} above both neighbours that it has, in [first, last]."""
    return [x for x in sorted(curve) if first <= x <= last and
            all(curve.get(n, 0) < curve[x] for n in (x - 1, x + 1) if n in curve)]


def row_sweep(s):
    loops = 16
    if s.quick:
        points = sorted({1, 24, 48, 72, 168, 169, 192, 336} |
                        {p + d for p in (96, 120, 144, 168) for d in (-1, 0, 1)})
    else:
        points = range(1, 337)
    cycles = {g: s.flop_per_cycle("sp", g, 32, loops)[1] for g in points}
    rate = {g: g / cycles[g] for g in cycles}
    flat = cycles[24] / cycles[1]
    s.check("T(24) / T(1): one thread per EU", f"{flat:.3f}", flat < 1.15, "flat")
    flat = cycles[72] / cycles[1]
    s.check("T(72) / T(1): up to saturation", f"{flat:.3f}", flat < 1.15, "flat")
    s.check("97 / 96 work-groups, throughput", f"{rate[97] / rate[96]:.3f}",
            abs(rate[97] / rate[96] - 0.81) < 0.03, "about 0.81")
    found = [x for x in local_maxima(rate, 96, 168)]
    s.check("local maxima from 96 to 168", found, found == [96, 120, 144, 168],
            "exactly 96, 120, 144, 168")
    lone = cycles[168] + cycles[1]
    s.check("T(169) against T(168) + T(1)", f"{cycles[169]} against {lone}, "
            f"{cycles[169] / cycles[168]:.3f} x T(168)",
            abs(cycles[169] / lone - 1) < 0.05, "within 5 %")
    s.check("96 / 168 work-groups, throughput", f"{rate[96] / rate[168]:.3f}",
            rate[96] / rate[168] > 0.95, "saturated from 96")
    print("     T(192), T(336) / T(168): "
          f"{cycles[192] / cycles[168]:.3f}, {cycles[336] / cycles[168]:.3f}")
    other = "rtl" if s.engine == "ref" else "ref"
    both = {g: s.run(s.mad("sp", g, 32, loops), engine=other)["cycles"]
            for g in (96, 97, 168, 169, 192, 336)}
    s.check("cycles at 96, 97, 168, 169, 192, 336 work-groups in the other engine",
            list(both.values()), all(both[g] == cycles[g] for g in both), "the same")


def row_groups256(s):
    rate = {}
    for groups in range(11, 23):
        rate[groups], _ = s.flop_per_cycle("sp", groups, 256, 16)
    found = local_maxima(rate, 12, 21)
    s.check("work-groups of 256 items, local maxima", found, found == [12, 15, 18, 21],
            "12, 15, 18, 21")


def row_gt3e(s):
    peak = 48 * PEAK
    for groups, low, high in ((96, 0.0, 0.80), (192, 0.95, 1.0), (336, 0.95, 1.0)):
        rate, _ = s.flop_per_cycle("sp", groups, 32, 128, "kbl-gt3e")
        s.check(f"kbl-gt3e, single MAD, {groups} work-groups",
                f"{rate:.1f} FLOP/cycle, {100 * rate / peak:.1f} % of {peak}",
                low <= rate / peak <= high, f"{100 * low:.0f} to {100 * high:.0f} %")


def step_ns(s, size, config):
    """Nanoseconds of one step: a lap before, then 2n steps less n."""
    lap = size // 64
    n = max(4096, min(lap, 65536))
    times = []
    for steps in (lap + n, lap + 2 * n):
        trace = s.record(f"chase_{size}_{steps}", "chase.cl", "chase_a64", 1, 1,
                         [f"buf:{size}:chaseidx:7", "buf:4", "i32:0",
                          f"u32:{steps // 16}"], f"-DSIMD=8 {A64}")
        times.append(s.run(trace, config)["time_ns"])
    return (times[1] - times[0]) / n


def row_latency(s):
    points = [(256 << 10, 125), (1 << 20, 213)]
    if not s.quick:
        points.append((256 << 20, 355))
    for size, want in points:
        ns = step_ns(s, size, "skl-gt2")
        s.check(f"skl-gt2 chase, {size >> 10} KB", f"{ns:.1f} ns a step",
                abs(ns / want - 1) <= 0.05, f"{want} within 5 %")


def row_latency_gt3e(s):
    points = [(512 << 10, 144), (2 << 20, 260), (8 << 20, 350)]
    if not s.quick:
        points.append((256 << 20, 422))
    last = 0.0
    for size, want in points:
        ns = step_ns(s, size, "kbl-gt3e")
        s.check(f"kbl-gt3e chase, {size >> 10} KB", f"{ns:.1f} ns a step, measured {want}: "
                f"{100 * (ns / want - 1):+.1f} %", ns > last, "rises with the working set")
        last = ns


def bench(name, *options, engine="ref"):
    """The rows that `igpu bench` gives, a list."""
    command = ["./igpu", "bench", name, "--engine", engine, "--quiet", "--json", "-"]
    done = subprocess.run(command + list(options), cwd=ROOT, check=True,
                          stdout=subprocess.PIPE)
    rows = json.loads(done.stdout)
    return rows if isinstance(rows, list) else [rows]


def row_mlp(s):
    """N chases at once, the four working sets of the published curves."""
    threads = "14,98,112,168" if s.quick else "14..168:14"
    curves = {}
    for r in bench("mlp", "--threads", threads, engine=s.engine):
        curves.setdefault(r["ws_bytes"], {})[r["threads"]] = r
    for ws, curve in curves.items():
        print(f"     {ws} B: {curve[14]['ns_per_step']:.1f} ns a step; relative time: " +
              ", ".join(f"{n}: {r['relative_time']:.3f}" for n, r in curve.items()))
        knee = 168 / curve[168]["relative_time"]
        s.check(f"knee (168 / relative time at 168), {ws} B a thread",
                f"{knee:.1f} chases", 100 <= knee <= 120, "100 to 120")
    least, second = (list(curves.values())[i] for i in range(2))
    apart = max(abs(least[n]["relative_time"] / second[n]["relative_time"] - 1)
                for n in least)
    s.check("the first two curves", f"{100 * apart:.2f} % apart at most", apart < 0.02,
            "coincide")
    s.check("98 chases against 14, in the L3", f"{second[98]['relative_time']:.3f}",
            second[98]["relative_time"] < 1.05, "flat to about 100")
    ramp = [r["ns_per_step"] for r in
            bench("mlp", "--ws", "1M", "--threads", "1..14", engine=s.engine)]
    print("     1 MB a thread, 1 to 14 threads: " +
          ", ".join(f"{ns:.0f}" for ns in ramp) + " ns")
    end = 2 + 6 * (ramp[13] - ramp[1]) / (ramp[7] - ramp[1])
    s.check("1 MB a thread, where the line from 2 to 8 threads meets the level at 14",
            f"{end:.1f} threads", 7 <= end <= 11, "a ramp until about 8 threads")


ENGINE_POINTS = (
    ("flops", "--work-groups", "24,168", "--loops", "4"),
    ("flops", "-c", "kbl-gt3e", "--work-groups", "48", "--loops", "2"),
    ("latency", "--ws", "64K,1M"),
    ("latency", "-c", "kbl-gt3e", "--ws", "2M"),
    ("latency", "--agent", "cpu", "--ws", "1M"),
    ("interference", "--table", "a", "--gpu-ws", "3", "--cpu-ws", "9"),
    ("interference", "--table", "b", "--gpu-ws", "3", "--cpu-ws", "9"),
    ("interference", "--table", "c", "--gpu-ws", "1", "--cpu-ws", "9"),
    ("interference", "--table", "d", "--gpu-ws", "3", "--cpu-ws", "5"),
    ("coalescing", "--groups", "8", "--stride", "1,16"),
    ("mlp", "--ws", "64,1M", "--threads", "28"),
    ("bandwidth", "--level", "l3", "--vector", "1,4", "--bytes", "256K"),
    ("bandwidth", "--level", "slm", "--vector", "4", "--bytes", "256K"),
    ("bandwidth", "--level", "llc", "--vector", "4", "--bytes", "1M"),
    ("bandwidth", "--level", "dram", "--vector", "4", "--bytes", "1M"))


def row_engines(s):
    """Points of every experiment, through the RTL and through the C reference."""
    for point in ENGINE_POINTS:
        rows = {e: bench(point[0], *point[1:], engine=e) for e in ("ref", "rtl")}
        s.check("igpu bench " + " ".join(point), f"{len(rows['ref'])} points",
                rows["ref"] == rows["rtl"], "RTL and C reference give the same numbers")


def memory_share(trace):
    """Share of the host instructions of `igpu ref` that the memory side executes itself."""
    out = os.path.join(WORK, "callgrind.out")
    subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                    "./igpu", "ref", "--quiet", "--json", "-", trace], cwd=ROOT,
                   check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", out], cwd=ROOT,
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (\S+)", text, re.MULTILINE)
    costs = [(int(n.replace(",", "")), where) for n, where in rows]
    whole = next(n for n, where in costs if where == "PROGRAM")
    return sum(n for n, where in costs if re.search(r"csim/(mem|ff|side)/", where)) / whole


def peak_rss(trace):
    """Peak memory of `igpu ref` in MB."""
    done = subprocess.run(["/usr/bin/time", "-f", "%M", "./igpu", "ref", "--quiet",
                           "--json", "-", trace], cwd=ROOT, check=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return int(done.stderr.split()[-1]) / 1024


def row_cost(s):
    """What the memory side costs: a share of the host's time, and memory."""
    def stream(loads):
        return s.record(f"l3_stream_{loads}", "bandwidth.cl", "sweep", 5376, 32,
                        ["buf:262144", "buf:86016", f"u32:{loads}", "u32:16383"],
                        "-DV=uint4")

    def chase(steps):
        return s.record(f"chase_rss_{steps}", "chase.cl", "chase_a64", 1, 1,
                        ["buf:64M:chaseidx:7", "buf:4", "i32:0", f"u32:{steps // 16}"],
                        f"-DSIMD=8 {A64}")
    share = memory_share(stream(256))
    s.check("csim/mem on the L3 stream, share of host instructions",
            f"{100 * share:.1f} %", share < 0.6, "below 60 %")
    for what, make, n in (("L3 stream", stream, 256), ("chase over 64 MB", chase, 65536)):
        small, large = peak_rss(make(n)), peak_rss(make(10 * n))
        s.check(f"peak memory, {what}, and ten times as long",
                f"{small:.1f} and {large:.1f} MB", large < 2 * small,
                "follows the caches, not the trace")


def median_khz(s, trace, engine, sets=()):
    rates = [s.run(trace, engine=engine, sets=sets)["host"]["target_kcycles_per_s"]
             for _ in range(5)]
    return statistics.median(rates)


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def row_speed(s):
    mad = s.mad("sp", 168, 32, 128)
    chases = [s.record(f"chase_n_168_simd{simd}", "chase.cl", "chase_n", 168, 1,
                       [f"buf:{168 * 2048}:chase:5:168", "buf:672", "u32:2048",
                        "u32:4000"], f"-DSIMD={simd}") for simd in (8, 32)]
    idle = s.record("chase_idle", "chase.cl", "chase_a64", 1, 1,
                    ["buf:1M:chaseidx:7", "buf:4", "i32:0", "u32:2048"],
                    f"-DSIMD=8 {A64}")
    print(f"     machine: {cpu_name()}, one core")
    for what, trace, floors in (("MAD, 168 threads", mad, (400, 900)),
                                ("168 chases in L3, SIMD8", chases[0], (900, 1700)),
                                ("168 chases in L3, SIMD32", chases[1], (0, 0)),
                                ("one chase, mostly idle", idle, (20000, 20000))):
        rtl, ref = median_khz(s, trace, "rtl"), median_khz(s, trace, "ref")
        text = f"RTL {rtl:.0f} kHz, C reference {ref:.0f} kHz, ratio {rtl / ref:.2f}"
        s.check(f"speed, {what}", text, rtl >= floors[0] and ref >= floors[1],
                f"at least {floors[0]} and {floors[1]} kHz" if floors[0] else "reported")


def row_record(s):
    loops = 4600  # 168 threads x 130 instructions a turn: 1e8
    path = os.path.join(WORK, "record_speed.pb")
    start = time.monotonic()
    done = subprocess.run(
        ["./igpu", "record", "-k", "mad_sp", "-g", "5376", "-l", "32", "-O", "-DSIMD=32",
         "--arg", "buf:21504", "--arg", f"i32:{loops}", "--arg", "f32:0.5", "--arg",
         "f32:0.5", "-o", path, "traces/kernels/mad.cl"], cwd=ROOT, check=True,
        stdout=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    count = int(done.stdout.split("instructions  ")[1].split()[0])
    s.check("recording speed", f"{count} instructions in {seconds:.1f} s: "
            f"{count / seconds / 1e6:.1f} M/s, compile included",
            count >= 1e8 and count / seconds >= 5e6, "5 M/s over 1e8")
    size = os.path.getsize(path)
    s.check("trace size, MAD", f"{size / count:.6f} bytes per instruction",
            size / count < 0.05, "below 0.05")
    os.remove(path)
    for lines in (4096, 65536):
        sizes = []
        for turns in (1, lines // 16 + 1):
            trace = s.record(f"lap_{lines}_{turns}", "chase.cl", "chase_a64", 1, 1,
                             [f"buf:{lines * 64}:chaseidx:7", "buf:4", "i32:0",
                              f"u32:{turns}"], f"-DSIMD=8 {A64}")
            sizes.append(os.path.getsize(trace))
        bits = 8 * (sizes[1] - sizes[0]) / lines
        entropy = math.log2(lines) - 1.44
        s.check(f"trace size, one lap over {lines} lines",
                f"{bits:.2f} bits a step, {bits / entropy:.2f} x its entropy",
                bits <= 1.25 * entropy, "within 1.25 x, beyond a trace of 16 steps")


def cpu_seconds(command):
    """Output of the command and the CPU seconds that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, (after.ru_utime - before.ru_utime) + (after.ru_stime -
                                                              before.ru_stime)


def row_emulate(s):
    """Hardware-thread instructions per CPU second; the first run fills the compile cache."""
    cases = (("MAD", "mad.cl", "mad_sp", "5376", "32", 32,
              ["buf:21504", "i32:4600", "f32:0.5", "f32:0.5"], 20),
             ("matrix multiply, naive", "matmul.cl", "matmul_naive", "512,512", "16,4", 16,
              ["buf:1M:randf32:1", "buf:1M:randf32:2", "buf:1M", "i32:512"], 10),
             ("matrix multiply, tiled", "matmul.cl", "matmul_tiled", "512,512", "16,16", 16,
              ["buf:1M:randf32:1", "buf:1M:randf32:2", "buf:1M", "i32:512"], 10))
    path = os.path.join(WORK, "emulate.pb")
    for what, source, kernel, size, local, simd, args, floor in cases:
        command = ["./igpu", "record", "-k", kernel, "-g", size, "-l", local, "-O",
                   f"-DSIMD={simd}"]
        for arg in args:
            command += ["--arg", arg]
        command.append("traces/kernels/" + source)
        rates = []
        for extra in ([], [], ["-o", path]):
            text, seconds = cpu_seconds(command[:2] + extra + command[2:])
            count = int(text.split("instructions  ")[1].split()[0])
            rates.append(count / seconds / 1e6)
        s.check(f"emulation, {what}", f"{rates[1]:.1f} M instructions per CPU second, "
                f"{rates[2]:.1f} with the trace, of {count}", min(rates[1:]) >= floor,
                f"at least {floor} M")
    os.remove(path)


ROWS = {"peak": row_peak, "ratios": row_ratios, "sweep": row_sweep,
        "groups256": row_groups256, "gt3e": row_gt3e, "latency": row_latency,
        "latency-gt3e": row_latency_gt3e, "mlp": row_mlp, "speed": row_speed,
        "record": row_record, "emulate": row_emulate, "engines": row_engines,
        "cost": row_cost}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--engine", choices=("ref", "rtl"), default="ref")
    parser.add_argument("rows", nargs="*", help=", ".join(ROWS))
    options = parser.parse_args()
    unknown = [r for r in options.rows if r not in ROWS]
    if unknown:
        parser.error(f"no row {unknown[0]}; rows: {', '.join(ROWS)}")
    os.makedirs(WORK, exist_ok=True)
    shown = Shown(options.engine, options.quick)
    for name in options.rows or ROWS:
        if not (options.quick and name == "speed"):
            ROWS[name](shown)
    print(f"{shown.passed} passed, {shown.failed} failed")
    return 1 if shown.failed else 0


if __name__ == "__main__":
    sys.exit(main())
