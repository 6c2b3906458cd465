#!/usr/bin/env python3
"""library.py [OPTIONS] [NAME...] - the library of frames (docs/guide/graphics.md#library):
unmodified programs of Debian, run with fixed clocks, captured and executed by igpu gl,
each frame compared with llvmpipe's.

  traces/frames/library.py --install                # install the programs, then make all
  traces/frames/library.py gears glmark2-terrain    # these programs alone

From the top folder, after `make igpu`. Recordings, captures and pictures stay in the
cache; what is there is not made again, but for the simulation, which --keep keeps too.
A program's frames go to CACHE/NAME.csv; --table puts all of those together. --check
simulates them on both engines, those of few instructions first: CACHE/NAME.check.csv,
each as soon as it is done, and --checks puts those together."""
import argparse
import concurrent.futures
import contextlib
import csv
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

try:
    import numpy
    from matplotlib import image
except ImportError:
    numpy = image = None  # use_interpreter()

import wine

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(TOP, "traces", "frames")
IGPU, VIGPU = os.path.join(TOP, "igpu"), os.path.join(TOP, "Vigpu")
FRAMES, EVERY = 6, 2         # of a program; every second is compared
NEAR, ENOUGH = 3, 99.5       # levels of 255; per cent of the pixels
EDGE = 32                    # levels by which a silhouette's pixels differ
LIMIT = 300                  # CPU seconds for a step; of the clock, ten times that
COLUMNS = ("program", "frame", "width", "height", "draws", "same", "near", "worst",
           "silhouettes", "near_inside", "counters", "verdict")
LARGEST = 640 * 480          # pixels of a frame that is simulated on both engines
OTHER = "kbl-gt3e"           # the machine that the C reference simulates besides
CHECKED = ("program", "frame", "width", "height", "launches", "threads", "instructions",
           "cycles", "cycles_" + OTHER, "events", "verdict")
EXACT = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1",
         "GALLIVM_PERF": "no_aos_sampling"}


