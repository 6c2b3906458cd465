"""Plots of the groups flop, memory and power."""
import pandas
import pytest

from vigpu import plots

ROWS = [{"vector": v, "work_groups": n, "gflops": 60.0 * n * v, "peak_gflops": 403.2,
         "igpu_w": 4.0 + n, "gflops_per_watt": 20.0 + n, "gb_per_s": 50.0 * v,
         "clock_mhz": 300 * n, "launch_uj": 100.0 / n, "idle_uj": 120.0 / n}
        for v in (1, 4) for n in (1, 2, 3)]


@pytest.mark.parametrize("name, bench", [
    ("flop", "flop"), ("flop-power", "flop"), ("flop-efficiency", "flop"),
    ("memory", "memory"), ("memory-power", "memory"), ("power", "power"),
    ("power-idle", "power")])
def test_a_line_for_each_vector_type(name, bench):
    assert plots.experiment_of(name) == bench
    axes = plots.draw(name, pandas.DataFrame(ROWS)).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert {"scalar", "vect4"} <= set(lines) and "vect1" not in lines
    column = plots.PLOTS[name].y
    assert list(lines["vect4"].get_ydata()) == [r[column] for r in ROWS if r["vector"] == 4]


def test_what_is_stated_is_a_line_and_in_the_legend():
    axes = plots.draw("flop-efficiency", pandas.DataFrame(ROWS)).axes[0]
    assert any(list(line.get_ydata()) == [35, 35] for line in axes.get_lines())
    assert "stated: 35" in [text.get_text() for text in axes.get_legend().get_texts()]
    other = plots.draw("flop-power", pandas.DataFrame(ROWS)).axes[0]
    assert "stated: 35" not in [text.get_text() for text in other.get_legend().get_texts()]
