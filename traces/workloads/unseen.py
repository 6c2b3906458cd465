#!/usr/bin/env python3
"""unseen.py FOLDER - what igpu predict says of a program that its training has not seen:
FFmpeg's OpenCL filters on a picture, against the C reference on three machines
(docs/lab/2026-11-predict.md). apt-get install ffmpeg; from the top folder, after
`make igpu python`. Traces are kept in FOLDER."""
import json
import os
import subprocess
import sys

FILTERS = ("avgblur_opencl", "boxblur_opencl", "convolution_opencl", "dilation_opencl",
           "erosion_opencl", "pad_opencl=w=400:h=300", "prewitt_opencl", "roberts_opencl",
           "sobel_opencl", "transpose_opencl", "unsharp_opencl")
MACHINES = ("skl-gt2", "kbl-gt2", "kbl-gt3e")


def result(*words):
    done = subprocess.run(("./igpu", *words), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"igpu {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def record(folder, ocl_filter):
    path = os.path.join(folder, ocl_filter.split("_")[0])
    if not os.path.exists(os.path.join(path, "trace.pb")):
        result("run", "--quiet", "--one", "-o", path, "--", "ffmpeg", "-loglevel", "error",
               "-init_hw_device", "opencl=gpu:0.0", "-filter_hw_device", "gpu", "-f", "lavfi",
               "-i", "testsrc2=s=320x240:r=1:d=1", "-vf",
               f"format=yuv420p,hwupload,{ocl_filter},hwdownload,format=yuv420p",
               "-f", "null", "-")
    return os.path.join(path, "trace.pb")


def compare(trace):
    """Of each launch on each machine: the error, is it inside, were columns outside."""
    for machine in MACHINES:
        words = ("-c", machine, "--json", "-", trace)
        true = json.loads(result("ref", "--quiet", *words))["kernels"]
        said = json.loads(result("predict", *words))["launches"]
        for launch, guess in zip(true, said, strict=True):
            yield (abs(guess["cycles"] / launch["cycles"] - 1),
                   guess["cycles_low"] <= launch["cycles"] <= guess["cycles_high"],
                   len(guess["outside"]) > 0)


def show(name, rows):
    errors = sorted(row[0] for row in rows)
    print(f"{name}: {len(rows)} rows, error {100 * sum(errors) / len(rows):.1f} %, median "
          f"{100 * errors[len(rows) // 2]:.1f} %, {100 * sum(r[1] for r in rows) / len(rows):.1f} "
          f"% inside, {100 * sum(r[2] for r in rows) / len(rows):.0f} % told to be outside of "
          "training", flush=True)


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    every = []
    for ocl_filter in FILTERS:
        rows = list(compare(record(sys.argv[1], ocl_filter)))
        show(ocl_filter, rows)
        every += rows
    show("all", every)


if __name__ == "__main__":
    main()
