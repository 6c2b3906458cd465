"""What comes in from files that others wrote or damaged: expressions, models, tables and
databases, changed at random with a fixed seed. Each is taken, or refused in one line with
exit status 3; nothing ends in a traceback. Does not find: damage that is still a good file."""
import json
import os
import random
import shutil
import sqlite3

import pytest
import sweep_rig as rig

from vigpu import errors
from vigpu.__main__ import main
from vigpu.predict import bound, frames, model, table
from vigpu.sweep.expression import Expression

np = pytest.importorskip("numpy")
pytest.importorskip("pandas")
zstandard = pytest.importorskip("zstandard")
pytestmark = pytest.mark.usefixtures("use_the_build")
KNOWN = {"l3.ways": 64, "eu.count": 8}


def taken(action):
    """Its result, or None where it is refused as it should be."""
    try:
        return action()
    except errors.InputError as error:
        text = str(error)
        assert "\n" not in text and len(text) < 560, text
        return None


@pytest.mark.parametrize("text", [
    "1e999 > 2", "l3.ways > 1e999 - 1e999", "9" * 4300, "9" * 5000, "0x" + "f" * 1100,
    "l3.ways" + " + 1" * 700, "not " * 700 + "1", "-" * 700 + "1", "(" * 300 + "1" + ")" * 300,
    "l3.ways / 1e-308 / 1e-308", " * ".join(["18446744073709551615"] * 99), "\0", "1j"],
    ids=str.__len__)
def test_an_expression_that_is_no_number_is_refused(text):
    with pytest.raises(errors.InputError) as caught:
        Expression(text, KNOWN, "F: where").value(KNOWN)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_expressions_of_random_words_are_numbers_or_refused():
    words = ["l3.ways", "eu.count", "1", "2.5", "1e308", "(", ")", "+", "-", "*", "/", "//", "%",
             "not", "and", "or", "<", "==", "min(", "max(", ",", "9" * 30, "1e999", "~", "**"]
    chance, numbers = random.Random(8), 0
    for _ in range(4000):
        text = " ".join(chance.choice(words) for _ in range(chance.randrange(1, 12)))
        value = taken(lambda text=text: Expression(text, KNOWN, "F: where").value(KNOWN))
        numbers += value is not None
        assert value is None or np.isfinite(float(value))
    assert 40 < numbers < 2000


VALUES = [None, "x", "", -1, 0, 1e308, -1e308, float("nan"), float("inf"), 10 ** 30, [], {}, [1],
          True, "1", 2.5]


