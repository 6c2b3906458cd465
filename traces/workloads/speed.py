"""speed.py [NAME...] - docs/lab/2026-11-predict.md's table of speed: of launches of over 1e8
instructions, CPU seconds of the RTL engine, from begin to end, against those of a prediction
from sampled features. From the top folder, after `make verilate igpu python`. NAME: only these kernels.
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, "build/python")
os.environ.setdefault("IGPU", os.path.abspath("igpu"))
from vigpu.predict import launches, model  # noqa: E402  (the path comes first)

SAMPLE, TIMES = 672, 5
KERNELS = pathlib.Path("traces/kernels")
WORKLOADS = {
    "mad_sp, 2,688 threads of 400 loops":
        "-k mad_sp -g 86016 -l 32 --arg buf:344064 --arg i32:400 --arg f32:0.999 "
        "--arg f32:0.125 mad.cl",
    "matmul_naive, 544 x 544":
        "-k matmul_naive -g 544,544 -l 16,4 --arg buf:1183744:randf32:1 "
        "--arg buf:1183744:randf32:2 --arg buf:1183744 --arg i32:544 matmul.cl",
    "matmul_tiled, 768 x 768":
        "-k matmul_tiled -g 768,768 -l 16,16 --arg buf:2304K:randf32:1 "
        "--arg buf:2304K:randf32:2 --arg buf:2304K --arg i32:768 matmul.cl",
    "collatz, 262,144 numbers":
        "-k collatz -g 262144 -l 64 --arg buf:1M:iota --arg buf:1M --arg u32:400 diverge.cl",
    "mandelbrot, 1,536 x 1,536":
        "-k mandelbrot -g 1536,1536 -l 16,4 --arg buf:9M --arg f32:-2.1 --arg f32:1.2 "
        "--arg f32:0.00175 --arg u32:250 diverge.cl",
    "nbody, 9,216 bodies":
        "-k nbody -g 9216 -l 32 --arg buf:144K:randf32:125:0:4 --arg buf:144K --arg u32:9216 "
        "signal.cl",
    "sha256, 524,288 blocks":
        "-k sha256 -g 524288 -l 32 --arg buf:32M:rand:131 --arg buf:16M crypto.cl",
    "monte_pi, 65,536 x 2,000":
        "-k monte_pi -g 65536 -l 32 --arg buf:256K:rand:140 --arg buf:256K --arg u32:2000 "
        "monte.cl",
}


def spent():
    """CPU seconds of this process and of those that it has waited for."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def timed(call, times=1):
    """What it gives, and the least CPU seconds of some calls."""
    costs = []
    for _ in range(times):
        before = spent()
        result = call()
        costs.append(spent() - before)
    return result, min(costs)


def run(words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def measure(name, words, folder):
    trace, result = folder / "trace.pb", folder / "result.json"
    words = [*words[:-1], str(KERNELS / words[-1])]
    run(["./igpu", "record", "--quiet", "-o", str(trace), *words])
    _, rtl = timed(lambda: run(["./Vigpu", "--quiet", "--json", str(result), str(trace)]))
    content = json.loads(result.read_text())
    shipped = model.default_model()
    (told,), from_trace = timed(lambda: model.of_launches(
        launches.of_trace(trace, SAMPLE), model=shipped), TIMES)
    _, from_kernel = timed(lambda: model.of_launches(
        launches.of_kernel(words, SAMPLE), model=shipped), TIMES)
    _, command = timed(lambda: run(["./igpu", "predict", "--sample", str(SAMPLE), str(trace)]),
                       TIMES)
    error = 100 * (told["cycles"] / content["cycles"] - 1)
    print(f"| {name} | {content['instructions']:.3g} | {content['cycles']:.3g} | {error:+.0f} % "
          f"| {rtl:.1f} | {from_trace:.3f} | {rtl / from_trace:.0f}x | {from_kernel:.3f} | "
          f"{rtl / from_kernel:.0f}x | {command:.2f} |", flush=True)
    return rtl / from_trace, rtl / from_kernel


def main():
    print("| launch | instructions | cycles | predicted | RTL, s | from the trace, s | | from the "
          "kernel, s | | whole command, s |\n|" + "---|" * 10)
    with tempfile.TemporaryDirectory() as place:
        gains = [measure(name, words.split(), pathlib.Path(place))
                 for name, words in WORKLOADS.items()
                 if len(sys.argv) == 1 or words.split()[1] in sys.argv[1:]]
    for which, column in zip(("trace", "kernel"), zip(*gains), strict=True):
        print(f"\nFrom the {which}: {min(column):.0f}x to {max(column):.0f}x, mean "
              f"{statistics.mean(column):.0f}x.")


if __name__ == "__main__":
    main()
