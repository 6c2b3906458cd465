"""The page of a captured frame, made of what an igpu of the test's own prints."""
import dataclasses
import io
import json
import stat
import struct
import sys

import pytest

from vigpu import frame
from vigpu.errors import VigpuError
from vigpu.frame import heat
from vigpu.__main__ import main

NAMES = ("ia_vertices", "vs_invocations", "vs_instructions", "rasterized", "covered",
         "early_killed", "ps_invocations", "ps_instructions", "ps_lane_instructions",
         "ps_blocks", "texels", "pixels_written", "pixels_blended", "sampler_lines",
         "sampler_messages")
# A 1x1 PNG's beginning is enough: pages hold it as it is.
PNG = b"\x89PNG\r\n\x1a\n-"
# Two rows from the bottom: 100 cycles on one pixel, 1600 on two; one has none.
HEAT = b"Pf\n2 2\n-1.0\n" + struct.pack("<4f", 100, 0, 800, 800)
PROGRAM = '''#!{python}
import sys
words = sys.argv[1:]
if "{missing}" in words:
    sys.exit("igpu frame render: {missing}: no such file")
if words[1] == "time":
    print("draw,launch,vertex_threads,pixel_threads,instructions,cycles\\n2,1,1,7,18,1600\\n"
          "3,1,0,7,9,100")
    sys.exit(0)
open(words[words.index("--json") + 1], "w").write({data!r})
for option in ("-o", "--overdraw"):
    open(words[words.index(option) + 1], "wb").write({png!r})
assert "1600" in open(words[words.index("--times") + 1]).read()
open(words[words.index("--heat") + 1], "wb").write({heat!r})
'''


def document(draws):
    counters = {name: sum(d[name] for d in draws) for name in NAMES}
    definitions = [{"name": n, "unit": "things", "group": "all", "text": f"what {n} is"}
                   for n in NAMES]
    return {"file": "a.igf", "definitions": definitions, "counters": counters,
            "draws": [{"draw": i + 1, "topology": 4 if i else 15, "driver": not i,
                       "counters": d} for i, d in enumerate(draws)]}


@pytest.fixture(autouse=True)
def _own_igpu(monkeypatch, tmp_path):
    draws = [{name: 10 * (i + 1) + k for k, name in enumerate(NAMES)} for i in range(3)]
    program = tmp_path / "igpu"
    program.write_text(PROGRAM.format(python=sys.executable, missing="none.igf", png=PNG, heat=HEAT,
                                      data=json.dumps(document(draws))))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("IGPU", str(program))


def test_page(tmp_path):
    page = tmp_path / "page.html"
    assert main(["frame", "report", "-o", str(page), "a.igf"]) in (0, None)
    text = page.read_text("utf-8")
    assert "3 draws, 1 of them" in text and "rectangles (driver)" in text
    assert text.count("data:image/png;base64,") == 3
    # Sums of the draws, with what they mean.
    assert "<code>ia_vertices</code></td><td class=\"number\">60<" in text
    assert "what texels is" in text and text.count("<svg") == 2
    # Cycles on the picture: numbers of the scale, and how many there are.
    assert '<span style="background:#000000">0</span>' in text
    assert '<span style="background:#283ca0">100</span>' in text
    assert '<span style="background:#e61e14">800</span>' in text
    assert "1,700 of 1,700 cycles" in text
    # Cycles, the hottest draw in red.
    assert 'style="background:hsl(0 90% 55%);color:#000">1600<' in text
    assert 'style="background:hsl(45 90% 89%);color:#000">100<' in text


def test_heat():
    made = frame.render("a.igf")
    map_of = heat.values(made.heat)
    assert map_of.tolist() == [[800, 800], [100, 0]]
    assert map_of.sum() == sum(d.cycles or 0 for d in made.draws)
    picture = pytest.importorskip("matplotlib.image").imread(
        io.BytesIO(heat.heated(made).picture))
    colours = (picture[:, :, :3] * 255).round().astype(int).tolist()
    assert colours == [[[230, 30, 20]] * 2, [[40, 60, 160], [0, 0, 0]]]


@pytest.mark.parametrize("data", [b"", HEAT[:-1], b"PF" + HEAT[2:]],
                         ids=["empty", "cut", "colours"])
def test_bad_heat(data):
    with pytest.raises(VigpuError, match="wrote no float map"):
        heat.values(data)


def test_heat_of_one_value():
    made = dataclasses.replace(frame.render("a.igf"),
                               heat=HEAT[:-16] + struct.pack("<4f", 0, 0, 0.5, 0.5))
    one = heat.heated(made)
    assert [text for text, _ in one.key] == ["0", "0.5"] and one.laid == "1"
    assert heat.heated(dataclasses.replace(made, heat=None)) is None


def test_name_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["frame", "report", "a.igf", "--frame", "2"])
    assert "Frame 2 of a.igf" in (tmp_path / "a.html").read_text("utf-8")


def test_render():
    made = frame.render("a.igf")
    assert [d.topology for d in made.draws] == ["rectangles", "triangles", "triangles"]
    assert made.counters["texels"] == sum(d.counters["texels"] for d in made.draws)
    assert made.picture == PNG
    assert [d.cycles for d in made.draws] == [None, 1600, 100]


@pytest.mark.parametrize(("words", "status", "says"), [
    (["a.igf", "--frame", "0"], 2, "expected a number of 1 or more"),
    (["a.igf", "-o", "/nowhere/x.html"], 2, "no folder /nowhere"),
    (["none.igf", "-o", "/tmp"], 2, "it is a folder"),
])
def test_bad(words, status, says, capsys):
    assert main(["frame", "report", *words]) == status
    assert says in capsys.readouterr().err


def test_igpus_own_error(tmp_path, capsys):
    assert main(["frame", "report", "none.igf", "-o", str(tmp_path / "p.html")]) == 1
    assert "none.igf: no such file" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()
