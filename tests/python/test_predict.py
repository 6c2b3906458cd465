"""vigpu.predict: bounds worked out by hand, the fifteen models, the shipped model and its
training byte for byte, damaged model files, and the command line."""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from vigpu import errors, predict
from vigpu.__main__ import main
from vigpu.predict import bound, design, joules, linear, model, table, timing, train, validate

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
TOP = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = TOP / "traces/samples/mad_sp.pb"


pytestmark = pytest.mark.usefixtures("use_the_build")


@pytest.fixture(scope="module")
def data():
    return table.read()


def test_the_table_is_as_large_as_it_is_said_to_be(data):
    assert len(data.launches) >= 600
    assert data.launches["kernel"].nunique() >= 60
    assert data.launches["program"].nunique() >= 24
    assert {"skl-gt2", "kbl-gt2", "kbl-gt3e"} <= set(data.cycles["machine"])
    assert (data.cycles["cycles"] > 0).all()
    assert len(data.features) >= 174


def test_misses_are_shared_out_inside_a_class():
    frame = pd.DataFrame({"cold": [10], "more": [1], "a": [100], "b": [40]}, dtype=float)
    room = np.array([24.0])  # half of the lines from 16 to 32, none of those below 16
    assert bound.misses(frame, (("a", 16), ("b", 32)), "cold", "more", room)[0] == 11 + 20


def row(data, **changed):
    one = data.rows().iloc[[0]].copy()
    for name in data.features.index:
        one[name] = 0.0
    for name, value in {"geo.threads": 168, "geo.groups": 168, "geo.group_threads": 1,
                        "inst.all": 168 * 100, "thread.mean": 100, "thread.max": 100,
                        **changed}.items():
        one[name] = float(value)
    for name, value in data.machines.loc["skl-gt2"].items():
        one[name] = value
    return one


def limits(frame):
    return {name: column[0] for name, column in bound.bounds(frame).items()}


def test_bounds_of_arithmetic_by_hand(data):
    # 24 EUs of two FPUs; a GRF of a 32-bit class takes 2 cycles of one.
    out = limits(row(data, **{"work.alu32": 48_000}))
    assert out["fpu"] == 48_000 * 2 / 2 / 24
    assert out["issue"] == 168 * 100 / 24
    assert out["dispatch"] == 168 * 2
    # Double precision goes through FPU1 alone.
    assert limits(row(data, **{"work.df": 48_000}))["fpu"] == 48_000 * 2 / 24


def test_bound_of_dram_by_hand(data):
    # Each line once: 64 bytes at 2 channels x 16 bytes x 1066.67 MHz, in 1150 MHz cycles.
    out = limits(row(data, **{"line.read": 10_000, "reuse.cold": 10_000,
                              "mem.messages": 10_000}))
    assert out["dram"] == pytest.approx(10_000 * 64 / (32 * 1066666667 / 1150e6))
    assert out["port"] == pytest.approx(10_000 / 3)


def test_energy_of_arithmetic_by_hand(data):
    """1,000 single-precision mads of 16 lanes on 2 GRFs, at the voltage of the energies."""
    frame = row(data, **{"inst.all": 1000, "inst.lanes": 16_000, "op.mad": 1000, "type.f": 1000,
                         "work.alu32": 2000, "geo.threads": 0})
    frame["gpu.clock_hz"] = 1050e6  # power.v_1050 is power.v_ref
    made = joules.energies(frame, bound.bounds(frame))
    lanes = 6.9 * 0.55 * 16_000 * (0.9 + 3.7)
    grfs = 6.9 * 0.75 * 2000 * 3 * 8.0
    front, icache = 1000 * 10.0, 0.55 * 1000 * 40.0
    assert made["events"][0] * 1e3 == pytest.approx(lanes + grfs + front + icache)


