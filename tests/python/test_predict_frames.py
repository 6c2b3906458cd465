"""vigpu.predict.frames: bounds worked out by hand, the committed table and model, its
training, predictions of frames that it has not seen, and the command line."""
from __future__ import annotations

import csv
import io
import json
import os

import pytest
from vigpu import errors, igpu as program
from vigpu.__main__ import main
from test_predict import first_trees
from vigpu.predict import frames, frames_report, model, timing, train, validate

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")


pytestmark = pytest.mark.usefixtures("use_the_build")


@pytest.fixture(scope="module")
def data():
    return frames.read()


@pytest.fixture(scope="module")
def shipped():
    return model.Model.read(frames.MODEL, model.FRAMES)


KEYS = ["program", "frame", "width", "height", "cycles", "cycles_kbl-gt3e"]


def counted(**changed):
    """Counters of a frame of which only these are not 0."""
    return {name: 0.0 for name in frames.read().columns.drop(KEYS)} | changed


def limits(machine="skl-gt2", **changed):
    rows = {name: np.array([float(v)]) for name, v in counted(**changed).items()}
    return {name: column[0] for name, column in
            frames.bounds(rows, frames.parameters(machine)).items()}


def test_the_table_has_the_library(data, igpu):
    assert len(data) >= 369 and data["program"].nunique() >= 24
    assert (data["cycles"] > 0).all() and not data.isna().any().any()
    # Twice as many of all but the fixed functions.
    assert (data["cycles_kbl-gt3e"] > 0).all()
    assert 0.5 < (data["cycles_kbl-gt3e"] / data["cycles"]).median() < 1
    listed = [row.split("`")[1] for row in igpu("frame", "counters").splitlines()
              if row.startswith("| `")]
    assert len(listed) >= 174
    assert set(listed) == set(data.columns) - set(KEYS)


def test_bounds_by_hand():
    """skl-gt2: 24 EUs, three samplers of 4 samples, 8 pixels a cycle to targets."""
    told = limits(ps_instructions=4800, ps_threads16=10, vs_instructions=2400, vs_threads=7)
    assert told["eu"] == (4800 * 4 + 2400 * 2) / 2 / 24
    assert told["threads"] == 17 * 100 / 24 / 7
    told = limits(pixels_written=800, pixels_blended=400, sampled_lanes=1200, subspans=64)
    assert (told["target"], told["sampler"], told["raster"]) == (100, 100, 16)
    told = limits(early_depth_tested=320, hiz_depth_tests=160, hiz_blocks=20, ia_vertices=9,
                  vf_bytes=6400, ia_primitives=3)
    assert (told["tests"], told["hiz"], told["fetch"], told["setup"]) == (10, 10, 100, 3)
    told = limits("kbl-gt3e", pixels_written=800, ps_instructions=4800, ps_threads16=10, subspans=64)
    assert (told["target"], told["eu"], told["raster"]) == (50, 4800 * 4 / 2 / 48, 16)