def places(content, here=()):
    """The ways to members of a model: of lists the first, middle and last."""
    for key in content if isinstance(content, dict) else \
            sorted({0, len(content) // 2, len(content) - 1} if content else ()):
        yield (*here, key)
        if isinstance(content[key], (dict, list)):
            yield from places(content[key], (*here, key))


@pytest.mark.parametrize("form", [model.FORMAT, model.FRAMES])
def test_damaged_models_are_refused_or_predict_numbers(tmp_path, form):
    launches = form == model.FORMAT
    content = json.loads(model.unpacked((model.DEFAULT if launches else frames.MODEL).read_bytes()))
    for trees in (part["trees"] for part in content.values() if isinstance(part, dict) and "trees" in part):
        del trees[9:]  # those behind are read as these, from a file of 2 MB
    data = table.read() if launches else frames.read()
    if launches:
        rows = bound.floats(data.rows().iloc[:2].reset_index(drop=True))
    else:
        row = data.iloc[9].drop(["program", *frames.MACHINES.values()]).to_dict()
    chance, path, refused, tries = random.Random(4), tmp_path / "model.json", 0, 0
    part = 0.3 if "IGPU_LONG" in os.environ else 0.2
    ways = [way for way in places(content) if chance.random() < part]
    for way in ways:
        at = content
        for key in way[:-1]:
            at = at[key]
        old, at[way[-1]] = at[way[-1]], chance.choice(VALUES)
        path.write_text(json.dumps(content))
        at[way[-1]] = old
        made = taken(lambda: model.Model.read(path, form))
        told = made and taken(lambda made=made: model.predict(made, rows, data.kinds)
                              if launches else [frames.predict(row, made)])
        refused, tries = refused + (told is None), tries + 1
        for one in told or []:
            assert 0 < one["cycles_low"] <= one["cycles"] <= one["cycles_high"] < 1e60
            json.dumps(one, allow_nan=False)
    assert tries > 40 and tries // 3 < refused < tries


def loaded(path):
    data = path.read_bytes()
    return zstandard.ZstdDecompressor().decompress(data, 1 << 28) if path.suffix == ".zst" else data


def stored(path, data):
    path.write_bytes(zstandard.ZstdCompressor(level=3).compress(data) if path.suffix == ".zst"
                     else data)


NAMES = ("launches.csv.zst", "cycles.csv.zst", "machines.csv", "features.csv", "timing.csv",
         "frames.csv.zst")
NUMBER = {"launches.csv.zst": "geo.items", "machines.csv": "eu.count", "features.csv": "kind",
          "timing.csv": "default"}


@pytest.mark.parametrize("name", NAMES)
def test_damaged_tables_are_refused(tmp_path, name):
    """Cut anywhere; a cell, or a whole column, that is something else."""
    folder = tmp_path / "data"
    shutil.copytree(table.DATA, folder)
    good, chance = loaded(folder / name), random.Random(5)
    lines = good.decode().split("\n")
    read = (lambda: frames.read(folder / name)) if name.startswith("frames") else \
        (lambda: table.read(folder))
    number = lines[0].split(",").index(NUMBER.get(name, "cycles"))
    wrong = ["x", "", "nan", "inf", "-1e308", "9" * 400, "\0"]
    bad = [good[:chance.randrange(1, len(good))] for _ in range(3)]
    for cell in wrong:
        at = chance.randrange(1, len(lines) - 1)
        cells = lines[at].split(",")
        cells[number] = cell
        bad.append("\n".join([*lines[:at], ",".join(cells), *lines[at + 1:]]).encode())
    column = ["\n".join(",".join(c for i, c in enumerate(line.split(",")) if i != number)
                        for line in lines).encode()]
    for data in (*bad, *column, b"", b"\xff\xfe", b"a,b\n1\n2,3,4\n"):
        stored(folder / name, data)
        assert taken(read) is None, data[-80:]
    (folder / name).write_bytes((table.DATA / name).read_bytes()[:777])
    assert taken(read) is None
    stored(folder / name, good)
    assert taken(read) is not None


@pytest.fixture
def database(tmp_path, samples, capfd):
    path = rig.write(tmp_path / "sweep", samples, "grid: {eu.threads: [6, 7]}\n")
    assert main(["sweep", "--quiet", str(path)]) == 0
    capfd.readouterr()
    return path.with_suffix(".sqlite")


def test_texts_where_numbers_are_and_the_reverse(database, capfd):
    good, chance, told = database.read_bytes(), random.Random(6), 0
    values = ["'x'", "''", "x'00ff'", "NULL", "1e999", "-1", "'2020-13-45T00'", "7"]
    with sqlite3.connect(database) as db:
        tables = {name: [row[1] for row in db.execute(f"PRAGMA table_info({name})")] for name, in
                  db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    db.close()
    for _ in range(60):
        database.write_bytes(good)
        name = chance.choice(sorted(tables))
        with sqlite3.connect(database) as db:
            db.execute(f'UPDATE OR IGNORE {name} SET "{chance.choice(tables[name])}" = '
                       + chance.choice(values)) if chance.random() < 0.95 else None
        db.close()
        status = main(["sweep", "show", str(database)])
        err = capfd.readouterr().err
        assert status in (0, 3) and err.count("\n") == (status == 3) and len(err) < 600
        told += status == 3
    assert 10 < told < 60


def test_a_table_needs_energies(database, tmp_path, capfd):
    assert main(["predict", "table", str(database), "-o", str(tmp_path / "t")]) == 3
    assert "a table needs a sweep with energy: true\n" in capfd.readouterr().err
    assert main(["predict", "table", str(model.DEFAULT), "-o", str(tmp_path / "t")]) == 3
    assert "no database of sweeps" in capfd.readouterr().err
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize("cover", [1e308, 0, 1, "0.9", None, float("nan")])
def test_a_cover_is_a_share(tmp_path, cover):
    content = json.loads(model.unpacked(model.DEFAULT.read_bytes()))
    content["cover"] = cover
    (tmp_path / "m.json").write_text(json.dumps(content))
    with pytest.raises(errors.InputError, match="m.json: damaged: cover: .*expected a number"):
        model.Model.read(tmp_path / "m.json")
