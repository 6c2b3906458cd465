"""Sweeps: what a file says, what is simulated, and what is kept."""
import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess

import pandas as pd
import pytest
from conftest import TOP

import vigpu.sweep
from vigpu import igpu as program
from vigpu.__main__ import main
from vigpu.sweep import plan, spec


pytestmark = pytest.mark.usefixtures("use_the_build")


@pytest.fixture
def sweep(tmp_path, samples):
    """Write a sweep's file, with two short traces beside it."""
    for name in ("ping_pong", "ids_3d"):
        shutil.copy(samples / f"{name}.pb", tmp_path)

    def write(text, traces="[ping_pong.pb, ids_3d.pb]"):
        path = tmp_path / "test.yaml"
        path.write_text(f"traces: {traces}\n{text}")
        return path
    return write


def settings(path):
    """The settings of a file's configurations."""
    return [dict(config.settings) for config in plan.configurations(spec.read(path))]


def test_a_sweep_has_what_single_runs_give(sweep, igpu):
    path = sweep("grid: {l3.ways: [48, 64], eu.threads: [2, 7]}\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    frame = vigpu.sweep.read(path.with_suffix(".sqlite"))
    assert len(frame) == 8 and vigpu.sweep.varied(frame) == ["eu.threads", "l3.ways"]
    for row in frame.to_dict("records"):
        alone = json.loads(igpu("ref", "--quiet", "--json", "-", "-s",
                                f"l3.ways={row['l3.ways']}", "-s",
                                f"eu.threads={row['eu.threads']}",
                                str(path.parent / f"{row['trace']}.pb")))["kernels"][0]
        assert row["kernel"] == alone["name"] and row["cycles"] == alone["cycles"]
        assert row["l3.hits"] == alone["l3"]["hits"]
        assert row["mem.latency_ns_avg"] == alone["mem"]["latency_ns_avg"]
        assert row["agents.cpu.requests"] == alone["agents"]["cpu"]["requests"]
        assert row["time_ns"] == pytest.approx(alone["time_ns"])


def test_both_engines_give_the_same_statistics(sweep, igpu_path, monkeypatch, capsys):
    """Points of the RTL are points of their own, by Vigpu --batch."""
    vigpu_path = pathlib.Path(igpu_path).with_name("Vigpu")
    if not vigpu_path.is_file():
        pytest.skip("Vigpu is not built")
    monkeypatch.setenv("VIGPU", str(vigpu_path))
    path = sweep("engine: [ref, rtl]\ngrid: {eu.threads: [2, 7]}\nenergy: true\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "8 of 8 points done, 0 failed; 8 simulated now" in capsys.readouterr().out
    frame = vigpu.sweep.read(path.with_suffix(".sqlite"))
    assert list(frame["engine"].value_counts()) == [4, 4]
    keys = ["trace", "launch", "eu.threads"]
    ref, rtl = (frame[frame["engine"] == e].sort_values(keys).set_index(keys)
                .drop(columns=["point", "engine", "model", "cpu_seconds"]) for e in ("ref", "rtl"))
    assert ref["cycles"].nunique() > 1 and (ref["energy.pkg_nj"] > 0).all()
    pd.testing.assert_frame_equal(ref, rtl)
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "; 0 simulated now" in capsys.readouterr().out


def test_a_sampled_point_is_one_of_its_own_with_an_interval(sweep, capsys):
    path = sweep("grid: {eu.threads: [2, 7]}\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    whole = vigpu.sweep.read(path.with_suffix(".sqlite"), totals=True)
    path.write_text(path.read_text() + "sample: error=2%\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "; 4 simulated now" in capsys.readouterr().out.splitlines()[-1]
    both = vigpu.sweep.read(path.with_suffix(".sqlite"), totals=True)
    part = both[both["sample.cycles_low"].notna()]
    assert len(whole) == len(part) == 4
    assert (part["sample.cycles_low"] <= part["cycles"]).all()
    assert (part["sample.cycles_high"] >= part["cycles"]).all()


def test_pieces_of_a_trace_add_up_to_what_its_processes_give(tmp_path, igpu_path, capsys):
    (tmp_path / "p.yaml").write_text(
        "traces:\n  - {name: many, record: \"-k axpy -g 2048 -l 64 --arg buf:8K:randf32:1 --arg "
        f"buf:8K:randf32:2 --arg f32:0.5 --repeat 40 {TOP}/tests/perf/sampling/apps.cl\"}}\n"
        "pieces: true\ngrid: {eu.threads: [2, 7]}\n")
    assert main(["sweep", "--quiet", str(tmp_path / "p.yaml")]) == 0
    database = tmp_path / "p.sqlite"
    count = int(capsys.readouterr().out.split(" of ")[1].split()[0])
    launches, totals = (vigpu.sweep.read(database, totals=t) for t in (False, True))
    assert 40 < count < 80 and len(launches) == 80 and len(totals) == 2
    trace = next((tmp_path / "p.traces").glob("*/*.pb"))
    for _, row in totals.iterrows():
        alone = json.loads(program.run(["ref", "--quiet", "--json", "-", "-j", "1", "-s",
                                     f"eu.threads={row['eu.threads']}", str(trace)]))
        assert row["cycles"] == alone["cycles"]
        assert row["mem.lines_inflight_peak"] == alone["mem"]["lines_inflight_peak"]
        assert abs(row["mem.latency_ns_avg"] - alone["mem"]["latency_ns_avg"]) < 0.1
        same = launches[launches["eu.threads"] == row["eu.threads"]].sort_values("launch")
        assert list(same["cycles"]) == [k["cycles"] for k in alone["kernels"]]
    # A piece that is missing leaves no half of a sum, nor a fastest configuration.
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE points SET state = 'todo' WHERE point = (SELECT point FROM points "
                   "JOIN configs USING(config) WHERE settings LIKE '%eu.threads=2%' LIMIT 1)")
    assert list(vigpu.sweep.read(database, totals=True, all_parameters=True)["eu.threads"]) == [7]
    assert main(["sweep", "show", str(tmp_path / "p.yaml")]) == 0
    shown = capsys.readouterr().out
    assert f"many, ref: {totals['cycles'].min()} cycles with" in shown and "eu.threads=2" not in shown


def test_nothing_is_simulated_twice(sweep, capsys):
    path = sweep("grid: {l3.ways: [48, 64]}\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "4 of 4 points done, 0 failed; 4 simulated now" in capsys.readouterr().out
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "; 0 simulated now" in capsys.readouterr().out
    # Another spelling, a copy of a trace under another name, and one value more.
    shutil.copy(path.parent / "ping_pong.pb", path.parent / "copy.pb")
    path = sweep("list: [{l3.ways: 0x30}, {l3.ways: 64, eu.threads: 7}, {l3.ways: 56}]\n",
                 "[copy.pb, ids_3d.pb, ping_pong.pb]")
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "6 of 6 points done, 0 failed; 2 simulated now" in capsys.readouterr().out


def test_the_blocks_of_a_file(sweep):
    assert settings(sweep("")) == [{}]
    assert settings(sweep("grid: {eu.threads: {from: 2, to: 7, step: 2}, "
                          "llc.size: {from: 1M, to: 4M, times: 4}}\n")) == [
        {"eu.threads": t, "llc.size": s << 20} for t in (2, 4, 6) for s in (1, 4)]
    assert settings(sweep('grid: {"l3.ways, l3.ways_slm": [[32, 24], [64, 48]]}\n')) == [
        {"l3.ways": 32, "l3.ways_slm": 24}, {"l3.ways": 64, "l3.ways_slm": 48}]
    assert settings(sweep("each: {eu.threads: [2, 4], eu.count: 4}\n")) == [
        {}, {"eu.threads": 2}, {"eu.threads": 4}, {"eu.count": 4}]
    assert settings(sweep("grid: {l3.ways: [16, 32, 64]}\nset: {l3.ways_slm: l3.ways // 2}\n"
                          "where: [l3.ways > 16, not l3.ways_slm * 2 == 64 - 1]\n")) == [
        {"l3.ways": 32, "l3.ways_slm": 16}, {"l3.ways": 64, "l3.ways_slm": 32}]
    assert settings(sweep("seeds: [3, 4]\n")) == [
        {"page.seed": s, "cpu.seed": s} for s in (3, 4)]
    assert settings(sweep("grid: {l3.ways: [32, 64]}\nimpossible: skip\n")) == [{"l3.ways": 64}]


def test_values_with_names(sweep, tmp_path):
    """They are given and told by their names; by their numbers they are the same."""
    path = sweep("grid: {l3.policy: [lru, 2], eu.arbiter: [rr, 1]}\n", "[ping_pong.pb]")
    assert [c.words()[-3:] for c in plan.configurations(spec.read(path))][3] == [
        "l3.policy=srrip", "-s", "eu.arbiter=oldest"]
    main(["sweep", str(path), "-o", str(tmp_path / "db.sqlite")])
    frame = vigpu.sweep.read(tmp_path / "db.sqlite", totals=True)
    assert [*frame["l3.policy"]] == ["lru", "lru", "srrip", "srrip"]
    assert [*frame["eu.arbiter"]] == ["rr", "oldest"] * 2


@pytest.mark.parametrize("word", ["random", "latin"])
def test_samples(sweep, word):
    text = (word + ": {count: 40, seed: 7, of: {l3.latency: {from: 1, to: 40}, tlb.walk_ps: "
            "{from: 1000, to: 63999, log: true}, eu.threads: [2, 7], "
            "eu.count: {from: 2, to: 8, step: 3}}}\n")
    made = settings(sweep(text))
    assert len(made) == 40 and made == settings(sweep(text))
    assert made != settings(sweep(text.replace("seed: 7", "seed: 8")))
    assert {s["eu.threads"] for s in made} == {2, 7} and {s["eu.count"] for s in made} == {2, 5, 8}
    assert all(1000 <= s["tlb.walk_ps"] < 64000 for s in made)
    small = sum(s["tlb.walk_ps"] < 8000 for s in made)
    if word == "latin":  # one in each of 40 strata, and half on each side of the middle
        assert sorted(s["l3.latency"] for s in made) == list(range(1, 41)) and small == 20
    else:
        assert 8 < small < 32


def test_a_dry_run_tells_and_does_nothing(sweep, capsys):
    path = sweep("grid: {l3.ways: [48, 64]}\n")
    assert main(["sweep", "--dry-run", str(path)]) == 0
    told = capsys.readouterr().out
    assert "4 points: 2 traces, 2 configurations, engine ref; 0 are done, 4 would run" in told
    assert "igpu ref -c skl-gt2 -s l3.ways=48 " in told and "not known" in told
    assert not path.with_suffix(".sqlite").exists()
    assert main(["sweep", "--quiet", str(path)]) == 0
    path.write_text(path.read_text().replace("64]", "64, 72, 80]"))
    capsys.readouterr()
    assert main(["sweep", "--dry-run", "-j", "2", str(path)]) == 0
    told = capsys.readouterr().out
    assert "4 are done, 4 would run" in told and "estimated CPU time: 0." in told
    assert len(vigpu.sweep.read(path.with_suffix(".sqlite"))) == 4
    path = sweep("", '[{record: "-k k -g 64 -l 16 nothing.cl"}]')
    assert main(["sweep", "--dry-run", str(path)]) == 0
    told = capsys.readouterr().out
    assert "1 would run\n  first: igpu record --quiet -o DIR/trace.pb -k k" in told


def test_the_walk_from_a_program(tmp_path, capsys):
    """docs/guide/sweeps.md, section 7, on a smaller product: recorded once, through the driver."""
    source = TOP / "bridge" / "python" / "examples" / "product.c"
    subprocess.run(["cc", "-o", str(tmp_path / "product"), str(source), "-lOpenCL"], check=True)
    path = tmp_path / "l3.yaml"
    path.write_text("traces: [{run: ./product 64}]\n"
                    "grid: {l3.ways: [2, 64], eu.count: [2, 8]}\n"
                    "set: {l3.ways_slm: l3.ways * 3 // 4}\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    frame = vigpu.sweep.read(path.with_suffix(".sqlite"))
    assert set(frame.trace) == {"product"} and len(frame) == 4
    cycles = frame.pivot_table(index="l3.ways", columns="eu.count", values="cycles")
    # More EUs and a larger L3 are faster, and a matrix that does not fit is fetched again.
    assert cycles.loc[64, 8] < cycles.loc[64, 2] and cycles.loc[64, 8] < cycles.loc[2, 8]
    recorded = list((tmp_path / "l3.traces").glob("*/*.pb"))
    assert len(recorded) == 1
    before = recorded[0].stat().st_mtime_ns
    capsys.readouterr()
    assert main(["sweep", "--quiet", str(path)]) == 0
    assert "; 0 simulated now" in capsys.readouterr().out
    assert recorded[0].stat().st_mtime_ns == before