class Failed(Exception):
    """A step of a program did not work; the text says which and where to look."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", nargs="*", help="programs (default: all)")
    parser.add_argument("--cache", help="default: ~/.cache/igpu/frames", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "igpu", "frames"))
    parser.add_argument("--install", action="store_true", help="install what is missing")
    parser.add_argument("--keep", action="store_true", help="keep what was simulated")
    parser.add_argument("--table", help="write the table of all programs' frames here")
    parser.add_argument("--check", action="store_true",
                        help="simulate frames on both engines, after make verilate")
    parser.add_argument("--checks", help="write the table of all checked frames here")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    return parser.parse_args()


def use_interpreter():
    """Go on in the Python that has what .ci/deps.sh installs, where this one has not."""
    found = subprocess.run([os.path.join(TOP, ".ci", "deps.sh"), "python"], check=True,
                           text=True, stdout=subprocess.PIPE).stdout.strip()
    if numpy is None and found != sys.executable:
        os.execv(found, [found, *sys.argv])
    if numpy is None:
        sys.exit("library.py: NumPy and matplotlib are missing: apt-get install -y "
                 "python3-numpy python3-matplotlib")


def programs():
    """{name: (tracer, first frame, command)} of programs.txt, in its order."""
    found = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs.txt"),
              encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            how = re.fullmatch("(egl|glx|vk|d3d)(?:@([1-9][0-9]{0,3}))?", (words + [""])[1])
            if len(words) < 3 or how is None or words[0] in found:
                sys.exit(f"{text.name}:{number}: expected a new NAME, egl, glx, vk or d3d, COMMAND")
            found[words[0]] = (how.group(1), int(how.group(2) or 1),
                               [w.replace("%NAME", words[0]) for w in words[2:]])
    return found


def run(command, log, env=None, limit=LIMIT, wall=10 * LIMIT, folder=None):
    """The exit status; its words go to the file log. At the limit it is ended: -9."""
    command = ["prlimit", f"--cpu={limit}", *command]
    with open(log, "w", encoding="utf-8") as out, \
            subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                             env=env, start_new_session=True, cwd=folder) as process:
        try:
            return process.wait(wall)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return process.wait()


class Server:
    """An X server of our own, on a display that is free: with Server() as display."""

    def __init__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as ready:
            self.display = ":" + ready.readline().strip()

    def __enter__(self):
        return self.display

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


class Library:
    def __init__(self, cache, display):
        self.cache, self.display = cache, display
        os.makedirs(cache, exist_ok=True)
        self.steady = self.preload("steady.so", sorted(glob.glob(os.path.join(HERE, "steady*.c"))))
        self.wine = wine.Wine(cache)
        self.wrappers = os.path.dirname(next(iter(
            glob.glob("/usr/lib/*/apitrace/wrappers/egltrace.so")), ""))
        self.lock = threading.Lock()

    def path(self, name, end):
        return os.path.join(self.cache, name + end)

    def preload(self, name, sources, *libraries):
        """A library to preload, of these sources: its path."""
        out = os.path.join(self.cache, name)
        subprocess.run(["gcc", "-std=c11", "-O1", "-shared", "-fPIC", "-o", out, *sources,
                        "-ldl", *libraries], check=True)
        return out

    # ---- steps ---------------------------------------------------------------

    def preloaded(self, name, log, before, libraries, env, command):
        """The status of a program in a home of its own, with these libraries ahead of
        those that BEFORE preloads."""
        with tempfile.TemporaryDirectory() as home:
            if os.path.isdir(os.path.join(HERE, "home", name)):
                shutil.copytree(os.path.join(HERE, "home", name), home, dirs_exist_ok=True)
            env = dict(os.environ, DISPLAY=self.display, HOME=home, LC_ALL="C",
                       SDL_AUDIODRIVER="dummy", ALSOFT_DRIVERS="null", **env)
            ahead = 'exec setarch -R env LD_PRELOAD="$0${LD_PRELOAD:+:$LD_PRELOAD}" "$@"'
            return run([*before, "sh", "-c", ahead, libraries, *command],
                       self.path(name, f".{log}.log"), env, wall=300, folder=home)

    def present(self, name, which, driver, before, env, command):
        """Pictures of each frame of a Vulkan program in NAME.WHICH; the exit status."""
        folder = self.path(name, "." + which)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        found = glob.glob(f"/usr/share/vulkan/icd.d/{driver}_icd.*.json")
        return self.preloaded(name, which, before, self.steady, dict(
            env, STEADY_PICTURES=folder, VK_ICD_FILENAMES=":".join(found)), command)

    def show(self, name, which, before, env, command):
        """A Direct3D program in Wine, its frames in NAME.WHICH where llvmpipe draws (a frame
        of OpenGL is shown by Xlib, of Vulkan by XCB); the exit status."""
        folder = self.path(name, "." + which)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        exe, *words = command
        source = os.path.join(HERE, "direct3d", exe.replace(".exe", ".cpp"))
        if os.path.exists(source):
            self.wine.build(source)
        env = dict(os.environ, **self.wine.env(self.display), **env, LC_ALL="C")
        return run([*before, "wine", os.path.join(self.wine.bin, exe), *words],
                   self.path(name, f".{which}.log"), env, wall=300)

    def show_reference(self, name, command):
        library = self.preload("shown.so", [
            os.path.join(HERE, part) for part in ("steady_pictures.c", "shown.c")], "-lX11")
        icd = ":".join(glob.glob("/usr/share/vulkan/icd.d/lvp_icd.*.json"))
        self.show(name, "ref", [], EXACT | {
            "LD_PRELOAD": library, "VK_ICD_FILENAMES": icd,
            "STEADY_PICTURES": self.path(name, ".ref")}, command)

    def show_ours(self, name, last, gl, command):
        """Captured, and the compared frames' pictures rendered from the capture."""
        status = self.show(name, "sim", [*gl, "--frames", str(last), "--"], {}, command)
        for frame in range(last - FRAMES + EVERY, last + 1, EVERY):
            status = status or run(
                [IGPU, "frame", "render", "--frame", str(frame), "-o",
                 self.path(name, f".sim/{frame:010}.png"), self.path(name, ".igf")],
                self.path(name, ".render.log"))
        return status

    def record(self, name, tracer, frames, command):
        """NAME.trace: the program's first frames, its calls as they came."""
        part, out = self.path(name, ".part"), self.path(name, ".trace")
        if os.path.exists(out):
            return
        self.preloaded(
            name, "record", [], f"{self.steady}:{self.wrappers}/{tracer}trace.so", {
                "TRACE_FILE": part, "LIBGL_ALWAYS_SOFTWARE": "1",
                "STEADY_FRAMES": str(frames)}, command)
        if not os.path.exists(part):
            raise Failed("nothing was recorded: see " + self.path(name, ".record.log"))
        os.rename(part, out)

    def replay(self, name, which, before, env):
        """Pictures of each frame in NAME.WHICH; the exit status."""
        folder = self.path(name, "." + which)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        clean.update(env, EGL_PLATFORM="surfaceless", WAFFLE_PLATFORM="surfaceless_egl")
        return run([*before, "eglretrace", "--headless", f"--snapshot-prefix={folder}/",
                    self.path(name, ".trace")], self.path(name, f".{which}.log"), clean)

    def refer(self, name, tracer, last, command):
        if tracer == "d3d" and not self.pictures(name):
            self.show_reference(name, command)
        elif tracer == "vk" and not self.pictures(name):
            self.present(name, "ref", "lvp", [], EXACT | {"STEADY_FRAMES": str(last)}, command)
        elif tracer not in ("vk", "d3d"):
            self.record(name, tracer, last, command)
            if not self.pictures(name):
                self.replay(name, "ref", [], EXACT)

    def pictures(self, name):
        return sorted(glob.glob(self.path(name, ".ref") + "/*.p[np][gm]"))

    def simulate(self, name, tracer, last, command):
        """Why it ended early; "" if it did not."""
        gl = [IGPU, "gl", "-o", self.path(name, ".igf")]
        if tracer == "vk":
            status = self.present(name, "sim", "intel", [*gl, "--frames", str(last), "--"],
                                  {}, command)
        elif tracer == "d3d":
            status = self.show_ours(name, last, gl, command)
        else:
            status = self.replay(name, "sim", [*gl, "--"], {})
        if status == 0:
            return ""
        with open(self.path(name, ".sim.log"), encoding="utf-8", errors="replace") as log:
            for line in log:
                if "not executed: " in line:
                    return line.split("not executed: ")[1].split("; from here")[0].strip()
        return "over its time" if status in (-9, 137) else f"status {status}"

    def counters(self, name):
        """{frame: its counters by name} of the capture."""
        out = self.path(name, ".counters.csv")
        if run([IGPU, "frame", "render", "--every", out, self.path(name, ".igf")],
               self.path(name, ".counters.log")) != 0:
            return {}
        with open(out, encoding="utf-8") as rows:
            return {int(row["frame"]): row for row in csv.DictReader(rows)}

    # ---- both engines --------------------------------------------------------

    def to_check(self, name, keep):
        """[(instructions, name, row)] of the frames that are compared, not too large, and,
        to keep what is there, not simulated yet."""
        out, todo = self.path(name, ".check.csv"), []
        if not keep and os.path.exists(out):
            os.remove(out)
        done = {row["frame"] for row in read_table(out)}
        counted = {row["frame"]: row for row in read_table(self.path(name, ".counters.csv"))}
        for row in read_table(self.path(name, ".csv")):
            if (row["draws"] and row["frame"] not in done
                    and not row["verdict"].startswith("refused")
                    and int(row["width"]) * int(row["height"]) <= LARGEST):
                todo.append((sum(int(n) for key, n in counted[row["frame"]].items()
                                 if re.fullmatch("[a-z]s_instructions", key)), name,
                             {k: v for k, v in row.items() if k in CHECKED}))
        return todo

    def check(self, name, row):
        """The RTL against the C reference on a frame; a line more for NAME.check.csv."""
        row = row | self.simulate_both(name, row["frame"])
        out = self.path(name, ".check.csv")
        with self.lock:
            rows = [*read_table(out), row]
            write_table(out, CHECKED, sorted(rows, key=lambda r: int(r["frame"])))
        return row

    def simulate_both(self, name, frame):
        trace, log = self.path(name, f".{frame}.pb"), self.path(name, f".{frame}.check.log")
        try:
            if run([IGPU, "frame", "trace", "--frame", frame, "-o", trace,
                    self.path(name, ".igf")], log) != 0:
                return {"verdict": "no trace: see " + os.path.basename(log)}
            status = run([VIGPU, "--check", trace], log)
            with open(log, encoding="utf-8") as file:
                words = file.read()
            if run([IGPU, "ref", "-c", OTHER, trace], log) != 0:
                return {"verdict": f"not on {OTHER}: see " + os.path.basename(log)}
            with open(log, encoding="utf-8") as file:
                other = re.search("^cycles +([0-9]+)", file.read(), re.M)
        finally:
            if os.path.exists(trace):
                os.remove(trace)
        sums = {key: re.search(f"^{key} +([0-9]+)", words, re.M)
                for key in ("cycles", "threads", "instructions")}
        equal = re.search("^check +([0-9]+) events equal in rtl and ref", words, re.M)
        return {key: found.group(1) if found else "" for key, found in sums.items()} | {
            "launches": len(re.findall("^launch ", words, re.M)) or 1,
            "cycles_" + OTHER: other.group(1) if other else "",
            "events": equal.group(1) if equal else "",
            "verdict": "equal" if equal and status == 0 else "over its time"
                       if status in (-9, 137) else f"differs: status {status}"}

    # ---- the table -----------------------------------------------------------

    def make(self, name, keep, tracer, first, command):
        out = self.path(name, ".csv")
        if keep and os.path.exists(out):
            return
        last = first + FRAMES - 1
        self.refer(name, tracer, last, command)
        why = self.simulate(name, tracer, last, command)
        counted = {} if why else self.counters(name)
        pictures = self.pictures(name)
        if not pictures:
            raise Failed("llvmpipe shows nothing: see " + self.path(name, ".ref.log"))
        shown = list(enumerate(pictures, 1))[first - 1:first - 1 + FRAMES]
        rows = [self.row(name, number, picture, counted.get(number), why)
                for number, picture in shown[EVERY - 1::EVERY]]
        if not rows:
            raise Failed(f"it shows {len(pictures)} frames: see " + self.path(name, ".ref.log"))
        write_table(out, COLUMNS, rows)

    def row(self, name, number, picture, counted, why):
        ref = levels(picture)
        row = dict.fromkeys(COLUMNS, "") | {
            "program": name, "frame": number, "width": ref.shape[1], "height": ref.shape[0]}
        ours = picture.replace(name + ".ref", name + ".sim")
        if not os.path.exists(ours):
            ours = ours.replace(".ppm", ".png")
        if counted:
            row["draws"] = counted["draws"]
            row["counters"] = digest(counted)
        if why:
            return row | {"verdict": "refused: " + why}
        if not os.path.exists(ours):
            return row | {"verdict": "no picture"}
        our = levels(ours)
        if our.shape != ref.shape:
            return row | {"verdict": "other size"}
        far, edge = abs(ref - our).max(axis=2), silhouettes(ref)
        row |= {"same": share(far == 0), "near": share(far <= NEAR), "worst": far.max(),
                "silhouettes": share(edge), "near_inside": share(far[~edge] <= NEAR)}
        blank = (ref == ref[0, 0]).all()
        return row | {"verdict": verdict(row, blank)}


