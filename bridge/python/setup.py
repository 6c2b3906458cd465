"""setup.py - makes the Python code of the trace format's messages beside the package."""
import pathlib
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

PROTO = pathlib.Path(__file__).resolve().parents[2] / "traces/format/igpu_trace.proto"


class BuildPy(build_py):
    """build_py with protoc before it leaves."""

    def run(self):
        super().run()
        if shutil.which("protoc") is None:
            sys.exit("vigpu: protoc is missing: apt-get install protobuf-compiler")
        if not PROTO.is_file():
            sys.exit(f"vigpu: {PROTO} is missing: build from a checkout of Vigpu")
        package = pathlib.Path(self.build_lib) / "vigpu" / "trace"
        subprocess.run(["protoc", f"--proto_path={PROTO.parent}", f"--python_out={package}",
                        PROTO.name], check=True)


setup(cmdclass={"build_py": BuildPy})
