"""What a sweep's report says."""
import re

import pandas as pd
import pytest
import sweep_rig as rig

import vigpu.sweep
from vigpu.__main__ import main
from vigpu.errors import InputError
from vigpu.sweep import analysis
from vigpu.sweep.area import area_mm2


pytestmark = pytest.mark.usefixtures("use_the_build")


def points(rows, parameters):
    """A table as read() gives it, of (parameters..., time, trace)."""
    frame = pd.DataFrame(rows, columns=[*parameters, "time_ns", "trace"])
    frame = frame.assign(engine="ref", base="skl-gt2", config=range(len(frame)))
    for key in parameters:
        frame["config"] = frame.groupby(parameters).ngroup()
    frame.attrs["parameters"] = list(parameters)
    return frame


VALUES = {"gpu.subslices": 3, "eu.count": 8, "eu.threads": 7, "gpu.slices": 1, "l3.banks": 4,
          "l3.sets": 32, "l3.ways": 64, "disp.slm_kb": 64, "icache.kb": 48, "llc.size": 8 << 20,
          "tlb.entries": 512}


def study(frame):
    values = pd.DataFrame([VALUES | {key: row[key] for key in frame.attrs["parameters"]}
                           for row in frame.to_dict("records")])
    return analysis.study(frame, values)


def test_effects_of_a_grid():
    """Two parameters whose effects multiply: each is found by itself, exactly."""
    a, b = {1: 4.0, 2: 2.0, 4: 1.0}, {10: 1.0, 20: 1.5}
    made = study(points([(x, y, 100 * scale * a[x] * b[y], name) for x in a for y in b
                         for name, scale in (("p", 1), ("q", 7))], ["eu.threads", "l3.latency"]))
    first, second = analysis.effects(made)
    assert (first.parameter, second.parameter) == ("eu.threads", "l3.latency")
    assert first.paired and first.size == pytest.approx(3) and second.size == pytest.approx(0.5)
    assert first.table["mean"].to_dict() == pytest.approx(a)
    assert second.table["low"].to_dict() == pytest.approx(b)
    (pair,) = analysis.pairs(made, ["eu.threads", "l3.latency"])
    assert pair.table.loc[1, 20] == pytest.approx(6) and pair.table.min().min() == 1


def test_effects_of_one_at_a_time():
    """Only the points that differ in the parameter alone count."""
    made = study(points([(7, 57, 100, "p"), (4, 57, 150, "p"), (7, 99, 300, "p")],
                        ["eu.threads", "l3.latency"]))
    sizes = {effect.parameter: effect.size for effect in analysis.effects(made)}
    assert sizes == pytest.approx({"eu.threads": 0.5, "l3.latency": 2})


