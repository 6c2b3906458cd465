"""wine.py - what runs Direct3D programs: a Wine prefix of our own, Microsoft's HLSL compiler
and what is built for Windows by mingw-w64 (library.py, tests/perf/wine_tests.py)."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

# Windows wheels of PyPI, and the files of each that lie beside the programs. Wine's own
# compiler knows shader model 3 at most; ANGLE's is Microsoft's.
WHEELS = {"kivy_deps.angle==0.5.0": ("d3dcompiler_47.dll", "libEGL.dll", "libGLESv2.dll")}
COMPILERS = {".c": "x86_64-w64-mingw32-gcc", ".cpp": "x86_64-w64-mingw32-g++"}
# What a program is linked with, by the part of its name before the first _.
LIBRARIES = {"d3d9": ["d3d9"], "d3d11": ["d3d11", "dxgi"], "d3d12": ["d3d12", "dxgi"]}


class Wine:
    """Wine in the folder CACHE/wine, whose folder bin holds programs and DLLs."""

    def __init__(self, cache):
        self.folder = os.path.join(cache, "wine")
        self.bin = os.path.join(self.folder, "bin")
        self.prefix = os.path.join(self.folder, "prefix")
        os.makedirs(self.bin, exist_ok=True)

    def env(self, display):
        """Of a program on this X display: csmt=0 keeps Direct3D's calls in the program's
        thread, so that batches come in their order; without Mono and Gecko nothing is asked
        for."""
        return {"WINEPREFIX": self.prefix, "WINEARCH": "win64", "WINEDEBUG": "-all",
                "WINEDLLOVERRIDES": "d3dcompiler_47=n;mscoree,mshtml,winemenubuilder.exe=",
                "WINE_D3D_CONFIG": "csmt=0", "DISPLAY": display}

    def start(self, display):
        """The prefix, made where it is not there, and a server that stays until stop()."""
        env = dict(os.environ, **self.env(display))
        if not os.path.exists(os.path.join(self.prefix, "system.reg")):
            part = self.prefix + ".part"
            shutil.rmtree(part, ignore_errors=True)
            made = dict(env, WINEPREFIX=part)
            quiet(["wineboot", "--init"], made)
            quiet([server(), "--wait"], made)
            os.rename(part, self.prefix)
        quiet([server(), "--persistent"], env)
        self.add_wheels()

    def stop(self):
        """End the server and all that runs in the prefix."""
        subprocess.run([server(), "--kill"], env=dict(os.environ, WINEPREFIX=self.prefix),
                       check=False, stderr=subprocess.DEVNULL)

    def add_wheels(self):
        """The files of WHEELS, fetched by pip where they are not there."""
        for wheel, files in WHEELS.items():
            if all(os.path.exists(os.path.join(self.bin, file)) for file in files):
                continue
            fetched = os.path.join(self.folder, "wheels")
            quiet([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest",
                   fetched, "--only-binary=:all:", "--platform=win_amd64",
                   "--python-version=3.11", wheel], dict(os.environ))
            for path in glob.glob(os.path.join(fetched, "*.whl")):
                with zipfile.ZipFile(path) as packed:
                    for name in packed.namelist():
                        if os.path.basename(name) in files:
                            with packed.open(name) as source, open(os.path.join(
                                    self.bin, os.path.basename(name)), "wb") as out:
                                shutil.copyfileobj(source, out)

    def library(self, name):
        """What a program is linked with: mingw-w64 for 64 bits has no Direct3D 8."""
        return f"{self.prefix}/drive_c/windows/system32/d3d8.dll" if name == "d3d8" else name

    def build(self, source, libraries=None, options=()):
        """bin/NAME.exe of a program's source, made where a source beside it is newer."""
        name, end = os.path.splitext(os.path.basename(source))
        out = os.path.join(self.bin, name + ".exe")
        newest = max(map(os.path.getmtime, [
            source, *glob.glob(os.path.join(os.path.dirname(source), "*.hpp"))]))
        if not os.path.exists(out) or os.path.getmtime(out) < newest:
            named = libraries or LIBRARIES[name.split("_")[0]]
            linked = [*map(self.library, named), "d3dcompiler_47", "dxguid",
                      "uuid", "gdi32"]
            quiet([COMPILERS[end], "-O1", *options, "-o", out, source,
                   *(library if "/" in library else f"-l{library}" for library in linked),
                   "-static"], dict(os.environ))
        return out


def server():
    """Wine's server: Debian has it beside the loader, and in no PATH."""
    return next(iter(glob.glob("/usr/lib/wine/wineserver*")), "wineserver")


def quiet(command, env):
    """Run it; its words only where it fails, and the end then. They go to a file: what Wine
    starts beside it would keep a pipe open."""
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        done = subprocess.run(command, env=env, check=False, stdin=subprocess.DEVNULL,
                              stdout=said, stderr=said)
        if done.returncode != 0:
            said.seek(0)
            raise OSError(f"{' '.join(command[:4])}: status {done.returncode}: "
                          + " ".join(said.read().split())[-300:])