def test_training_gives_the_committed_trees(data, shipped, monkeypatch):
    """The first fifth of each part, as of the model of launches."""
    pytest.importorskip("sklearn")
    counts = first_trees(monkeypatch, frames, ("SETTINGS", "EDGE"))
    made = frames.Trainer(data, 1)
    fits = made.fit(np.ones(len(made.y), bool))
    for part, settings, fit in zip(("middle", "least", "most"), ("SETTINGS", "EDGE", "EDGE"), fits,
                                   strict=True):
        trees = shipped.content[part]["trees"]
        assert len(trees) == counts[settings]
        assert train.export(fit) == shipped.content[part] | {"trees": trees[:len(trees) // 5]}, part
    assert shipped.content["rows"] == len(data)


@pytest.mark.skipif("IGPU_LONG" not in os.environ, reason="IGPU_LONG=1: half a minute")
def test_training_gives_the_committed_model_byte_for_byte(data):
    pytest.importorskip("sklearn")
    timed = timing.read(timing.beside(frames.TABLE))
    assert train.text(frames.trained(data, timed, 1)).encode() == frames.MODEL.read_bytes()


def test_unseen_programs_are_told_better_than_by_base(data):
    """By models that have not seen them: a third of the programs."""
    pytest.importorskip("sklearn")
    made = frames.Trainer(data, 1)
    part = made.folds("program", 3) == 0
    told = made.fit(~part)[0].predict(made.x[part])
    error = validate.errors(made.cycles[part], made.base[part] * np.exp(told))
    flat = made.base[part] * np.exp(made.y[~part].mean())
    plain = validate.errors(made.cycles[part], flat)
    assert np.median(error) < 15 and error.mean() < 0.8 * plain.mean()


def test_a_frame_of_the_table(data, shipped):
    row = data.iloc[100]
    for machine, column in frames.MACHINES.items():
        told = frames.predict(row.drop(KEYS).to_dict(), shipped, machine)
        assert told["cycles"] == pytest.approx(row[column], rel=0.25)
    assert told["cycles_low"] <= told["cycles"] <= told["cycles_high"]
    assert told["bound"] in frames.BOUNDS and len(told["deciding"]) == 5
    assert not told["outside"]


def test_no_frame_is_below_a_bound(data, shipped):
    for machine, column in frames.MACHINES.items():
        limits = frames.bounds({name: data[name].to_numpy(float) for name in counted()},
                               frames.parameters(machine))
        assert (np.max(list(limits.values()), axis=0) < data[column].to_numpy(float)).all()
    content = json.loads(json.dumps(shipped.content))
    for part in "middle", "least":
        content[part]["start"] -= 20
    told = frames.predict(data.iloc[7].drop(KEYS).to_dict(), model.Model(content))
    assert told["cycles"] == told["cycles_low"] == told["bound_cycles"] > 1


def fake(monkeypatch, values):
    """igpu frame render writes these counters; all else is the real program's."""
    real, words = program.run, []

    def run(command, *rest, **more):
        if command[:2] != ["frame", "render"]:
            return real(command, *rest, **more)
        words.append(command)
        with open(command[command.index("--json") + 1], "w", encoding="utf-8") as file:
            json.dump({"counters": values}, file)
        return ""
    monkeypatch.setattr(program, "run", run)
    return words


def test_a_capture_is_executed_and_predicted(monkeypatch, capsys, data, tmp_path):
    row = data.iloc[3]
    words = fake(monkeypatch, {name: int(row[name]) for name in counted()})
    out = tmp_path / "told.json"
    assert main(["predict", "--frame", "6", "--json", str(out), "a.igf"]) == 0
    assert words[0][-3:] == ["--frame", "6", "a.igf"]
    told = json.loads(out.read_text("utf-8"))
    text = capsys.readouterr().out
    assert text.startswith("frame 6 of a.igf, skl-gt2\n  cycles ")
    assert f"  cycles      {told['cycles']:.0f}, 90 % between" in text
    assert told["frame"] == 6 and frames.BOUNDS[told["bound"]] in text
    assert main(["predict", "-c", "kbl-gt3e", "--json", str(out), "a.igf"]) == 0
    other = json.loads(out.read_text("utf-8"))
    assert other["config"] == "kbl-gt3e" and other["cycles"] < told["cycles"]
    assert capsys.readouterr().out.startswith("the last frame of a.igf, kbl-gt3e\n")


def test_a_model_of_another_timing_says_so(monkeypatch, capsys, data, shipped, tmp_path):
    """The table of frames is of the timing before 2026-11-26."""
    assert shipped.content["timing"] == timing.words(timing.read(timing.beside(frames.TABLE)))
    assert frames.TIMED_WITH == {key: float(dict(w.split("=") for w in shipped.content["timing"])[key])
                                 for key in frames.TIMED_WITH}
    fake(monkeypatch, {name: int(data.iloc[3][name]) for name in counted()})
    out = tmp_path / "told.json"
    assert main(["predict", "--json", str(out), "a.igf"]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "trained on another timing" in err
    assert "ff.fetch_bytes 64, now 12" in err and "tex.lines 4, now 2" in err
    assert json.loads(out.read_text("utf-8"))["timing"] in err
    content = json.loads(json.dumps(shipped.content)) | {"timing": timing.words(timing.now(True))}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    assert main(["predict", "--model", str(path), "a.igf"]) == 0
    assert capsys.readouterr().err == ""


def test_counters_that_lack_are_told(monkeypatch, capsys):
    fake(monkeypatch, {"draws": 1})
    assert main(["predict", "a.igf"]) == 3
    assert "train it anew" in capsys.readouterr().err


def library(folder, verdict="equal"):
    """A cache as traces/frames/library.py leaves it: one program of two checked frames."""
    with open(folder / "gears.check.csv", "w", encoding="utf-8") as file:
        file.write("program,frame,width,height,launches,threads,instructions,cycles,"
                   "cycles_kbl-gt3e,events,verdict\ngears,2,4,3,1,9,9,500,400,1,equal\n"
                   f"gears,4,4,3,1,9,9,700,450,1,{verdict}\n")
    with open(folder / "gears.counters.csv", "w", encoding="utf-8") as file:
        file.write("frame,draws,covered\n1,1,1\n2,3,12\n3,1,1\n4,4,11\n")


def test_the_table_is_made_of_a_library(tmp_path, capsys):
    library(tmp_path)
    out = tmp_path / "frames.csv"
    assert main(["predict", "frames", "table", str(tmp_path), "-o", str(out)]) == 0
    assert capsys.readouterr().out == "2 frames of 1 programs\n"
    assert timing.read(tmp_path / "frames.timing.csv") == timing.now(True)
    assert list(csv.reader(io.StringIO(out.read_text()))) == [
        [*KEYS, "draws", "covered"], ["gears", "2", "4", "3", "500", "400", "3", "12"],
        ["gears", "4", "4", "3", "700", "450", "4", "11"]]
    library(tmp_path, "differ")
    assert len(frames.make(tmp_path)) == 1
    (tmp_path / "gears.counters.csv").unlink()
    with pytest.raises(errors.InputError, match="gears.counters.csv: not there; run"):
        frames.make(tmp_path)


def test_the_tables_of_the_page(data, monkeypatch):
    """What they say of it all, by a fifth of the trees."""
    pytest.importorskip("sklearn")
    first_trees(monkeypatch, frames, ("SETTINGS", "EDGE"))
    few = data[data["program"].isin(data["program"].unique()[::72])].reset_index(drop=True)
    text = frames_report.validation(few, True, 1, ["ours", "rank"])
    assert f"{len(few)} frames of {few['program'].nunique()} programs" in text
    assert "one program at a time" in text and "% lie inside the 90 % interval" in text
    assert "| 20 | `" in text


@pytest.mark.parametrize("words, status", [
    (["--frame", "0", "a.igf"], 2), (["--frame", "1", "a.pb"], 2), (["-c", "kbl-gt2", "a.igf"], 2),
    (["-s", "eu.count=4", "a.igf"], 2), (["--sample", "3", "a.igf"], 2), (["none.igf"], 3),
    (["--model", "none.json", "a.igf"], 3), (["frames"], 2), (["frames", "more"], 2),
    (["frames", "table", "-o", "x"], 2), (["frames", "train"], 2),
    (["frames", "train", "more", "-o", "x"], 2), (["frames", "table", "/nonexistent", "-o", "x"], 3),
    (["frames", "validate", "--part", "no-such"], 2),
    (["frames", "validate", "--data", "/nonexistent"], 3),
])
def test_misuse_is_told(words, status, capsys):
    assert main(["predict", *words]) == status
    assert capsys.readouterr().err.count("\n") == 1


def test_a_model_of_launches_is_none_of_frames(capsys):
    other = frames.DATA / "model.json.xz"
    assert main(["predict", "--model", str(other), "a.igf"]) == 3
    assert "no model of the form 'vigpu-predict-frames 2'" in capsys.readouterr().err
