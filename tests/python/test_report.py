"""Findings, plots and pages from small tables of known content."""
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.dom.minidom

import pandas
import pytest

from vigpu import output, plots, report
from vigpu.__main__ import main
from vigpu.errors import InputError, UsageError
from vigpu.report.collect import Report
from vigpu.report.findings import Run, Verdict, local_maxima
from vigpu.report.plans import PLANS

MB = 1 << 20


def run_of(name, rows):
    plan = next(p for p in PLANS if p.id == name)
    return Run(plan, plan.full, pandas.DataFrame(rows))


def report_of(*runs):
    return Report(list(runs), [], False, "ref", "0")


def flops(rates, peak=100.0):
    return [{"work_groups": n, "gflops": rate, "peak_gflops": peak,
             "of_peak_percent": rate, "flop_per_cycle": rate} for n, rate in rates.items()]


def latency(errors):
    """A GPU's chase of 1 to 9 MB on the line 200 + 15 MB, so much above the published."""
    return [{"agent": "gpu", "ws_bytes": mb * MB, "ns": 200 + 15 * mb, "error_percent": error,
             "published_ns": (200 + 15 * mb) / (1 + error / 100)}
            for mb, error in zip(range(1, 10), errors)]


def test_maxima_need_both_neighbours():
    run = run_of("flops", flops({95: 1, 96: 3, 97: 2, 119: 5, 120: 6, 167: 1, 168: 1}))
    assert local_maxima(run, 95, 168) == [96]


def test_peaks_hold_or_differ_at_their_limits():
    found = report_of(run_of("flops-long", flops({48: 80, 72: 95.1, 96: 95, 168: 94.9})))
    assert [f.verdict for f in found.findings] == [
        Verdict.HOLDS, Verdict.DIFFERS, Verdict.HOLDS, Verdict.DIFFERS]
    assert found.summary.startswith("2 numbers and properties hold, 2 differ, 0 are only")
    assert [f.quantity for f in found.differing] == ["skl-gt2, 72 work-groups",
                                                     "skl-gt2, 168 work-groups"]


def test_a_ratio_is_against_single_precision():
    found = report_of(run_of("flops-long", flops({168: 80})),
                      run_of("flops-dp", flops({168: 19})))
    last = found.findings[-1]
    assert (last.quantity, last.ours, last.error_text) == (
        "double / single", "0.2375", "-5.0 %")
    assert last.verdict is Verdict.DIFFERS


def test_a_straight_line_is_found_exactly():
    found = {f.quantity: f for f in
             report_of(run_of("latency", latency([1, -1, 2, -2, 3, -3, 4, -4, 6]))).findings}
    assert found["GPU alone, 1 to 9 MB: mean absolute error"].ours == "2.89 %"
    assert found["the same, 2 to 9 MB: slope"].ours == "15 ns/MB"
    assert found["the same: R squared of a straight line"].ours == "1.0000"
    assert found["skl-gt2 gpu, 9 MB"].verdict is Verdict.DIFFERS
    assert found["skl-gt2 gpu, 8 MB"].verdict is Verdict.HOLDS


def test_few_cells_are_told_and_many_judged():
    for cells, verdict in ((20, Verdict.TOLD), (21, Verdict.DIFFERS)):
        run = run_of("interference-a", [{"error_percent": -3.0}] * cells +
                     [{"error_percent": math.nan}])
        assert [f.verdict for f in report_of(run).findings] == [verdict]


def by_vector(power, best=35.0):
    """Five vector types at 1, 5, 6, 7 and 21 work-groups; power: of each at 21."""
    rows = []
    for n, (vector, watts) in enumerate(power.items()):
        for groups, part in ((1, 0.2), (5, 0.8), (6, 0.95), (7, 0.8), (21, 1.0)):
            efficiency = best - n if groups == 21 else 20 + (vector == 16)
            rows.append({"vector": vector, "work_groups": groups, "igpu_w": watts * part,
                         "gflops": 398 * part, "of_peak_percent": 98.7 * part,
                         "peak_gflops": 403.2, "gflops_per_watt": efficiency})
    return rows


def test_vector_types_are_ordered_by_power_and_efficiency():
    published = {4: 10.0, 1: 11.0, 8: 12.0, 2: 13.0, 16: 10.5}  # best efficiency first
    found = report_of(run_of("vectors", by_vector(published))).findings
    assert [f.verdict for f in found] == [Verdict.HOLDS] * 7
    assert found[-1].ours == "vect2 most, vect4 least, within 30.0 %"
    other = {1: 10.0, 4: 13.0, 8: 12.0, 2: 11.0, 16: 10.5}
    found = report_of(run_of("vectors", by_vector(other, 39))).findings
    assert [f.quantity for f in found if f.verdict is Verdict.DIFFERS] == [
        "best efficiency (calibration)", "efficiency at full load", "power at full load"]