def test_watts_of_an_idle_machine_by_hand(data):
    """No thread: an EU's clock tree runs at a tenth."""
    frame = row(data, **{"geo.threads": 0, "inst.all": 0})
    frame["gpu.clock_hz"] = 1050e6
    clocks = 6.9 * 12.0 * 24 * 0.1 + 3 * 80.0 + 150.0 + 200.0  # pJ a cycle
    leakage = 24 * 0.035 + 3 * 0.07 + 0.15 + 0.2
    uncore = 0.9 + data.machines.loc["skl-gt2", "llc.slices"] * 0.15 + 0.7
    ranks = 2 * data.machines.loc["skl-gt2", "dram.ranks"]
    standby = ranks * 8 * 0.036 * 1.2
    made = joules.energies(frame, bound.bounds(frame))
    assert made["by_time"][0] * 1.05 == pytest.approx(
        clocks * 1.05e-3 + leakage + uncore + standby)


def test_simple_sums_are_near_the_simulated_energies(data):
    made = train.Trainer(data.rows(), data.kinds, 1)
    ratio = joules.total(made.parts, made.cycles) / made.nj
    assert 0.8 < np.median(ratio) < 1.25
    assert np.mean((ratio > 0.6) & (ratio < 1.6)) > 0.9


def test_the_interval_is_widened_by_what_lies_outside():
    outside = np.arange(-10.0, 90.0)  # ten of a hundred rows are inside already
    assert train.widening(outside) == pytest.approx(79.9, abs=1.1)
    assert train.widening(np.full(50, -0.2)) == pytest.approx(-0.2)


def test_a_quantile_forest_finds_the_spread():
    random = np.random.default_rng(5)
    x = random.random((600, 4))
    y = x[:, 0] + random.standard_normal(600)
    low, middle, high = validate.quantile_forest(x, y, x[:50], [0.05, 0.5, 0.95], 1)
    assert (low <= middle).all() and (middle <= high).all()
    assert 2 < np.median(high - low) < 4.5  # 3.3 standard deviations


def test_fifteen_models_in_the_published_categories():
    names = linear.names()
    assert len(names) == 15 and len(set(names)) == 15
    assert [n for n, _ in names].count("OLS") == [n for n, _ in names].count("NNLS") == 5


@pytest.mark.parametrize("name", [n for _, n in linear.names() if "random" not in n])
def test_linear_models_find_what_made_the_numbers(name):
    random = np.random.default_rng(3)
    x = random.random((300, 20))
    y = 5 + 30 * x[:, 2] + 10 * x[:, 7] + 0.01 * random.standard_normal(300)
    predict_, used = linear.fit(name, x, y)
    assert np.abs(predict_(x) - y).max() < 1.0
    if "BIC" in name:
        assert used <= 5


def test_columns_that_others_give_get_no_weight():
    random = np.random.default_rng(6)
    x = random.random((300, 5))
    x[:, 3] = x[:, 1] + x[:, 2] + 1e-10 * random.random(300)
    y = 7 * x[:, 0] + 0.1 * random.standard_normal(300)
    predict_, used = linear.fit("OLS full", x, y)
    x[:, 3] += 0.1  # where the relation does not hold
    assert used == 4 and np.abs(predict_(x) - y).max() < 2


@pytest.mark.parametrize("name", ["elastic net", "elastic net >= 0"])
def test_the_elastic_net_finds_numbers_of_all_sizes(name):
    random = np.random.default_rng(7)
    x = 10 ** (4 * random.random((400, 20)))
    y = 30 * x[:, 2] + 10 * x[:, 7]
    predict_, _ = linear.fit(name, x, y)
    assert validate.errors(y, predict_(x)).mean() < 20


def test_stepwise_leaves_out_what_is_noise():
    random = np.random.default_rng(4)
    x = random.random((200, 30))
    y = 3 * x[:, 0] - 2 * x[:, 1] + 0.05 * random.standard_normal(200)
    order = linear._forwards(x, y)
    assert set(order[:2]) == {0, 1}
    assert set(linear._best(x, y, linear._backwards(x, y, order), "BIC")) >= {0, 1}
    assert len(linear._best(x, y, order, "BIC")) < 8


def test_folds_keep_groups_together():
    groups = np.array(list("aabbccddee"))
    fold = train.folds(groups, 3, 1)
    assert all(len(set(fold[groups == g])) == 1 for g in "abcde") and set(fold) == {0, 1, 2}


def test_errors_and_inliers():
    error = validate.errors(np.array([100.0, 100.0]), np.array([90.0, 160.0]))
    assert list(error) == [10, 60]
    assert validate.inliers(error)["I10"] == 50 and validate.inliers(error)["I5"] == 0


