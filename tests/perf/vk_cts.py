#!/usr/bin/env python3
"""Build Vulkan's conformance tests of fences, semaphores, events and queries, run a sample of
them on lavapipe and on the simulated GPU, and print what became of them.

  tests/perf/vk_cts.py [--most 12] [--state vk_cts.jsonl] [--report] SOURCE

SOURCE is a checkout of VK-GL-CTS at the tag vulkan-cts-1.3.5.2, of Mesa 22.3's time; only
its framework and external/vulkancts are looked at. The PARTS below are built in the cache,
with what they include and what lies beside that, and with Debian's compilers of shaders
(apt-get install glslang-dev spirv-tools libpng-dev).
Which tests: at most --most of a group, which is a name's first four words, in the order of
their names' SHA-256; those that lavapipe does not pass do not count. Tests run in processes
of --group each; one that ends within a test is begun again behind it.
Results: pass, fail, skip (the suite says that it does not apply), refused (with the
simulator's reason), limit, crash. They are kept in the state file, a line of JSON each,
and tests in it are not run again (--again PATTERN: those whose result or reason matches are)."""
import argparse
import collections
import glob
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Modules, or files of them, and the functions that make their tests.
PARTS = {"synchronization": "createSynchronizationTests(m_testCtx)",
         "synchronization/vktSynchronizationTests.cpp": "createSynchronization2Tests(m_testCtx)",
         "query_pool": "QueryPool::createTests(m_testCtx)",
         "conditional_rendering": "conditional::createTests(m_testCtx)",
         "transform_feedback": "TransformFeedback::createTests(m_testCtx)",
         "api/vktApiExternalMemoryTests.cpp": "api::createExternalMemoryTests(m_testCtx)",
         "pipeline/vktPipelineTimestampTests.cpp": "pipeline::createTimestampTests(m_testCtx, "
         "vk::PIPELINE_CONSTRUCTION_TYPE_MONOLITHIC)"}
ICD = "/usr/share/vulkan/icd.d/{}_icd.x86_64.json"
RESULTS = {"Pass": "pass", "QualityWarning": "pass", "CompatibilityWarning": "pass",
           "NotSupported": "skip", "Waiver": "skip"}
NOT_SYNC = re.compile(r"transform_feedback\.(fuzz|simple(?!.*query))|win32")
OWN = ("vktTestPackage.cpp", "pch.")  # no such files of theirs
# The suite's platform, without windows.
PLATFORM = """
#include "tcuFunctionLibrary.hpp"
#include "tcuPlatform.hpp"
#include "vkPlatform.hpp"
#include "vktTestPackage.hpp"
#include <ostream>

struct Loader : vk::Library {
    tcu::DynamicFunctionLibrary library{"libvulkan.so.1"};
    vk::PlatformDriver driver{library};
    const vk::PlatformInterface &getPlatformInterface() const { return driver; }
    const tcu::FunctionLibrary &getFunctionLibrary() const { return library; }
};
struct Vulkan : vk::Platform {
    vk::Library *createLibrary(LibraryType, const char *) const { return new Loader; }
    void describePlatform(std::ostream &to) const { to << "no windows"; }
};
struct Platform : tcu::Platform {
    Vulkan vulkan;
    const vk::Platform &getVulkanPlatform() const { return vulkan; }
};
tcu::Platform *createPlatform() { return new Platform; }
static tcu::TestPackage *create(tcu::TestContext &context) { return new vkt::TestPackage(context); }
tcu::TestPackageDescriptor package("dEQP-VK", create);
"""
FLAGS = ("-DDE_OS=DE_OS_UNIX -DDE_COMPILER=DE_COMPILER_GCC -DDE_CPU=DE_CPU_X86_64 -DDE_PTR_SIZE=8 "
         "-DDE_MINGW=0 -DCTS_USES_VULKAN -D_XOPEN_SOURCE=600 -D_GNU_SOURCE -D__STDC_FORMAT_MACROS "
         "-D__STDC_LIMIT_MACROS -DDEQP_SUPPORT_GLES2=0 -DQP_SUPPORT_PNG=0 "
         "-DDEQP_TARGET_NAME='\"igpu\"' "
         "-O0 -w -ffunction-sections -fdata-sections")
LIBRARIES = ("-lglslang -lMachineIndependent -lOSDependent -lGenericCodeGen -lOGLCompiler -lSPIRV "
             "-lSPVRemapper -lSPIRV-Tools-opt -lSPIRV-Tools -lpng -lz -ldl -lpthread -lrt")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("source", help="VK-GL-CTS, vulkan-cts-1.3.5.2")
    parser.add_argument("--cache", help="default: ~/.cache/igpu/vk-cts", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "igpu", "vk-cts"))
    parser.add_argument("--most", type=int, default=12, help="tests of a group; %(default)s")
    parser.add_argument("--only", default="", help="tests that match this pattern")
    parser.add_argument("--seconds", type=int, default=120, help="for a test; %(default)s")
    parser.add_argument("--group", type=int, default=20, help="tests a process; %(default)s")
    parser.add_argument("--jobs", type=int, default=1, help="compilers at a time")
    parser.add_argument("--state", default="vk_cts.jsonl", help="results; %(default)s")
    parser.add_argument("--again", default="", help="run these again: a pattern")
    parser.add_argument("--report", action="store_true", help="run nothing, only print")
    return parser.parse_args()


