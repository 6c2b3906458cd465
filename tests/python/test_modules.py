"""Libraries that are missing, the command line's errors, and an installation by pip."""
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

import vigpu

TOP = pathlib.Path(__file__).resolve().parents[2]


def python(code):
    return subprocess.run([sys.executable, "-c", code], cwd=TOP, text=True,
                          capture_output=True, check=False)


def command(*words, missing=()):
    """Run the program with words, as if the modules `missing` were not there."""
    return python(f"import sys\nfor m in {list(missing)!r}: sys.modules[m] = None\n"
                  f"from vigpu.__main__ import main\nsys.exit(main({list(words)!r}))")


@pytest.mark.parametrize("module, package", [
    ("google.protobuf", "python3-protobuf"), ("zstandard", "python3-zstandard")])
def test_a_missing_module_says_what_to_install(module, package):
    done = command("trace", "mix", "traces/samples/mad_sp.pb", missing=[module])
    assert done.returncode == 2
    assert done.stderr == (f"igpu trace: the Python module {module} is missing: apt-get install "
                           f"{package}, or pip install {package.removeprefix('python3-')}\n")


def test_the_base_needs_no_library():
    modules = ["google.protobuf", "zstandard", "pandas", "numpy", "matplotlib", "jinja2"]
    done = command("--help", missing=modules)
    assert done.returncode == 0 and "trace" in done.stdout, done.stderr


def test_the_trace_reader_needs_no_tables():
    done = command("trace", "mix", "traces/samples/mad_sp.pb",
                   missing=["pandas", "numpy", "matplotlib", "jinja2"])
    assert done.returncode == 0, done.stderr
    assert "mad_sp: 168 threads, 358344 instructions\n" in done.stdout
    assert "336 accesses, 16.00 lanes and 1.00 lines each, 21504 bytes" in done.stdout


@pytest.mark.parametrize("words, status, text", [
    (["trace", "mix", "nowhere.pb"], 3, "nowhere.pb: No such file"),
    (["trace", "mix", "README.md"], 3, "README.md: offset 0: no trace"),
    (["trace", "mix"], 2, "TRACE.pb"),
    (["nonsense"], 2, "nonsense"),
    ([], 2, "expected a command"),
])
def test_errors_are_one_line(words, status, text):
    done = command(*words)
    assert done.returncode == status and text in done.stderr
    assert done.stderr.startswith("igpu") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_an_error(unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "vigpu", "--version"], stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_the_version_is_that_of_igpu(igpu):
    assert igpu("--version").split()[1] == vigpu.__version__


def test_pip_installs_it(tmp_path):
    source, place = tmp_path / "source", tmp_path / "venv"
    proto = next(TOP.glob("traces/**/igpu_trace.proto")).relative_to(TOP)
    shutil.copytree(TOP / "bridge" / "python", source / "bridge" / "python")
    (source / proto.parent).mkdir(parents=True)
    shutil.copy(TOP / proto, source / proto)
    # The system's pip does it: to put one into the new place takes longer than all else.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages",
                    place], check=True)
    subprocess.run([place / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-index",
                    "--no-deps", "--no-build-isolation", source / "bridge" / "python"], check=True)
    done = subprocess.run([place / "bin" / "igpu-python", "trace", "mix",
                           TOP / "traces" / "samples" / "mad_sp.pb"], cwd=tmp_path,
                          env={"PATH": "/usr/bin"}, text=True, capture_output=True,
                          check=True)
    assert done.stdout.startswith("mad_sp: 168 threads")
    numbers = {"version": "0", "engine": "ref", "quick": True, "params": [], "runs": []}
    (tmp_path / "numbers.json").write_text(json.dumps(numbers))
    subprocess.run([place / "bin" / "igpu-python", "report", "--load", "numbers.json",
                    "--markdown", "new.md"], cwd=tmp_path, check=True)
    assert "calibrated" in (tmp_path / "report.html").read_text()
    assert "calibrated" in (tmp_path / "new.md").read_text()
