"""vigpu.predict: bounds worked out by hand, the fifteen models, the shipped model and its
training byte for byte, damaged model files, and the command line."""
from __future__ import annotations

import json
import pathlib

import pytest
from vigpu import errors, predict
from vigpu.__main__ import main
from vigpu.predict import bound, design, linear, table, train, validate

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
TOP = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = TOP / "traces/samples/mad_sp.pb"


@pytest.fixture(autouse=True)
def _use_the_build(monkeypatch, igpu_path):
    monkeypatch.setenv("IGPU", igpu_path)


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
    frame = pd.DataFrame({"cold": [10], "more": [1], "a": [100], "b": [40]})
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


def test_bounds_of_arithmetic_by_hand(data):
    # 24 EUs of two FPUs; a GRF of a 32-bit class takes 2 cycles of one.
    out = bound.bounds(row(data, **{"work.alu32": 48_000})).iloc[0]
    assert out["fpu"] == 48_000 * 2 / 2 / 24
    assert out["issue"] == 168 * 100 / 24
    assert out["dispatch"] == 168 * 2
    # Double precision goes through FPU1 alone.
    assert bound.bounds(row(data, **{"work.df": 48_000})).iloc[0]["fpu"] == 48_000 * 2 / 24


def test_bound_of_dram_by_hand(data):
    # Each line once: 64 bytes at 2 channels x 16 bytes x 1066.67 MHz, in 1150 MHz cycles.
    out = bound.bounds(row(data, **{"line.read": 10_000, "reuse.cold": 10_000,
                                    "mem.messages": 10_000})).iloc[0]
    assert out["dram"] == pytest.approx(10_000 * 64 / (32 * 1066666667 / 1150e6))
    assert out["port"] == pytest.approx(10_000 / 3)


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


def test_training_gives_the_committed_model_byte_for_byte(data):
    pytest.importorskip("sklearn")
    made = train.text(train.train(data, 1)).encode()
    assert made == (table.DATA / "model.json").read_bytes()


def test_the_file_predicts_as_scikit_learn_does(data):
    pytest.importorskip("sklearn")
    frame = data.rows().iloc[::7]
    x = design.columns(frame, data.features).to_numpy(float)
    y, _ = train.target(frame)
    fitted = train.regressor(1, loss="squared_error", max_iter=20).fit(x, y)
    content = {"middle": train._export(fitted), "columns": []}
    assert np.allclose(predict.Model(content).trees("middle", x), fitted.predict(x), atol=1e-5)


def test_a_sample_of_the_project_is_predicted():
    frame = predict.cycles(SAMPLE, "skl-gt2")
    assert list(frame["kernel"]) == ["mad_sp"]
    assert frame["cycles"][0] == pytest.approx(29736, rel=0.15)
    assert frame["cycles_low"][0] <= frame["cycles"][0] <= frame["cycles_high"][0]
    assert frame["bound"][0] in bound.BOUNDS and len(frame["deciding"][0]) == 5
    slower = predict.cycles(SAMPLE, "skl-gt2", {"eu.count": 4})
    assert slower["cycles"][0] > 1.5 * frame["cycles"][0]


def test_a_machine_far_from_all_is_told(capsys):
    assert main(["predict", "-s", "l3.latency=1000", str(SAMPLE)]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert "outside the training data:" in told and "machine.l3.latency" in told


def damaged(tmp_path, change):
    content = json.loads((table.DATA / "model.json").read_text())
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
])
def test_a_damaged_model_is_one_clear_line(tmp_path, capsys, change):
    path = damaged(tmp_path, change)
    assert main(["predict", "--model", str(path), str(SAMPLE)]) == 3
    told = capsys.readouterr().err
    assert told.startswith("vigpu: ") and told.count("\n") == 1


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
])
def test_misuse_is_told(words, status, capsys):
    assert main(["predict", *words]) == status
    assert capsys.readouterr().err.count("\n") == 1
