"""Sweeps through a real Slurm (test_slurm.sh): the same 600 points as on this machine."""
import os
import shutil
import subprocess
import sys
import time

import pytest
import slurm_rig
import sweep_rig as rig
from conftest import TOP

# 600 points of two short traces.
SWEEP = ("grid: {l3.ways: {from: 58, to: 72}, eu.threads: [3, 4, 5, 6, 7], "
         "disp.interval: [1, 2, 3, 4]}\n")


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    made = slurm_rig.Slurm(tmp_path_factory.mktemp("slurm"))
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def local(tmp_path_factory, samples, igpu_path):
    """The sweep's file, and its database's content when it runs on this machine."""
    path = rig.write(tmp_path_factory.mktemp("sweep") / "local", samples, SWEEP)
    status, out, err = rig.run(igpu_path, "--quiet", path)
    assert (status, err) == (0, "") and "600 of 600 points done" in out
    return path, rig.content(path.with_suffix(".sqlite"))


def sweep(slurm, igpu_path, path, database, *words):
    """`igpu sweep --slurm`: exit status, stdout, stderr."""
    env = dict(slurm.env, IGPU=str(igpu_path), PYTHONPATH=str(rig.PACKAGE))
    done = subprocess.run([sys.executable, "-m", "vigpu", "sweep", "--slurm", "--quiet",
                           "--poll", "0.5", "-o", str(database), *words, str(path)], env=env,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_same_results(slurm, local, igpu_path, tmp_path):
    path, content = local
    database = tmp_path / "test.sqlite"
    status, out, err = sweep(slurm, igpu_path, path, database, "--throttle", "2", "--mem",
                             "300M", "--time", "10")
    assert (status, err) == (0, "") and "600 of 600 points done, 0 failed; 600 gath" in out
    assert rig.content(database) == content
    assert not list((tmp_path / "test.slurm").iterdir())
    assert "; 0 gathered" in sweep(slurm, igpu_path, path, database)[1]


def test_a_driver_that_is_killed_gathers_later(slurm, local, igpu_path, tmp_path):
    path, content = local
    database = tmp_path / "test.sqlite"
    env = dict(slurm.env, IGPU=igpu_path, PYTHONPATH=str(rig.PACKAGE))
    driver = subprocess.Popen([sys.executable, "-m", "vigpu", "sweep", "--slurm", "--quiet",
                               "--poll", "0.2", "-o", str(database), str(path)], env=env)
    while driver.poll() is None and not (database.exists() and rig.finished(database)):
        time.sleep(0.1)
    driver.kill()
    driver.wait()
    before = rig.finished(database)
    assert 0 < len(before) < 600
    jobs = list((tmp_path / "test.slurm").iterdir())
    status, out, _ = sweep(slurm, igpu_path, path, database, "--no-wait")
    assert status == 0 and "gathered now" in out
    # Nothing was given to Slurm a second time.
    assert list((tmp_path / "test.slurm").iterdir()) == jobs and len(jobs) == 1
    status, out, _ = sweep(slurm, igpu_path, path, database)
    assert status == 0 and "600 of 600 points done" in out
    assert rig.content(database) == content
    after = rig.finished(database)
    assert {key: after[key] for key in before} == before


def test_a_node_down_a_task_out_of_memory_and_one_over_its_time(slurm, local, igpu_path,
                                                               tmp_path):
    path, content = local
    database = tmp_path / "test.sqlite"
    # An igpu that once eats memory, and once sleeps, in tasks that begin after `armed`.
    other = tmp_path / "igpu"
    other.write_text(f"""#!/bin/sh
if [ "$1" = ref ] && [ -n "$SLURM_ARRAY_TASK_ID" ] && [ -e {tmp_path}/armed ]; then
    mkdir {tmp_path}/late 2>/dev/null && exec sleep 300
    mkdir {tmp_path}/large 2>/dev/null && exec {sys.executable} -c \
        'import time; x = bytearray(b"x") * 600_000_000; time.sleep(300)'
fi
exec {igpu_path} "$@"
""")
    other.chmod(0o755)
    env = dict(slurm.env, IGPU=str(other), PYTHONPATH=str(rig.PACKAGE))
    driver = subprocess.Popen(
        [sys.executable, "-m", "vigpu", "sweep", "--slurm", "--quiet", "--poll", "0.5",
         "--mem", "300M", "--time", "1", "-o", str(database), str(path)], env=env,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while driver.poll() is None and not (database.exists()
                                         and len(rig.finished(database)) > 100):
        time.sleep(0.1)
    slurm.kill("slurmd")
    slurm.wait(lambda: "down" in slurm.state(), "the loss of the node")
    (tmp_path / "armed").touch()
    slurm.start_node()
    out, err = driver.communicate()
    assert (tmp_path / "late").exists() and (tmp_path / "large").exists()
    before = rig.finished(database)
    assert driver.returncode == 1 and 300 < len(before) < 600, out + err
    assert "points have no result" in err and err.count("\n") == 1
    # Without cgroups Slurm calls what it killed for its memory just failed.
    assert "TIMEOUT" in err and ("OUT_OF_MEMORY" in err or "FAILED" in err)
    status, out, err = sweep(slurm, other, path, database, "--mem", "300M", "--time", "1")
    assert (status, err) == (0, ""), out + err
    assert "600 of 600 points done" in out
    assert rig.content(database) == content
    after = rig.finished(database)
    assert {key: after[key] for key in before} == before


def test_the_pieces_of_one_program(slurm, igpu_path, tmp_path):
    """A trace of 40 launches in pieces, each a point: as on this machine."""
    subprocess.run([str(igpu_path), "record", "--quiet", "-k", "axpy", "-g", "2048", "-l", "64",
                    "--arg", "buf:8K:randf32:1", "--arg", "buf:8K:randf32:2", "--arg", "f32:0.5",
                    "--repeat", "40", "-o", str(tmp_path / "many.pb"),
                    str(TOP / "tests/perf/sampling/apps.cl")], check=True)
    path = tmp_path / "test.yaml"
    path.write_text("traces: [many.pb]\npieces: true\ngrid: {eu.threads: [2, 7]}\n")
    status, out, err = rig.run(igpu_path, "--quiet", path)
    count = int(out.split(" of ")[1].split()[0])
    assert (status, err) == (0, "") and 40 < count < 80
    database = tmp_path / "slurm.sqlite"
    status, out, err = sweep(slurm, igpu_path, path, database)
    assert (status, err) == (0, "") and f"{count} gathered" in out
    assert rig.content(database) == rig.content(path.with_suffix(".sqlite"))


def test_without_slurm(local, igpu_path, tmp_path):
    """A line, and the same command goes on when there is one."""
    path, _ = local
    database = tmp_path / "test.sqlite"
    env = dict(os.environ, IGPU=igpu_path, PYTHONPATH=str(rig.PACKAGE), PATH="/nonexistent")
    done = subprocess.run([shutil.which(sys.executable), "-m", "vigpu", "sweep", "--slurm",
                           "--quiet", "-o", str(database), str(path)], env=env,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "--slurm: sbatch: cannot run" in done.stderr and "slurm-client" in done.stderr
    done = rig.run(igpu_path, "--quiet", "-o", database, path)
    assert done[0] == 0 and "600 simulated now" in done[1]
