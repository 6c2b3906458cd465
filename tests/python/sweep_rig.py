"""For tests of sweeps: a sweep as a process of its own, and what a database holds."""
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys

import vigpu

PACKAGE = pathlib.Path(vigpu.__file__).resolve().parents[1]
# What differs from run to run.
OF_THE_RUN = {"tries", "cpu_seconds", "rss_kb", "finished", "planned"}


def start(igpu_path, *words, **more):
    """`igpu sweep WORDS`, in a session of its own, which Ctrl-C ends though a shell may have
    started the tests behind its back, where it is ignored."""
    env = dict(os.environ, IGPU=igpu_path, PYTHONPATH=str(PACKAGE))
    return subprocess.Popen([sys.executable, "-m", "vigpu", "sweep", *map(str, words)], env=env,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **more,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def run(igpu_path, *words):
    """The same, to its end: exit status, stdout, stderr."""
    process = start(igpu_path, *words)
    out, err = process.communicate()
    return process.returncode, out, err


def content(path, leave_out=OF_THE_RUN):
    """Every row of every table, but for what is of the run."""
    with sqlite3.connect(path) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = "
                                               "'table' ORDER BY name")]
        found = {}
        for table in tables:
            columns = sorted({row[1] for row in db.execute(f"PRAGMA table_info({table})")}
                             - leave_out)
            names = ", ".join(f'"{column}"' for column in columns)
            found[table] = columns, sorted(db.execute(f"SELECT {names} FROM {table}"), key=repr)
    db.close()
    return found


def finished(path):
    """When each point that is done was so, and what it cost."""
    db = sqlite3.connect(path)
    try:
        return dict((row[0], row[1:]) for row in db.execute(
            "SELECT point, tries, cpu_seconds, finished FROM points WHERE state = 'done'"))
    except sqlite3.OperationalError:  # killed before it had tables
        return {}
    finally:
        db.close()


def write(folder, samples, text, names=("ping_pong", "ids_3d")):
    """A sweep's file in the new folder, with its traces beside it."""
    folder.mkdir()
    for name in names:
        shutil.copy(samples / f"{name}.pb", folder)
    path = folder / "test.yaml"
    path.write_text(f"traces: [{', '.join(f'{name}.pb' for name in names)}]\n{text}")
    return path


def processes(parent):
    """The processes below one: (pid, depth)."""
    found = []
    try:
        for task in os.listdir(f"/proc/{parent}/task"):
            with open(f"/proc/{parent}/task/{task}/children", encoding="ascii") as children:
                for child in map(int, children.read().split()):
                    found.append((child, 1))
                    found += [(pid, depth + 1) for pid, depth in processes(child)]
    except OSError:
        pass
    return found
