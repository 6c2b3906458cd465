"""What is no sweep, or no database of one: a line each, and nothing is made or lost."""
import shutil
import sqlite3

import pytest
import sweep_rig as rig

from vigpu.__main__ import main

BAD = {
    "an unknown key": ("gird: {l3.ways: [64]}", "unknown key 'gird'; expected name, traces"),
    "an unknown parameter": ("grid: {l3.wayz: [64]}", "no parameter l3.wayz; did you mean l3.ways"),
    "an empty grid": ("grid: {}", "grid: expected parameters with their values"),
    "a parameter without values": ("grid: {l3.ways: []}", "grid: l3.ways: no values"),
    "a range without values": ("grid: {l3.ways: {from: 64, to: 32}}", "above to 32: no values"),
    "a range with a stranger": ("grid: {l3.ways: {from: 1, to: 2, by: 3}}", "unknown key 'by'"),
    "half a range": ("grid: {l3.ways: {from: 4}}", "a range needs from and to"),
    "no step": ("grid: {l3.ways: {from: 4, to: 8, step: 0}}", "step: expected"),
    "times from 0": ("grid: {tlb.entries: {from: 0, to: 8, times: 2}}", "not begin at 0"),
    "a value out of range": ("grid: {l3.ways: [64, 500]}", "500 is outside 1..128"),
    "a value that is no number": ("grid: {l3.ways: [many]}", "'many' is no whole number"),
    "a name that is none": ("grid: {l3.policy: [fifo]}",
                            "'fifo' is unknown; expected lru, random, srrip, tree-plru"),
    "a policy that is no file": ("grid: {l3.policy: [./none.so]}", "none.so: cannot be read"),
    "a path where none may be": ("grid: {dram.schedule: [./none.so]}", "is unknown; expected"),
    "a truth": ("grid: {l3.ways: [true]}", "True is no whole number"),
    "a fraction": ("grid: {l3.ways: [1.5]}", "1.5 is no whole number"),
    "a value twice": ("grid: {l3.ways: [64, 0x40]}", "a value is there twice"),
    "a parameter twice": ('grid: {l3.ways: [64], "l3.ways, eu.count": [[64, 2]]}', "l3.ways is "
                          "there twice"),
    "a key twice": ("engine: ref\nengine: rtl", "test.yaml:3: engine is there twice"),
    "a pair of three": ('grid: {"l3.ways, l3.ways_slm": [[1, 2, 3]]}', "expected 2 numbers"),
    "1e9 points": ("grid: {l3.latency: {from: 1, to: 1000}, slm.latency: {from: 1, to: 1000}, "
                   "llc.latency: {from: 1, to: 1000}}", "000000000 points"),
    "1e9 points with where": (
        "grid: {l3.latency: {from: 1, to: 1000}, slm.latency: {from: 1, to: 1000}, "
        "llc.latency: {from: 1, to: 1000}}\nwhere: l3.latency > 5", "000000000 points"),
    "1e9 values": ("grid: {page.seed: {from: 1, to: 1000000000}}", "give a larger step"),
    "1e9 samples": ("random: {count: 1000000000, of: {l3.ways: [64]}}", "000000000 points"),
    "an impossible combination": ("grid: {l3.ways: [64, 32]}", "l3.ways=32: l3.ways_slm must "
                                  "not exceed l3.ways .exclude it by where"),
    "only impossible ones": ("grid: {l3.ways: [32]}\nimpossible: skip", "no configuration is "
                             "left by where and impossible: skip"),
    "a where that nothing fulfils": ("where: 1 > 2", "no configuration is left by where"),
    "a where of strangers": ("where: l4.ways > 2", "no parameter l4.ways"),
    "a where that is code": ("where: __import__('os').system('true')", "no expression"),
    "a where that calls": ("where: open('x', 'y')", "no expression"),
    "a where that is huge": ("where: 9 ** 9 ** 9", "no expression"),
    "a where that divides by 0": ("where: eu.count // 0", "by zero"),
    "a set out of range": ("set: {l3.ways: l3.ways * 9}", "set: l3.ways: 576 is outside"),
    "a set that is no whole number": ("set: {l3.ways: l3.ways / 7}", "no whole number"),
    "an unknown engine": ("engine: fpga", "engine: 'fpga'; expected ref or rtl"),
    "an unknown configuration": ("config: skl-gt9", "configuration 'skl-gt9' is unknown"),
    "a configuration's file that is missing": ("config: [none.yaml]", "none.yaml: cannot open"),
    "no timeout": ("timeout: 0", "timeout: expected seconds"),
    "no seeds": ("seeds: []", "seeds: expected"),
    "a bare sample": ("sample: 1344", "sample: 1344; expected words of --sample"),
    "a sample with energy": ("sample: error=2%\nenergy: true", "energies need whole runs"),
    "energy of what": ("energy: yes please", "energy: 'yes please'; expected true or false"),
    "a list of what": ("list: [3]", "list: entry 1: expected parameters"),
    "a sample of nothing": ("random: {count: 3}", "random: of: expected"),
    "a sample without count": ("latin: {of: {l3.ways: [64]}}", "latin: count: expected"),
    "no YAML": ("grid: {l3.ways: [64", "test.yaml:3: no valid YAML"),
    "a tag of Python's": ("name: !!python/object/apply:os.system [true]", "no valid YAML"),
}
BAD_TRACES = {
    "no traces": ("[]", "no traces: expected"),
    "a trace that is missing": ("[none.pb]", "entry 1: none.pb: no such file"),
    "a pattern without files": ("['*.none']", "no such file"),
    "an entry of nothing": ("[{}]", "expected one of file, record and run"),
    "two in one": ("[{file: a.pb, run: b}]", "expected one of file, record and run"),
    "an unknown word": ("[{file: ping_pong.pb, lunches: 0..1}]", "unknown key 'lunches'"),
    "launches of what": ("[{file: ping_pong.pb, launches: 5..2}]", "expected A..B"),
    "an open quote": ("[{record: \"-k 'a\"}]", "no command"),
    "a recording that fails": ("[{record: '-k none -g 16 -l 16 none.cl'}]", "exit status 3"),
    "a program that is missing": ("[{run: ./none}]", "exit status 127"),
}