# ---- the program -----------------------------------------------------------

def package(text, headers):
    """vktTestPackage.cpp with the parts above and none else."""
    head, rest = text.split("// GLSL shader tests\n", 1)
    head = re.sub(r'^#include "vkt(?!Test).*\n', "", head, flags=re.M)
    head = head.replace("namespace vkt\n", "".join(f'#include "{h}"\n' for h in headers) +
                        "namespace vkt\n", 1)
    rest = rest[rest.index("// TestPackage\n"):rest.index("void TestPackage::init")]
    adds = "".join(f"    addChild({call});\n" for call in PARTS.values())
    return (f"{head}{rest}void TestPackage::init(void)\n{{\n{adds}}}\n"
            "void ExperimentalTestPackage::init(void) {}\n#endif\n}\n")


def sources(folder, roots):
    """Files that the roots need: those beside each header that one of them includes."""
    at = {}
    for base in ("framework", "external/vulkancts/framework/vulkan",
                 "external/vulkancts/modules/vulkan"):
        for here, below, names in os.walk(os.path.join(folder, base)):
            below[:] = [n for n in below if n not in ("vulkansc", "sc", "platform", "amber")]
            at.update((n, os.path.join(here, n)) for n in names if not n.startswith(OWN))
    left, found = list(roots), []
    while left:
        path = left.pop()
        own = path not in roots and os.path.basename(path).startswith(OWN)
        if own or path in found or not os.path.exists(path):
            continue
        found.append(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            for name in re.findall(r'^\s*#\s*include\s+"(?:[^"]*/)?([^"/]+)"', file.read(), re.M):
                if name in at:
                    stem = os.path.splitext(at[name])[0]
                    left += [at[name], stem + ".cpp", stem + ".c"]
    return found, sorted({os.path.dirname(p) for p in at.values()
                          if p.endswith((".h", ".hpp", ".inl"))})


def build(args):
    """The program's path."""
    program = os.path.join(args.cache, "deqp-vk")
    if os.path.exists(program):
        return program
    os.makedirs(os.path.join(args.cache, "objects"), exist_ok=True)
    source = os.path.abspath(args.source)
    vulkan = os.path.join(source, "external/vulkancts/modules/vulkan")
    parts = [file for part in PARTS for file in (
        [os.path.join(vulkan, part)] if part.endswith(".cpp")
        else sorted(glob.glob(os.path.join(vulkan, part, "*.cpp"))))]
    headers = sorted({os.path.basename(p)[:-4] + ".hpp" for p in parts if p.endswith("Tests.cpp")})
    ours = [os.path.join(args.cache, n) for n in ("vktTestPackage.cpp", "platform.cpp")]
    with open(os.path.join(vulkan, "vktTestPackage.cpp"), encoding="utf-8") as file:
        texts = [package(file.read(), headers), PLATFORM]
    for path, text in zip(ours, texts):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    roots = ours + parts + [os.path.join(source, "framework/platform/tcuMain.cpp")]
    for here, _, names in os.walk(os.path.join(source, "framework/delibs")):
        roots += [os.path.join(here, n) for n in names
                  if n.endswith((".c", ".cpp")) and
                  not re.search("[Ww]in32|Mach|Test\\.c|standalone", here + n)]
    found, folders = sources(source, roots)
    rules, objects = [], []
    for path in sorted(p for p in found if p.endswith((".c", ".cpp"))):
        objects.append(f"objects/{os.path.basename(path)}.o")
        tool = "$(CC)" if path.endswith(".c") else "$(CXX) -std=c++17"
        rules.append(f"{objects[-1]}: {path}\n\t@echo $(@F)\n\t@{tool} $(F) -c -o $@ $<\n")
    flags = " ".join([FLAGS, *("-I" + f for f in folders), "-I/usr/include/glslang"])
    with open(os.path.join(args.cache, "Makefile"), "w", encoding="utf-8") as file:
        file.write(f"F = {flags}\ndeqp-vk: {' '.join(objects)}\n"
                   f"\t$(CXX) -Wl,--gc-sections -o $@ $^ {LIBRARIES}\n" + "".join(rules))
    subprocess.run(["make", "-C", args.cache, f"-j{args.jobs}", "deqp-vk"], check=True)
    return program

# ---- runs ------------------------------------------------------------------

def chosen(program, args):
    """Names: at most --most of a group, which is a name's first four words."""
    listed = subprocess.run([program, "--deqp-runmode=stdout-caselist"], check=True, text=True,
                            cwd=args.cache, stdout=subprocess.PIPE).stdout
    of_group = collections.defaultdict(list)
    for name in re.findall(r"^TEST: (\S+)", listed, re.M):
        if re.search(args.only, name) and not NOT_SYNC.search(name):
            of_group[".".join(name.split(".")[:-1][:4])].append(name)
    return [name for names in of_group.values() for name in
            sorted(names, key=lambda n: hashlib.sha256(n.encode()).digest())[:args.most]]


class Timer:
    """Ends a process and its children when no test begins for so long."""

    def __init__(self, seconds, pid):
        self.seconds, self.pid, self.late = seconds, pid, False
        self.again()

    def again(self):
        self.stop()
        self.timer = threading.Timer(self.seconds, self.end, (True,))
        self.timer.daemon = True
        self.timer.start()

    def stop(self):
        if hasattr(self, "timer"):
            self.timer.cancel()

    def end(self, late=False):
        self.stop()
        self.late |= late
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def command(program, folder, names, here):
    with open(os.path.join(folder, "names"), "w", encoding="utf-8") as file:
        file.write("\n".join(names) + "\n")
    words = [program, f"--deqp-caselist-file={folder}/names", "--deqp-shadercache=disable",
             f"--deqp-log-filename={folder}/log.qpa", "--deqp-log-images=disable",
             "--deqp-log-shader-sources=disable"]
    if here:
        words = [os.path.join(TOP, "igpu"), "gl", "-o", f"{folder}/c.igf", "--", *words]
    return words


def process(program, names, here, args):
    """{name: (result, why)} of the first names, by one process: up to where it ended."""
    rows, name, why = {}, None, None
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env["VK_ICD_FILENAMES"] = ICD.format("intel" if here else "lvp")
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
            command(program, folder, names, here), cwd=args.cache, env=env, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, text=True) as child:
        timer = Timer(args.seconds, child.pid)
        for line in child.stdout:
            case = re.match(r"Test case '(\S+)'", line)
            result = re.match(r"  (\w+) \((.*)", line)
            refused = re.match(r"igpu gl: batch \d+: (?:.*not executed: )?(.*?)(; from here|$)",
                               line)
            if case:
                name = case.group(1)
                timer.again()
            elif refused and name:
                rows[name] = ("refused", refused.group(1))
                break  # nothing behind it is executed
            elif result and name:
                rows[name] = (RESULTS.get(result.group(1), "fail"),
                              result.group(2)[:200].rstrip(")\n"))
                name = None
        timer.end()
    if name and name not in rows:
        rows[name] = ("limit" if timer.late else "crash", "")
    return rows