@pytest.mark.skipif("IGPU_LONG" not in os.environ, reason="IGPU_LONG=1: a minute")
def test_training_gives_the_committed_model_byte_for_byte(data):
    pytest.importorskip("sklearn")
    assert train.text(train.train(data, 1)) == model.unpacked(model.DEFAULT.read_bytes())


def test_a_compressed_model_is_the_same_model(tmp_path):
    text = model.unpacked(model.DEFAULT.read_bytes())
    plain, packed = tmp_path / "model.json", tmp_path / "model.json.xz"
    for path in plain, packed:
        path.write_bytes(model.packed(path.name, text))
    assert plain.read_text("utf-8") == text and packed.stat().st_size < len(text) / 3
    assert model.packed("a.xz", text) == packed.read_bytes()
    assert model.Model.read(plain).content == model.Model.read(packed).content
    for damage in packed.read_bytes()[:-100], packed.read_bytes()[:99] + b"x" * 99:
        packed.write_bytes(damage)
        with pytest.raises(errors.InputError, match="no model"):
            model.Model.read(packed)


def first_trees(monkeypatch, module, names):
    """How many trees each of the settings asks for; training stops at a fifth of them."""
    counts = {}
    for name in names:
        settings = getattr(module, name)
        counts[name] = settings["max_iter"]
        monkeypatch.setattr(module, name, settings | {"max_iter": settings["max_iter"] // 5})
    return counts


def test_training_gives_the_committed_trees(data, monkeypatch):
    """The first fifth of each part: a tree is made of what the ones before it leave, and of
    nothing behind it."""
    pytest.importorskip("sklearn")
    counts = first_trees(monkeypatch, train, ("SETTINGS", "EDGE", "ENERGY"))
    trainer = train.Trainer(data.rows(), data.kinds, 1)
    x, y, committed = trainer.x, trainer.y, predict.default_model().content
    low, high = train.fit_edges(x, y, 1)
    for name, settings, fitted in (
            ("middle", "SETTINGS", train.fit_middle(x, y, 1)), ("least", "EDGE", low),
            ("most", "EDGE", high), ("energy", "ENERGY", trainer.fit_energy(np.ones(len(y), bool)))):
        made, trees = train.export(fitted), committed[name]["trees"]
        assert len(trees) == counts[settings] and len(made["trees"]) == len(trees) // 5
        assert made == committed[name] | {"trees": trees[:len(trees) // 5]}, name


def test_the_model_is_of_this_timing(data):
    """Where this fails a default has changed: traces/workloads/make.sh, then train."""
    shipped = model.default_model()
    assert shipped.content["timing"] == timing.words(data.timing)
    assert timing.changed(shipped, False) == ""


def test_a_model_of_another_timing_says_so(tmp_path, capsys):
    content = json.loads(model.unpacked(model.DEFAULT.read_bytes()))
    then = timing.now(False)
    content["timing"] = timing.words({k: v for k, v in then.items() if k != "l3.policy"}
                                     | {"l3.mshrs": then["l3.mshrs"] + 1})
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    assert main(["predict", "--model", str(path), "--json", "-", str(SAMPLE)]) == 0
    out, err = capsys.readouterr()
    assert err == ("igpu predict: the model was trained on another timing, and tells cycles of that "
                   f"one: l3.mshrs {then['l3.mshrs'] + 1}, now {then['l3.mshrs']}; parameters "
                   "that only one of them has: 1\n")
    assert json.loads(out)["timing"] in err
    assert main(["predict", str(SAMPLE)]) == 0
    assert capsys.readouterr().err == ""


def test_the_file_predicts_as_scikit_learn_does(data):
    pytest.importorskip("sklearn")
    frame = data.rows().iloc[::7]
    x = design.matrix(design.columns(frame, data.kinds))
    y, _ = train.target(frame)
    fitted = train.regressor(1, loss="squared_error", max_iter=20).fit(x, y)
    content = {"middle": train.export(fitted), "columns": []}
    assert np.allclose(predict.Model(content).trees("middle", x), fitted.predict(x), atol=1e-5)


def test_floors_are_below_all_cycles_and_predictions_above_their_floors(data):
    rows = data.rows()
    limits = bound.bounds(rows)
    floor = np.max([limits[name] for name in bound.FLOORS], axis=0)
    assert (floor < rows["cycles"]).all()
    assert (np.max([limits[name] for name in bound.BOUNDS], axis=0) > rows["cycles"]).any()
    few = rows.iloc[::23].reset_index(drop=True)
    for row in predict.model.predict(predict.default_model(), bound.floats(few), data.kinds):
        assert row["bound_cycles"] <= row["cycles_low"] <= row["cycles"] <= row["cycles_high"]
        assert row["floor"] in bound.FLOORS and row["bottleneck_cycles"] >= row["bound_cycles"]


def test_a_model_that_says_too_little_is_held_by_the_floor(data):
    content = json.loads(json.dumps(predict.default_model().content))
    for part in "middle", "least":
        content[part]["start"] -= 20
    few = data.rows().iloc[:3].reset_index(drop=True)
    for row in predict.model.predict(predict.Model(content), bound.floats(few), data.kinds):
        assert row["cycles"] == row["cycles_low"] == row["bound_cycles"] > 1


def test_a_sample_of_the_project_is_predicted():
    frame = predict.cycles(SAMPLE, "skl-gt2")
    assert list(frame["kernel"]) == ["mad_sp"]
    assert frame["cycles"][0] == pytest.approx(29736, rel=0.15)
    assert frame["cycles_low"][0] <= frame["cycles"][0] <= frame["cycles_high"][0]
    assert frame["bound"][0] in bound.BOUNDS and len(frame["deciding"][0]) == 5
    assert frame["bound_cycles"][0] == pytest.approx(29736, rel=0.05)  # FPUs, busy all the time
    assert frame["energy_nj"][0] == pytest.approx(431_056, rel=0.15)  # igpu ref --energy
    assert frame["energy_nj_low"][0] <= frame["energy_nj"][0] <= frame["energy_nj_high"][0]
    slower = predict.cycles(SAMPLE, "skl-gt2", {"eu.count": 4})
    assert slower["cycles"][0] > 1.5 * frame["cycles"][0]
    costly = predict.cycles(SAMPLE, "skl-gt2", {"power.eu_scale": 13800})
    assert costly["cycles"][0] == frame["cycles"][0]
    assert costly["energy_nj"][0] == pytest.approx(709_669, rel=0.15)


KERNEL = ["-k", "mad_sp", "-g", "5376", "-l", "32", "-O", "-DSIMD=32", "--arg", "buf:21504",
          "--arg", "i32:16", "--arg", "f32:0.9990234375", "--arg", "f32:0.125",
          str(TOP / "traces/kernels/mad.cl")]


def told(capsys, *words):
    assert main(["predict", "--json", "-", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_kernel_is_predicted_as_its_trace(capsys):
    """With our options before, between and behind those of the kernel."""
    want = told(capsys, "-c", "kbl-gt2", "-s", "eu.count=6", str(SAMPLE))
    assert told(capsys, "-c", "kbl-gt2", "-s", "eu.count=6", *KERNEL) == want
    assert told(capsys, *KERNEL[:4], "-ckbl-gt2", *KERNEL[4:], "-s", "eu.count=6") == want
    part = told(capsys, "-ckbl-gt2", "-s", "eu.count=6", "--sample=100", *KERNEL)["launches"][0]
    assert part["threads_read"] == 100 and part["threads"] == 168
    assert part["cycles"] == pytest.approx(want["launches"][0]["cycles"], rel=0.05)


def test_a_case_of_the_suite_is_predicted_at_each_width(capsys, monkeypatch):
    monkeypatch.chdir(TOP)
    rows = told(capsys, "mad_sp")["launches"]
    assert [row["threads"] for row in rows] == [672, 336, 168]
    want = told(capsys, str(SAMPLE))["launches"][0]
    assert rows[2]["cycles"] == want["cycles"]


def test_a_program_is_predicted_launch_by_launch_and_in_all(capfd, tmp_path):
    source = TOP / "bridge/python/examples/product.c"
    program = str(tmp_path / "product")
    built = subprocess.run(["cc", "-o", program, str(source), "-lOpenCL"], check=False)
    if built.returncode != 0:
        pytest.skip("no OpenCL headers")
    assert main(["predict", "--json", "-", "--", program, "64"]) == 0
    content = json.loads(capfd.readouterr().out)
    rows, total = content["launches"], content["total"]
    assert [row["threads"] for row in rows] == [256]
    assert total == {key: rows[0][key] for key in total}
    simulated = 45_128  # igpu run --time
    assert total["cycles_low"] <= simulated <= total["cycles_high"]


def test_a_program_that_launches_nothing_or_fails(capfd):
    assert main(["predict", "--", "true"]) in (1, 3)
    told_ = capfd.readouterr().err.splitlines()[-1]
    assert told_.startswith("igpu predict: true: ")
    assert main(["predict", "--", "false"]) == 1
    assert main(["predict", "--", "/no/such/program"]) == 2
    assert "igpu predict: /no/such/program: " in capfd.readouterr().err


def test_an_unknown_name_is_no_file_and_no_case(capsys):
    assert main(["predict", "no_such_case"]) == 2
    told_ = capsys.readouterr().err
    assert told_.startswith("igpu predict: no_such_case: no such file, and no case of ")
    assert told_.count("\n") == 1


def test_nothing_of_pandas_is_needed_to_predict():
    """Its import and overhead were most of a prediction's time."""
    code = (f"import sys; from vigpu.__main__ import main; main(['predict', {str(SAMPLE)!r}]); "
            "sys.exit('pandas' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL,
                          check=False).returncode == 0


def test_a_machine_far_from_all_is_told(capsys):
    assert main(["predict", "-s", "l3.latency=1000", str(SAMPLE)]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert "outside the training data:" in told and "machine.l3.latency" in told


def damaged(tmp_path, change):
    content = json.loads(model.unpacked(model.DEFAULT.read_bytes()))
    change(content)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("change", [
    lambda c: c.pop("middle"),
    lambda c: c.update(format="vigpu-predict 9"),
    lambda c: c["low"].pop(),
    lambda c: c["middle"]["trees"][3]["left"].__setitem__(0, 0),
    lambda c: c["middle"]["trees"][3]["right"].__setitem__(0, 10 ** 6),
    lambda c: c["middle"]["trees"][3]["feature"].__setitem__(0, 10 ** 6),
    lambda c: c["least"]["trees"][0]["value"].pop(),
    lambda c: c["most"]["trees"][0]["value"].__setitem__(0, "x"),
    lambda c: c.update(columns=["no.such"] + c["columns"][1:]),
    lambda c: c.update(widen=None),
    lambda c: c["most"].update(trees=[]),
    lambda c: c.pop("energy"),
    lambda c: c.update(energy_columns=[]),
    lambda c: c.update(energy_columns=["no.such"]),
    lambda c: c.update(energy_widen="x"),
])
def test_a_damaged_model_is_one_clear_line(tmp_path, capsys, change):
    path = damaged(tmp_path, change)
    assert main(["predict", "--model", str(path), str(SAMPLE)]) == 3
    told = capsys.readouterr().err
    assert told.startswith("igpu predict: ") and told.count("\n") == 1


def test_a_file_that_is_no_model(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"\xff\xfe{{{")
    with pytest.raises(errors.InputError, match="no model"):
        predict.Model.read(path)


@pytest.mark.parametrize("words, status", [
    ([], 2), (["a.pb", "b.pb"], 2), (["train"], 2), (["table", "none.sqlite", "-o", "x"], 2),
    (["-s", "eu.count", "a.pb"], 2), (["-c", "no-such", str(SAMPLE)], 2),
    (["-s", "eu.count=99", str(SAMPLE)], 2), (["none.pb"], 3),
    (["--model", "none.json", str(SAMPLE)], 3), (["train", "more"], 2),
    (["validate", "--data", "/nonexistent"], 3), (["--sample", "-1", str(SAMPLE)], 2),
    (["validate", "--part", "no-such"], 2), (["--"], 2), (["-k", "x", "--", "true"], 2),
    (["-k", "no_such", "-g", "8", "-l", "8", str(TOP / "traces/kernels/mad.cl")], 2),
])
def test_misuse_is_told(words, status, capsys):
    assert main(["predict", *words]) == status
    assert capsys.readouterr().err.count("\n") == 1
