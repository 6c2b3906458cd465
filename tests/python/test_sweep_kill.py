"""A sweep that is interrupted goes on: nothing that was finished is lost or done again, and
the database ends as that of an undisturbed one."""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
import sweep_rig as rig

SWEEP = "grid: {l3.ways: {from: 48, to: 63}, eu.threads: [5, 7]}\n"
KILLS = 100 if "IGPU_LONG" in os.environ else 6


@pytest.fixture(scope="module")
def whole(tmp_path_factory, samples, igpu_path):
    """An undisturbed sweep: its content, and how long it took."""
    path = rig.write(tmp_path_factory.mktemp("sweep") / "whole", samples, SWEEP)
    began = time.monotonic()
    status, out, err = rig.run(igpu_path, "--quiet", "-j", 2, path)
    assert (status, err) == (0, "") and "64 of 64 points done, 0 failed" in out
    return path, rig.content(path.with_suffix(".sqlite")), time.monotonic() - began


@pytest.fixture(scope="module")
def few(tmp_path_factory, samples, igpu_path):
    """One of eight points, where nothing is told of time."""
    path = rig.write(tmp_path_factory.mktemp("sweep") / "few", samples,
                     SWEEP.replace("from: 48", "from: 62"))
    assert rig.run(igpu_path, "--quiet", path)[::2] == (0, "")
    return path, rig.content(path.with_suffix(".sqlite")), None


@pytest.fixture
def held(igpu_path, tmp_path):
    """An igpu whose batch processes get no more than 12 jobs each, until the second is called."""
    stub, gate = tmp_path / "igpu", tmp_path / "go"
    stub.write_text(f"""#!/bin/sh
[ "$*" = "ref --batch" ] || exec {igpu_path} "$@"
jobs=0
while IFS= read -r job; do
    jobs=$((jobs + 1))
    while [ $jobs -gt 12 ] && [ ! -e {gate} ]; do sleep 0.05; done
    printf '%s\\n' "$job"
done | {igpu_path} ref --batch
""")
    stub.chmod(0o755)
    yield str(stub), gate.touch
    gate.touch()  # also for a test that fails


def wait_for_results(process, database):
    while process.poll() is None and not (database.exists() and rig.finished(database)):
        time.sleep(0.02)


def fresh(whole):
    """The same sweep without its database."""
    path, _, _ = whole
    for name in path.parent.glob("test.sqlite*"):
        name.unlink()
    return path


@pytest.mark.parametrize("number", range(KILLS))
def test_a_sweep_that_is_killed_goes_on(whole, igpu_path, number):
    path, content, seconds = fresh(whole), *whole[1:]
    chance = random.Random(number)
    database = path.with_suffix(".sqlite")
    process = rig.start(igpu_path, "--quiet", "-j", 2, path)
    time.sleep(chance.uniform(0.1, 1) * seconds)
    # The driver, one of its batch processes, or one simulation.
    below = rig.processes(process.pid)
    victims = [[process.pid], *([pid for pid, depth in below if depth == d] for d in (1, 2))]
    victim = chance.choice(victims[number % 3] or [process.pid])
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        pass  # a simulation that has just ended
    out, err = process.communicate()
    if victim != process.pid and process.returncode:  # one that runs before the first point
        assert process.returncode == 1 and "was killed by signal 9" in err
    before = rig.finished(database) if database.exists() else {}
    status, out, err = rig.run(igpu_path, "--quiet", "-j", 2, path)
    assert status == 0, err
    assert f"; {64 - len(before)} simulated now" in out
    after = rig.finished(database)
    assert {key: after[key] for key in before} == before
    assert rig.content(database) == content


@pytest.mark.parametrize("words", ["params --json", "params --resolve", "ref --batch"])
def test_a_program_that_is_killed_at_once(few, igpu_path, tmp_path, words):
    """The first time it is called so; the same command goes on."""
    path, content = fresh(few), few[1]
    stub = tmp_path / "igpu"
    stub.write_text(f"#!/bin/sh\nif [ \"$*\" = \"{words}\" ] && rmdir {tmp_path}/once 2>&-; then\n"
                    f"kill -9 $$\nfi\nexec {igpu_path} \"$@\"\n")
    stub.chmod(0o755)
    (tmp_path / "once").mkdir()
    status, _, err = rig.run(str(stub), "--quiet", "-j", 2, path)
    assert (status, err) == (1, f"igpu sweep: {stub} {words} was killed by signal 9; "
                                "run the same command again\n")
    assert rig.run(str(stub), "--quiet", "-j", 2, path)[::2] == (0, "")
    assert rig.content(path.with_suffix(".sqlite")) == content