pytestmark = pytest.mark.usefixtures("use_the_build")


def refused(capfd, words, pattern, status=(2, 3)):
    capfd.readouterr()
    assert main(words) in status
    out, err = capfd.readouterr()
    assert not out and err.count("\n") == 1 and len(err) < 600 and err.startswith("igpu sweep: ")
    import re
    assert re.search(pattern, err), err


@pytest.mark.parametrize("text, pattern", BAD.values(), ids=BAD)
def test_a_bad_file(tmp_path, samples, capfd, text, pattern):
    path = rig.write(tmp_path / "sweep", samples, text + "\n")
    for more in ([], ["--dry-run"]):
        refused(capfd, ["sweep", *more, str(path)], pattern)
    assert sorted(p.name for p in path.parent.iterdir()) == ["ids_3d.pb", "ping_pong.pb",
                                                             "test.yaml"]


@pytest.mark.parametrize("text, pattern", BAD_TRACES.values(), ids=BAD_TRACES)
def test_bad_traces(tmp_path, samples, capfd, text, pattern):
    path = rig.write(tmp_path / "sweep", samples, "")
    path.write_text(f"traces: {text}\n")
    refused(capfd, ["sweep", str(path)], pattern, (1, 2, 3))
    assert not path.with_suffix(".sqlite").exists()
    assert not list(path.parent.glob("*.traces/*"))


def test_files_that_are_none(tmp_path, capfd):
    path = tmp_path / "test.yaml"
    refused(capfd, ["sweep", str(path)], "test.yaml: No such file")
    for data, pattern in ((b"", "expected a mapping"), (b"[1, 2]", "expected a mapping"),
                          (b"\xff\xfe\x00", "offset 0: no UTF-8"), (b"a" * 2_000_000, "bytes"),
                          (b"a: &a [*a]", "unknown key|no valid"), (b"[" * 700, "no valid YAML"),
                          (b"\x00", "no valid YAML"), (b"? [a]\n: b", "no valid|unknown key")):
        path.write_bytes(data)
        refused(capfd, ["sweep", str(path)], pattern)
    refused(capfd, ["sweep", "-j", "0", str(path)], "-j, --max-points")
    refused(capfd, ["sweep"], "FILE.yaml")


