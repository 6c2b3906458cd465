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

# What takes a second or more, in every third commit by its first digit; with --long all.
TURNS = {
    "test_sweep_kill.py::test_a_sweep_that_is_killed_goes_on": 0,
    "test_sweep_kill.py::test_a_program_that_is_killed_at_once": 0,
    "test_sweep_kill.py::test_points_that_fail_and_points_that_are_late": 0,
    "test_sweep_kill.py::test_a_full_disk": 0,
    "test_notebooks.py::test_a_notebook_runs": 1,
    "test_modules.py::test_pip_installs_it": 1,
    "test_trace.py::test_follows_references": 0,
    "test_trace.py::test_equals_the_json_and_csv_dumps": 2,
    "test_report.py::test_a_report_that_is_stopped_leaves_nothing": 1,
    "test_report.py::test_plot_runs_the_experiment": 1,
    "test_boundaries.py": 2,
    "test_trace_damage.py": 2,
    "test_predict.py::test_training_gives_the_committed_trees": 2,
    "test_predict_frames.py::test_the_tables_of_the_page": 2,
    "test_predict_frames.py::test_unseen_programs_are_told_better_than_by_base": 2,
    "test_sweep_report.py::test_the_page_and_the_csv": 2,
}


def pytest_collection_modifyitems(config, items):
    missing = [name for name in TURNS if not any(f"/{name}" in item.nodeid for item in items)]
    assert not missing or config.args != ["tests/python"], f"no test is {missing}"
    if "IGPU_LONG" in os.environ or "IGPU_COMMIT" not in os.environ:
        return
    turn = int(os.environ["IGPU_COMMIT"][:1] or "0", 16) % 3
    left_out = [item for item in items
                if any(f"/{name}" in item.nodeid and of != turn for name, of in TURNS.items())]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


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