def test_simulations_end_with_their_driver(whole, igpu_path):
    process = rig.start(igpu_path, "--quiet", "-j", 2, fresh(whole))
    below = []
    while process.poll() is None and len(below) < 3:
        below = rig.processes(process.pid)
    assert len(below) >= 3
    process.kill()
    process.communicate()
    for _ in range(200):
        left = [pid for pid, _ in below if os.path.exists(f"/proc/{pid}/exe")
                and os.readlink(f"/proc/{pid}/exe") == igpu_path]
        if not left:
            break
        time.sleep(0.05)
    assert not left


def test_ctrl_c_keeps_what_is_done(whole, held, igpu_path):
    path, content = fresh(whole), whole[1]
    process = rig.start(held[0], "--quiet", "-j", 2, path)
    database = path.with_suffix(".sqlite")
    wait_for_results(process, database)
    process.send_signal(signal.SIGINT)
    process.wait(60)
    held[1]()  # what fed its batch processes has its stderr
    _, err = process.communicate()
    before = rig.finished(database)
    assert (process.returncode, err) == (130, "") and 0 < len(before) < 64
    assert rig.run(igpu_path, "--quiet", path)[0] == 0
    assert rig.content(database) == content


def test_only_one_sweep_writes(whole, held, igpu_path):
    path = fresh(whole)
    process = rig.start(held[0], "--quiet", "-j", 1, path)
    wait_for_results(process, path.with_suffix(".sqlite"))
    status, _, err = rig.run(igpu_path, "--quiet", path)
    assert status == 1 and "another igpu sweep writes to it" in err and err.count("\n") == 1
    # Looking is free.
    status, out, _ = rig.run(igpu_path, "show", path)
    assert status == 0 and "of 64 points done" in out
    held[1]()
    process.communicate()
    assert process.returncode == 0


def test_a_full_disk(whole, igpu_path, tmp_path):
    """On a file system of 200 KB, then with its database on a larger one."""
    path = fresh(whole)
    place = tmp_path / "small"
    place.mkdir()
    script = (f"mount -t tmpfs -o size=200k none {place} || exit 77\n"
              f"{sys.executable} -m vigpu sweep --quiet -o {place}/test.sqlite {path}\n"
              f"status=$?; cp {place}/test.sqlite* {tmp_path}; exit $status\n")
    env = dict(os.environ, IGPU=igpu_path, PYTHONPATH=str(rig.PACKAGE))
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], env=env, text=True,
                          capture_output=True, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "test.sqlite" in done.stderr and "run the same command again" in done.stderr
    before = rig.finished(tmp_path / "test.sqlite")
    assert 0 < len(before) < 64
    status, out, err = rig.run(igpu_path, "--quiet", "-o", tmp_path / "test.sqlite", path)
    assert status == 0 and f"; {64 - len(before)} simulated now" in out
    assert rig.content(tmp_path / "test.sqlite") == whole[1]


def test_points_that_fail_and_points_that_are_late(tmp_path, samples, igpu_path, igpu):
    """Each keeps its error and command; what is late is tried twice."""
    path = rig.write(tmp_path / "sweep", samples, "list: [{cpu.agent: 3}, {}]\ntimeout: 1\n",
                     ("ping_pong",))
    igpu("record", "--quiet", "-k", "mad_sp", "-g", "5376", "-l", "32", "-O", "-DSIMD=32",
         "--arg", "buf:21504", "--arg", "i32:4500", "--arg", "f32:0.5", "--arg", "f32:0.5",
         "-o", str(path.parent / "long.pb"), "traces/kernels/mad.cl")
    path.write_text(path.read_text().replace("[ping_pong.pb]", "[ping_pong.pb, long.pb]"))
    database = path.with_suffix(".sqlite")
    status, out, err = rig.run(igpu_path, "--quiet", path)
    assert status == 1 and "1 of 4 points done, 3 failed; 4 simulated now" in out
    assert err.count("\n") == 1 and "igpu sweep show" in err
    _, told, _ = rig.run(igpu_path, "show", path)
    assert "2 failed: igpu ref: cpu.agent = 3 needs its accesses: --cpu trace:FILE" in told
    assert "1 late: not over after 1 s, 2 times" in told
    command = told.split("2 failed: ")[1].split("\n")[1].split()
    again = subprocess.run([igpu_path, *command[1:]], capture_output=True, text=True, check=False)
    assert again.returncode == 2 and "--cpu trace:FILE" in again.stderr
    # Nothing of it is tried again, unless that is asked for.
    status, out, _ = rig.run(igpu_path, "--quiet", path)
    assert status == 1 and "; 0 simulated now" in out
    path.write_text(path.read_text().replace("timeout: 1", "timeout: 200"))
    status, out, _ = rig.run(igpu_path, "--quiet", "--retry", path)
    assert "2 of 4 points done, 2 failed; 3 simulated now" in out
    shutil.rmtree(path.parent)
    assert database.name == "test.sqlite"