@pytest.fixture(scope="module")
def swept(tmp_path_factory, samples, igpu_path):
    """A sweep's file, and the content of its database."""
    path = rig.write(tmp_path_factory.mktemp("bad") / "sweep", samples,
                     "grid: {eu.threads: [3, 4, 5, 6, 7]}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IGPU", igpu_path)
        assert main(["sweep", "--quiet", str(path)]) == 0
    return path, path.with_suffix(".sqlite").read_bytes()


@pytest.fixture
def database(swept, capfd):
    path, content = swept
    for name in path.parent.glob("test.sqlite*"):
        name.unlink()
    path.with_suffix(".sqlite").write_bytes(content)
    capfd.readouterr()
    return path, path.with_suffix(".sqlite")


COMMANDS = (["sweep", "--dry-run"], ["sweep"], ["sweep", "show"])


def test_a_database_of_another_version(database, capfd):
    path, file = database
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    before = file.read_bytes()
    for words in COMMANDS:
        refused(capfd, [*words, str(path)], "test.sqlite: its schema is 7, this .* reads 1")
    assert file.read_bytes() == before


def test_something_else_as_the_database(database, capfd):
    path, file = database
    shutil.copy(path.parent / "ping_pong.pb", file)
    before = file.read_bytes()
    for words in COMMANDS:
        refused(capfd, [*words, str(path)], "no database of sweeps")
    assert file.read_bytes() == before
    file.unlink()
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE mine(a)")
    db.close()
    for words in COMMANDS:
        refused(capfd, [*words, str(path)], "no database of sweeps")
    refused(capfd, ["sweep", "-o", str(path.parent), str(path)], "sweep", (1, 2, 3))
    refused(capfd, ["sweep", "-o", "/nonexistent/x.sqlite", str(path)], "/nonexistent", (2, 3))


def test_a_damaged_database(database, capfd):
    """Cut, or overwritten anywhere: a line, or the damage is where no content is."""
    path, file = database
    good, content = file.read_bytes(), rig.content(file)
    told = 0
    for place in range(0, len(good), 1777):
        bad = bytearray(good)
        bad[place:place + 64] = bytes(255 - b for b in bad[place:place + 64])
        for data in (bytes(bad), good[:place]) if place else (bytes(bad),):
            for name in path.parent.glob("test.sqlite?*"):
                name.unlink()
            file.write_bytes(data)
            capfd.readouterr()
            status = main(["sweep", "show", str(path)])
            err = capfd.readouterr().err
            assert status in (0, 3) and err.count("\n") == (status == 3), err
            told += status == 3
    assert told > len(good) // 1777
    file.write_bytes(good)
    assert rig.content(file) == content


def test_damage_that_reads_like_a_full_disk(database, capfd):
    """The type of a column, which SQLite quotes in its error, is not the error."""
    path, file = database
    for kind in (b" INTEGER", b" TEXT"):
        good = file.read_bytes()
        file.write_bytes(good.replace(kind, (b" \xfffull" + kind)[:len(kind)]))
        capfd.readouterr()
        assert main(["sweep", "show", str(path)]) in (0, 3)
        assert "cannot write" not in capfd.readouterr().err
        file.write_bytes(good)


def test_a_rebuilt_model_does_not_mix(database, tmp_path, igpu_path, monkeypatch, capfd):
    """Points of another version of the model stay, and count for nothing."""
    path, file = database
    other = tmp_path / "igpu"
    other.write_text(f'#!/bin/sh\n"{igpu_path}" "$@" | sed -u "1s/^batch 1 ref .*/batch 1 ref other/"\n')
    other.chmod(0o755)
    monkeypatch.setenv("IGPU", str(other))
    capfd.readouterr()
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "10 of 10 points done, 0 failed; 10 simulated now" in capfd.readouterr().out
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT count(*), count(DISTINCT model) FROM points "
                          "WHERE state = 'done'").fetchone() == (20, 2)
    db.close()
    monkeypatch.setenv("IGPU", igpu_path)
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "; 0 simulated now" in capfd.readouterr().out
