"""Statistics as tables, and simulations."""
import json

import pytest

from vigpu import igpu as program
from vigpu import stats
from vigpu.errors import InputError, UsageError


pytestmark = pytest.mark.usefixtures("use_the_build")


def test_a_simulation_gives_what_igpu_writes(samples, tmp_path, igpu):
    path = tmp_path / "stats.json"
    igpu("ref", "--quiet", "-s", "eu.threads=4", "--json", str(path),
         str(samples / "triad.pb"))
    written = json.loads(path.read_text())
    frame = stats.read(path)
    assert list(frame.cycles) == [k["cycles"] for k in written["kernels"]]
    assert list(frame["l3.hits"]) == [k["l3"]["hits"] for k in written["kernels"]]
    assert list(frame["agents.cpu.requests"]) == [0] * len(frame)
    assert frame.attrs["config"]["eu.threads"] == 4
    again = stats.simulate(samples / "triad.pb", settings={"eu.threads": 4})
    assert again.drop(columns=[]).equals(frame)


def test_what_is_no_statistics_is_refused(samples, tmp_path):
    path = tmp_path / "bad.json"
    for text in ("", "[1]", "{}", '{"kernels": 3}', '{"kernels": [1]}'):
        path.write_text(text)
        with pytest.raises(InputError, match="bad.json: no statistics"):
            stats.read(path)
    with pytest.raises(UsageError, match="eu.threads"):
        stats.simulate(samples / "triad.pb", settings={"eu.thread": 4})
    with pytest.raises(InputError, match="nothing.pb"):
        stats.simulate(samples / "nothing.pb")


def test_parameters():
    params = program.params()
    assert params.loc["eu.threads", "default"] == 7 and params.loc["eu.threads", "unit"]
    assert (params["min"] <= params["default"]).all()


def test_a_program_that_is_not_there(monkeypatch):
    monkeypatch.setenv("IGPU", "/nonexistent/igpu")
    with pytest.raises(UsageError, match="/nonexistent/igpu: cannot run"):
        program.params()