def test_the_best_vector_type_reads_the_l3_fastest():
    for rates, verdict in (({1: 68, 4: 195, 16: 48}, Verdict.HOLDS),
                           ({1: 68, 4: 195, 16: 70}, Verdict.DIFFERS)):
        run = run_of("vectors-l3", [{"vector": v, "work_groups": 168, "gb_per_s": r}
                                    for v, r in rates.items()])
        assert [f.verdict for f in report_of(run).findings] == [verdict]


def test_a_page_has_all_plots_of_an_experiment():
    page = report.html(report_of(run_of("vectors", by_vector({1: 11.0, 4: 10.0, 16: 12.0}))))
    assert page.count("<svg") == 3


def test_what_was_left_out_gives_no_finding():
    assert report_of().findings == []
    assert report_of(run_of("flops-long", flops({1: 1}))).findings == []


EXPERIMENTS = {
    "flops": flops({1: 10, 2: 20, 3: 15}),
    "latency": latency([1] * 9),
    "interference": [{"gpu_ws_mb": g, "cpu_ws_mb": c, "ns": 200 + g + c,
                      "published_ns": 201.0 if c % 2 else math.nan}
                     for g in range(1, 4) for c in range(10)],
    "mlp": [{"threads": t, "relative_time": 1 + t, "ws_bytes": w}
            for t in (1, 2) for w in (64, 2048)],
    "coalescing": [{"groups": g, "gb_per_s": g, "stride": s, "peak_gb_per_s": 34.1}
                   for g in (1, 2) for s in (1, 16)],
    "bandwidth": [{"vector": v, "bytes_per_cycle": v, "subslices": s,
                   "peak_bytes_per_cycle": 64 * s} for v in (1, 4) for s in (1, 3)],
}


def legend(figure):
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_legend_names_each_thing_once(name):
    labels = legend(plots.draw(name, pandas.DataFrame(EXPERIMENTS[name])))
    assert len(labels) == len(set(labels)), labels
    published = any("published_ns" in row for row in EXPERIMENTS[name])
    assert ("published" in labels) == published


def test_a_formula_is_no_measurement():
    axes = plots.draw("flops", pandas.DataFrame(EXPERIMENTS["flops"])).axes[0]
    assert legend(axes.figure) == ["Vigpu", "peak by formula"]
    assert [line.get_marker() for line in axes.lines] == ["o", "None"]
    assert axes.lines[1].get_linestyle() == "--"


def test_diamonds_are_the_published_values():
    axes = plots.draw("latency", pandas.DataFrame(EXPERIMENTS["latency"])).axes[0]
    diamonds = [line for line in axes.lines if line.get_marker() == "D"]
    assert len(diamonds) == 1
    assert list(diamonds[0].get_ydata()) == [r["published_ns"] for r in
                                             EXPERIMENTS["latency"]]


def test_a_peak_of_all_is_drawn_once_and_one_of_each_in_its_colour():
    for name, count in (("coalescing", 1), ("bandwidth", 2)):
        axes = plots.draw(name, pandas.DataFrame(EXPERIMENTS[name])).axes[0]
        assert sum(line.get_linestyle() == "--" for line in axes.lines) == count


@pytest.mark.parametrize("form, magic", [("svg", b"<?xml"), ("png", b"\x89PNG"),
                                         ("pdf", b"%PDF")])
def test_a_picture_is_the_same_every_time(form, magic):
    frame = pandas.DataFrame(EXPERIMENTS["bandwidth"])
    one, two = (plots.save(plots.draw("bandwidth", frame), form) for _ in range(2))
    assert one == two and one.startswith(magic)


def test_an_inline_figure_is_xml_that_follows_the_page():
    svg = plots.inline_svg(plots.draw("latency", pandas.DataFrame(EXPERIMENTS["latency"])),
                           "a label")
    root = xml.dom.minidom.parseString(svg).documentElement
    assert root.getAttribute("aria-label") == "a label" and not root.hasAttribute("width")
    texts = [n.firstChild.data for n in root.getElementsByTagName("text") if n.firstChild]
    assert "time of an access [ns]" in texts and "published" in texts and "8M" in texts
    assert "var(--ink)" in svg and plots.INK not in svg and "figure_1" not in svg


def test_the_page_and_the_markdown_have_each_finding():
    made = report_of(run_of("flops-long", flops({48: 80, 72: 95.1, 96: 95})),
                     run_of("latency", latency([1] * 9)))
    page, part = report.html(made), report.markdown(made)
    xml.dom.minidom.parseString(re.search(r"<body>.*</body>", page, re.S).group(0))
    for finding in made.findings:
        assert f"| {finding.quantity} | {finding.published} | {finding.ours} |" in part
        assert f"<td>{finding.quantity}</td><td>{finding.published}</td>" in page
    assert part.count("**differs**") == 1 and page.count('<tr class="differs">') == 2
    assert page.count("<svg") == 2