def all_of(program, names, here, args):
    """{name: (result, why)}, by as many processes as it takes."""
    rows, left = {}, list(names)
    while left:
        got = process(program, left[:args.group], here, args)
        got = got or {left[0]: ("crash", "before its first line")}
        rows.update(got)
        left = [n for n in left if n not in rows]
        print(f"{'here' if here else 'lavapipe'}: {len(rows)} of {len(names)}", file=sys.stderr)
        keep(got, here, args)
    return rows


# ---- results ---------------------------------------------------------------

def keep(got, here, args):
    with open(args.state, "a", encoding="utf-8") as file:
        for name, (result, why) in got.items():
            row = {"test": name, "here" if here else "lavapipe": result}
            file.write(json.dumps(dict(row, why=why) if here and why else row) + "\n")


def kept(path):
    rows = collections.defaultdict(dict)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for row in map(json.loads, file):
                rows[row["test"]].update(row)
    return rows


def report(rows):
    counted = [r for r in rows.values() if r.get("lavapipe") == "pass" and "here" in r]
    for row in sorted(counted, key=lambda r: r["test"]):
        if row["here"] not in ("pass", "skip"):
            print(f"{row['here']:7} {row['test']}  {row.get('why', '')}")
    whys = collections.Counter(r.get("why", "") for r in counted if r["here"] == "skip")
    for why, count in whys.most_common():
        print(f"{count:5}  skip: {why}")
    groups = collections.defaultdict(list)
    for row in counted:
        groups[".".join(row["test"].split(".")[1:3])].append(row["here"])
    for name, results in sorted(groups.items()):
        print(f"{name:50} {results.count('pass'):5} of {len(results)}")
    by = collections.Counter(r["here"] for r in counted)
    applied = len(counted) - by["skip"]
    print(f"{by['pass']} passed here of {len(counted)} that lavapipe passes (of {len(rows)} run): "
          + ", ".join(f"{n} {r}" for r, n in by.most_common())
          + (f"; {100 * by['pass'] / applied:.1f} % of those that apply" if applied else ""))


def main():
    args = arguments()
    rows = kept(args.state)
    if not args.report:
        program = build(args)
        names = chosen(program, args)
        all_of(program, [n for n in names if "lavapipe" not in rows[n]], False, args)
        rows = kept(args.state)
        all_of(program, [n for n in names if rows[n]["lavapipe"] == "pass" and (
            "here" not in rows[n] or (args.again and re.search(
                args.again, rows[n]["here"] + " " + rows[n].get("why", ""))))], True, args)
    report(kept(args.state))


sys.exit(main())
