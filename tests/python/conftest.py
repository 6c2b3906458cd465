"""Helpers of the package's tests, and their results as the lines that tests/run counts."""
import os
import pathlib
import subprocess

import pytest

# scikit-learn's threads wait by spinning: on a busy machine the trees take ten times as long.
# It is read when the library is first loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")
TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = TOP / os.environ.get("IGPU_BUILD", "build")


@pytest.fixture(scope="session")
def igpu_path():
    return str(BUILD / "bin" / "igpu")


@pytest.fixture
def use_the_build(monkeypatch, igpu_path):
    """The package's igpu is the build's."""
    monkeypatch.setenv("IGPU", igpu_path)


@pytest.fixture(scope="session")
def igpu(igpu_path):
    """The program igpu: a call gives what it prints."""
    def run(*words):
        return subprocess.run([igpu_path, *words], cwd=TOP, text=True,
                              capture_output=True, check=True).stdout
    return run


@pytest.fixture(scope="session")
def samples():
    return TOP / "traces" / "samples"


def pytest_terminal_summary(terminalreporter):
    for outcome, word in (("passed", "ok"), ("failed", "not ok"), ("error", "not ok")):
        for report in terminalreporter.stats.get(outcome, []):
            terminalreporter.write_line(f"{word} {report.nodeid.split('/')[-1]}")