def test_what_follows_another_parameter_is_no_parameter():
    made = study(points([(x, x * 3 // 4, 100 + x, "p") for x in (16, 32, 64)],
                        ["l3.ways", "l3.ways_slm"]))
    assert made.parameters == ["l3.ways"] and made.followers == {"l3.ways_slm": "l3.ways"}


def test_a_pareto_front():
    configs = pd.DataFrame({"area": [1, 2, 3, 3, 4, 5], "time": [9, 5, 5, 4, 4, 1]})
    kept = analysis.pareto(configs, "area", "time")
    assert list(zip(kept.area, kept.time)) == [(1, 9), (2, 5), (3, 4), (5, 1)]


def test_the_area_grows_with_what_there_is():
    whole = area_mm2(VALUES)
    assert 5 < whole < 100
    for key in ("eu.count", "eu.threads", "l3.ways", "llc.size", "gpu.subslices"):
        assert area_mm2(VALUES | {key: VALUES[key] // 2}) < whole
    # The L3 of GT2: 512 KB of data and 8192 tags.
    more = area_mm2(VALUES | {"l3.ways": 128}) - whole
    assert more == pytest.approx(8192 * (512 + 32) * 0.12e-6)


def test_the_page_and_the_csv(tmp_path, samples, capsys):
    path = rig.write(tmp_path / "sweep", samples,
                     "grid: {eu.threads: [2, 4, 7], l3.ways: [48, 64]}\nenergy: true\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    csv = tmp_path / "points.csv"
    for _ in range(2):
        assert main(["sweep", "report", str(path), "--csv", str(csv)]) == 0
    page = path.with_suffix(".html").read_text()
    frame = vigpu.sweep.read(path.with_suffix(".sqlite"), totals=True)
    assert "12 points: 2 traces x 6 configurations, engine ref" in page
    for name, rows in frame.groupby("trace"):
        assert re.search(rf"<td>{name}</td><td class=\"number\">{rows.cycles.min()}</td>", page)
    assert page.count("<svg") == 4 and "Time and energy" in page and "Time and area" in page
    assert not re.search(r'(src|href)="http|<script', page) and "differs\">" not in page
    again = pd.read_csv(csv)
    assert len(again) == 12 and (again.cycles == frame.cycles.to_numpy()).all()
    assert again.groupby("trace").relative_time.min().eq(1).all()
    bars = tmp_path / "bars.svg"
    picture = ["sweep", "report", str(path), "-o", str(bars)]
    assert main(picture) == 2 and "of the bars of --baseline" in capsys.readouterr().err
    assert main([*picture, "--baseline", "l3.ways=64"]) == 0
    drawn = bars.read_bytes()
    assert b"<svg" in drawn and b"cycles, 64 = 1" in drawn
    assert main([*picture, "--baseline", "l3.ways=64"]) == 0 and bars.read_bytes() == drawn
    for bad, told in ((["--sweep", "other"], "has test"), (["-o", "/nonexistent/x.html"],
                                                          "cannot write")):
        assert main(["sweep", "report", str(path), *bad]) == 2
        assert told in capsys.readouterr().err


def test_a_sweep_without_points(tmp_path, samples, capsys):
    path = rig.write(tmp_path / "sweep", samples, "list: [{cpu.agent: 3}]\n")
    assert main(["sweep", "--quiet", str(path)]) == 1
    capsys.readouterr()
    assert main(["sweep", "report", str(path)]) == 3
    assert "no point of the sweep is done" in capsys.readouterr().err
    assert not path.with_suffix(".html").exists()


def test_ratios_to_a_baseline():
    """Of points that differ in its parameters alone, by geometric means over the others."""
    scale = {"lru": 1.0, "random": 2.0, "mine.so": 0.5}
    rows = [(policy, ways, 100 * scale[policy] * (ways if policy == "random" else 1), name)
            for policy in scale for ways in (1, 4) for name in ("p", "q")]
    made = study(points(rows, ["l3.policy", "l3.ways"]))
    against = analysis.compare(made, "l3.policy=lru", "time_ns")
    assert list(against.table.columns) == ["random", "mine.so"]
    assert list(against.table.index) == ["p", "q", analysis.MEAN]
    assert against.table["random"].tolist() == pytest.approx([4, 4, 4])
    assert against.table["mine.so"].tolist() == pytest.approx([0.5, 0.5, 0.5])
    both = analysis.compare(made, "l3.policy=lru,l3.ways=1", "time_ns")
    assert both.table.loc["p", "random, 4"] == pytest.approx(8)
    assert both.table.loc["p", "lru, 4"] == pytest.approx(1)


def test_a_trace_without_the_statistic_is_left_out():
    made = study(points([(policy, 10, name) for policy in ("lru", "srrip")
                         for name in ("p", "q")], ["l3.policy"]))
    made.points["l3.misses"] = [5, 0, 10, 7]
    against = analysis.compare(made, "l3.policy=lru", "l3.misses")
    assert against.left_out == ["q"]
    assert against.table["srrip"].to_dict() == pytest.approx({"p": 2, analysis.MEAN: 2})


@pytest.mark.parametrize(("baseline", "statistic", "told"), [
    ("l3.policy=fifo", "cycles", "no point has l3.policy=fifo; there are lru; srrip"),
    ("l3.policy", "cycles", "no point has l3.policy"),
    ("llc.size=8", "cycles", "llc.size does not vary in this sweep; l3.policy does"),
    ("", "cycles", "does not vary"),
    ("l3.policy=lru", "colour", "no statistic colour"),
    ("l3.policy=lru", "trace", "no statistic trace"),
    ("l3.policy=lru", "none", "none is 0 in all traces")])
def test_a_baseline_that_there_is_not(baseline, statistic, told):
    made = study(points([(policy, 10, "p") for policy in ("lru", "srrip")], ["l3.policy"]))
    made.points["none"] = 0
    made.points["cycles"] = 1
    with pytest.raises(InputError, match=re.escape(told)):
        analysis.compare(made, baseline, statistic)