def levels(path):
    """The picture's red, green and blue, 0 to 255."""
    picture = image.imread(path)[..., :3]
    return numpy.rint(picture * 255 if path.endswith(".png") else picture).astype(int)


def read_table(path):
    """The rows of the table at path; none if there is none."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_table(path, columns, rows):
    with open(path + ".part", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    os.rename(path + ".part", path)


def digest(counted):
    """Of the counters that are not 0, so that further ones do not change it."""
    values = ",".join(f"{k}={v}" for k, v in counted.items() if k != "frame" and v != "0")
    return hashlib.sha256(values.encode()).hexdigest()[:12]


def share(which):
    return f"{100 * which.mean() if which.size else 100:.3f}"


def verdict(row, blank):
    if blank and float(row["same"]) == 100:
        return "blank"
    if float(row["near"]) >= ENOUGH:
        return "equal"
    return "inside equal" if float(row["near_inside"]) >= ENOUGH else "apart"


def silhouettes(ref):
    """Pixels of which one of the eight around differs by more than EDGE levels."""
    edge = numpy.zeros(ref.shape[:2], bool)
    height, width = edge.shape
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = ref[:height - dy, max(0, -dx):width - max(0, dx)]
        b = ref[dy:, max(0, dx):width - max(0, -dx)]
        jump = abs(a - b).max(axis=2) > EDGE
        edge[:height - dy, max(0, -dx):width - max(0, dx)] |= jump
        edge[dy:, max(0, dx):width - max(0, -dx)] |= jump
    return edge


def put_together(cache, names, end, columns, path):
    """The table of what lies in CACHE/NAME.END, and a line of sums."""
    lines, verdicts = [",".join(columns)], {}
    for name in names:
        part = os.path.join(cache, name + end)
        if not os.path.exists(part):
            continue
        with open(part, encoding="utf-8") as file:
            rows = file.read().splitlines()[1:]
        lines += rows
        for row in rows:
            kind = row.rsplit(",", 1)[1].split(":")[0]
            verdicts[kind] = verdicts.get(kind, 0) + 1
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    done = "compared" if columns is COLUMNS else "on both engines"
    print(f"{len(lines) - 1} frames of {len({l.split(',')[0] for l in lines[1:]})} programs "
          f"{done}: "
          + ", ".join(f"{n} {kind}" for kind, n in sorted(verdicts.items())))


def main():
    args = arguments()
    known = programs()
    for name in args.name:
        if name not in known:
            sys.exit(f"library.py: no program {name} in traces/frames/programs.txt")
    verb = "ensure" if args.install else "check"
    play = any("/usr/games/" in " ".join(known[name][-1]) for name in args.name or known)
    direct3d = any(known[name][0] == "d3d" for name in args.name or known)
    for group in ["frames", *(["games"] if play else []), *(["d3d"] if direct3d else [])]:
        if subprocess.run([os.path.join(TOP, ".ci", "deps.sh"), verb, group],
                          check=False, stdout=sys.stderr).returncode != 0:
            sys.exit("library.py: these packages are missing; --install installs them")
    use_interpreter()
    names, failed = args.name or known, 0
    with Server() as display, contextlib.ExitStack() as ends:
        library = Library(os.path.abspath(args.cache), display)
        if direct3d:
            ends.callback(library.wine.stop)
            library.wine.start(display)

        def one(name):
            try:
                library.make(name, args.keep, *known[name])
                return name, ""
            except (Failed, OSError) as problem:
                return name, str(problem)

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for name, problem in pool.map(one, names):
                print(f"{'not made' if problem else 'made'}  {name}  {problem}", flush=True)
                failed += bool(problem)
            todo = [frame for name in names if args.check
                    for frame in library.to_check(name, args.keep)]
            todo.sort(key=lambda frame: frame[0])
            for row in pool.map(lambda frame: library.check(*frame[1:]), todo):
                print(f"{row['verdict']}  {row['program']}, frame {row['frame']}", flush=True)
    put_together(library.cache, known, ".csv", COLUMNS, args.table)
    if args.check or args.checks:
        put_together(library.cache, known, ".check.csv", CHECKED, args.checks)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
