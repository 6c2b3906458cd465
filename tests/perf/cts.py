#!/usr/bin/env python3
"""Run modules of the OpenCL conformance test suite on the driver, a process for each
subtest, and print what became of them.

  tests/perf/cts.py [--modules basic,select] [--cpu 600] [--jobs 1] [--state FILE] BIN

BIN is the folder with test_basic and so on, from the suite's own cmake build. Every
subtest that test_NAME lists is run; its result is kept in FILE (cts.jsonl), a line
of JSON each, and is not run again unless it met a limit that is now higher. A subtest
passes when its process says so and exits with 0. Results: pass, fail, skip (the suite
says that it does not apply), limit (CPU seconds of the process and of the compiler
beside it, or of the clock, eight times that), crash."""
import argparse
import collections
import ctypes
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULES = "basic,integer_ops,select,relationals,atomics"
PR_SET_CHILD_SUBREAPER = 36


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("bin", help="folder with the test_NAME programs")
    parser.add_argument("--modules", default=MODULES, help="default: %(default)s")
    parser.add_argument("--only", default="", help="subtests that match this pattern")
    parser.add_argument("--cpu", type=int, default=600, help="seconds for a subtest")
    parser.add_argument("--jobs", type=int, default=1, help="subtests at a time")
    parser.add_argument("--state", default="cts.jsonl", help="results; %(default)s")
    parser.add_argument("--wimpy", action="store_true",
                        help="the suite's short mode, CL_WIMPY_MODE=1")
    parser.add_argument("--extra", default="",
                        help="further arguments of every program, as small_images")
    parser.add_argument("--report", action="store_true", help="run nothing, only print")
    parser.add_argument("--device", default="skl", help="skl or kbl; %(default)s")
    args = parser.parse_args()
    args.bin = os.path.abspath(args.bin)  # the programs run in that folder
    return args


def environment(args):
    env = dict(os.environ, IGPU_DEVICE=args.device)
    if args.wimpy:
        env["CL_WIMPY_MODE"] = "1"
    env["OCL_ICD_VENDORS"] = os.path.abspath(
        env.get("OCL_ICD_VENDORS", os.path.join(TOP, "build/lib")))
    return env


def conversions():
    """The names of test_conversions, which lists none: DEST[_sat][_ROUNDING]_SOURCE."""
    whole = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
    types = whole + ["float", "double"]
    rounds = ["", "_rte", "_rtp", "_rtn", "_rtz"]
    return [f"{to}{sat}{rounding}_{of}" for to in types for of in types
            for sat in (["", "_sat"] if to in whole else [""]) for rounding in rounds
            if to != of or sat or rounding]


def subtests(args, module):
    """The names that test_MODULE lists: lines of a tab and a word; below the last line
    about test names, if there is one."""
    program = os.path.join(args.bin, "test_" + module)
    option = "-p" if module == "bruteforce" else "-h"
    if module == "conversions":
        return conversions()
    out = subprocess.run([program, option], capture_output=True, text=True, cwd=args.bin,
                         env=environment(args), check=False).stdout
    names = re.findall(r"^\t+(\w+)$", re.split(r"(?i)test names.*\n", out)[-1], re.M)
    if not names:
        sys.exit(f"{program}: lists no tests")
    return names


# What the suite says of a subtest that does not apply; it then counts it as passed.
SKIPPED = re.compile(r"skipping (long )?test|not support.*skip|test (skipped|not supported)"
                     r"|^SKIPPED", re.I | re.M)


def verdict(status, text):
    if os.WIFSIGNALED(status):
        limit = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return "limit" if limit else "crash"
    if os.WEXITSTATUS(status) != 0:
        return "fail"
    if SKIPPED.search(text):
        return "skip"
    return "pass" if re.search(r"^PASSED|\bpassed$", text, re.M) else "fail"


def watch(args, module, name):
    """In a process of its own: run the subtest to its end, print the result."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # the compiler is ours
    start, log = time.time(), os.memfd_create("log")
    child = subprocess.Popen(
        ["./test_" + module, name, *args.extra.split()], cwd=args.bin,
        env=environment(args), stdout=log, stderr=log, stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (args.cpu, args.cpu + 5)))
    timer = threading.Timer(8 * args.cpu, lambda: os.killpg(child.pid, signal.SIGKILL))
    timer.daemon = True
    timer.start()
    _, status = os.waitpid(child.pid, 0)
    try:
        while True:
            os.waitpid(-1, 0)  # compile servers: they end with their client
    except ChildProcessError:
        pass
    timer.cancel()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    size = os.lseek(log, 0, os.SEEK_END)
    text = os.pread(log, size, 0).decode(errors="replace")
    print(json.dumps({
        "module": module, "name": name, "result": verdict(status, text),
        "cpu": round(usage.ru_utime + usage.ru_stime, 1), "limit": args.cpu,
        "seconds": round(time.time() - start, 1),
        "end": [line for line in text.splitlines() if line.strip()][-12:]}))


def load(path):
    results = collections.OrderedDict()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                one = json.loads(line)
                results[one["module"], one["name"]] = one
    return results


def is_done(args, one):
    return one is not None and (one["result"] != "limit" or one["limit"] >= args.cpu)


def run(args, todo, results):
    lock, count = threading.Lock(), len(todo)

    def work():
        while True:
            with lock:
                if not todo:
                    return
                module, name = todo.pop(0)
            command = [sys.executable, __file__, *sys.argv[1:]]
            env = dict(os.environ, CTS_ONE=f"{module} {name}")
            out = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            with lock:
                one = json.loads(out.stdout)
                results[module, name] = one
                with open(args.state, "a", encoding="utf-8") as state:
                    state.write(json.dumps(one) + "\n")
                print(f"{one['result']:5} {module} {name} ({one['cpu']} CPU s, "
                      f"{len(todo)} of {count} to go)", flush=True)

    threads = [threading.Thread(target=work) for _ in range(args.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def report(names, results):
    kinds = ["pass", "fail", "skip", "limit", "crash"]
    print(f"{'module':20}{'subtests':>9}" + "".join(f"{k:>7}" for k in kinds) + "   not run")
    for module, tests in names.items():
        found = collections.Counter(
            results[module, t]["result"] for t in tests if (module, t) in results)
        row = "".join(f"{found[k]:7}" for k in kinds)
        print(f"{module:20}{len(tests):9}{row}{len(tests) - sum(found.values()):10}")
    for (module, name), one in results.items():
        if one["result"] != "pass" and name in names.get(module, ()):
            print(f"{one['result']:6} {module} {name} ({one['cpu']} CPU s)")


def main():
    args = arguments()
    if "CTS_ONE" in os.environ:
        watch(args, *os.environ["CTS_ONE"].split())
        return
    names = {m: subtests(args, m) for m in args.modules.split(",")}
    results = load(args.state)
    if not args.report:
        run(args, [(m, t) for m, tests in names.items() for t in tests
                   if re.search(args.only, t) and not is_done(args, results.get((m, t)))],
            results)
    report(names, results)


if __name__ == "__main__":
    main()