def test_a_new_markdown_file_gets_the_part(tmp_path):
    path = tmp_path / "new.md"
    assert report.insert(str(path), "<part>") == "<part>\n"
    part = report.markdown(report_of())
    path.write_text("a\n" + part + "\nb\n")
    assert report.insert(str(path), part) == path.read_text()  # again: the same
    path.write_text("no markers\n")
    with pytest.raises(InputError, match="new.md: expected a new file"):
        report.insert(str(path), part)


def test_what_was_saved_is_what_is_loaded(tmp_path):
    path = tmp_path / "numbers.json"
    data = {"version": "0", "engine": "ref", "quick": True, "params": [], "runs": [
        {"id": "flops-long", "command": "flops", "rows": flops({48: 1})}]}
    path.write_text(json.dumps(data))
    assert report.load(str(path)) == data
    for damage in ("[]", "{}", '{"runs": 1}', "\xff", json.dumps({**data, "params": [{}]})):
        path.write_text(damage)
        with pytest.raises(InputError, match="numbers.json: no numbers of a report"):
            report.load(str(path))


def test_a_file_is_whole_or_as_before(tmp_path):
    path = tmp_path / "out"
    output.write(str(path), b"one")
    with pytest.raises(TypeError):
        output.write(str(path), "no bytes")
    assert path.read_bytes() == b"one" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(UsageError, match="no folder"):
        output.check_writable(str(tmp_path / "nowhere" / "out"))
    with pytest.raises(OSError):
        output.write("/dev/full", b"one")


def vigpu(*words, cwd):
    place = pathlib.Path(plots.__file__).resolve().parents[1]
    return subprocess.run([sys.executable, "-m", "vigpu", *words], cwd=cwd, text=True,
                          env={**os.environ, "PYTHONPATH": str(place)},
                          capture_output=True, check=False)


@pytest.mark.parametrize("words, status, text", [
    (["plot", "speed"], 2, "no plot of speed"),
    (["plot", "-o", "x.gif", "flops"], 2, "x.gif"),
    (["plot", "--load", "none.json", "flops"], 3, "none.json"),
    (["plot", "--load", "bad.json", "flops"], 3, "bad.json"),
    (["plot", "--load", "other.json", "flops"], 3, "work_groups, gflops"),
    (["plot", "-o", "none/x.svg", "flops"], 2, "no folder none"),
    (["plot", "flops", "--work-groups", "9..1"], 2, "--work-groups 9..1"),
    (["plot", "flops", "-c", "skl-gt9"], 2, "skl-gt2"),
])
def test_plot_errors_are_one_line(words, status, text, tmp_path, monkeypatch, igpu_path, capfd):
    monkeypatch.setenv("IGPU", igpu_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "other.json").write_text('[{"ns": 1}]')
    got, err = main(words), capfd.readouterr().err
    assert got == status and text in err, err
    assert err.startswith("igpu plot: ") and err.count("\n") == 1
    assert not list(tmp_path.glob("*.svg"))


def test_the_program_exits_as_its_command_does(tmp_path):
    done = vigpu("plot", "speed", cwd=tmp_path)
    assert done.returncode == 2 and "no plot of speed" in done.stderr
    assert done.stderr.count("\n") == 1


def test_plot_runs_the_experiment(tmp_path, monkeypatch, igpu_path):
    monkeypatch.setenv("IGPU", igpu_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    done = vigpu("plot", "latency", "--ws", "1K,8K", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    svg = (tmp_path / "latency.svg").read_text()
    assert "[ns]" in svg and "published" in svg


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_report_that_is_stopped_leaves_nothing(number, tmp_path, monkeypatch):
    program, mark = tmp_path / "igpu", tmp_path / "started"
    program.write_text(f"#!/bin/sh\n[ $1 = params ] && exec echo '[]'\n"
                       f"echo $$ >{mark}.part; mv {mark}.part {mark}; exec sleep 300\n")
    program.chmod(0o755)
    monkeypatch.setenv("IGPU", str(program))
    place = pathlib.Path(plots.__file__).resolve().parents[1]
    with subprocess.Popen([sys.executable, "-m", "vigpu", "report", "--quick"], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(place)},
                          stderr=subprocess.PIPE, text=True,  # nohup and & ignore some
                          preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)
                          ) as process:
        while not mark.exists():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(timeout=60) == 128 + number and process.stderr.read() == ""
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["igpu", "started"]


def test_a_kill_while_a_file_is_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    code = ("import os, signal, sys\n"
            "from vigpu import output\n"
            "output.write(sys.argv[1], b'whole')\n"
            "assert open(sys.argv[1]).read() == 'whole'\n"
            "os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)\n"
            "output.write(sys.argv[1], b'never there')\n")
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text() == "whole"
