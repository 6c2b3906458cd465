"""vigpu.compare: what two profiles' difference is said to be, and profiles that are none."""
import copy
import json

import pytest

from vigpu import __main__, compare, igpu
from vigpu.errors import InputError, UsageError


pytestmark = pytest.mark.usefixtures("use_the_build")


@pytest.fixture
def triad(use_the_build):
    return compare.load(igpu.sample("triad"), [])


def test_reasons_add_up_to_the_cycles(triad):
    whole = sum(launch["cycles"] for launch in triad["launches"])
    assert sum(compare.by_reason(triad["launches"]).values()) == pytest.approx(whole)


def test_a_larger_table_is_the_cause(capsys):
    assert __main__.main(["compare", "--b", "dp.messages=64", igpu.sample("triad")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "times as fast" in lines[2]
    assert lines[3].startswith("most of it: the data port's credits (port_credit -")
    assert any("untyped_read" in line for line in lines[-12:])  # the same kernel: instructions


def test_tiles_move_traffic_from_the_l3_to_slm(capsys):
    assert __main__.main(["compare", igpu.sample("stencil"), igpu.sample("stencil_tiled")]) == 0
    out = capsys.readouterr().out
    assert "what differs: messages to SLM 0 -> " in out and "lines from the L3 " in out


def test_equal_profiles_differ_in_nothing(triad):
    out = compare.text(triad, copy.deepcopy(triad), ("x", "y"))
    assert "B is 1.00 times as fast" in out and "most of it" not in out
    assert "what differs" not in out


def test_a_profile_may_be_a_file(tmp_path, triad):
    path = tmp_path / "p.json"
    path.write_text(json.dumps(triad))
    assert compare.load(str(path), []) == triad
    with pytest.raises(UsageError, match="made already"):
        compare.load(str(path), ["-s", "dp.messages=64"])


@pytest.mark.parametrize("text", [
    "", "{}", "[]", "3", "null", '{"profile": 2, "launches": []}',
    '{"profile": 1, "launches": []}', '{"profile": 1, "launches": [{}]}',
    pytest.param("[" * 100000, id="deep")])
def test_what_is_no_profile_is_said_so(text):
    with pytest.raises(InputError, match="expected what igpu profile --json writes"):
        compare.check("x.json", text)


def test_each_damaged_part_is_found(triad):
    for key in ("cycles", "thread_cycles", "issues", "wait", "busy", "traffic", "slots",
                "instructions", "kernel", "verdict"):
        for wrong in ("x", None, [1], {"a": "b"}):
            bad = copy.deepcopy(triad)
            bad["launches"][0][key] = wrong
            if key in ("kernel", "verdict") and wrong == "x":
                continue
            with pytest.raises(InputError):
                compare.check("x.json", json.dumps(bad))


def test_settings_or_a_second_trace_are_needed(capsys):
    assert __main__.main(["compare", igpu.sample("triad")]) == 2
    assert "expected A and B" in capsys.readouterr().err
