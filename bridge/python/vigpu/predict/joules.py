"""A launch's energy by simple sums: what each event takes, from features, and what runs by
time. The formulas are those of docs/contract/power.md, section 3, with the simulator's counters
replaced by what features and bounds tell of them. Nothing is fitted here.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vigpu.modules import need
from vigpu.predict.bound import floats
from vigpu.predict.logs import power

if TYPE_CHECKING:
    from vigpu.predict.bound import Array, Columns

# Features that count instructions of one operation, and its energies by type: integer,
# half, single, double. A mad takes a multiplication and an addition.
_ADD = ("int_add", "half_add", "single_add", "double_add")
_MUL = ("int_mul", "half_mul", "single_mul", "double_mul")
_TYPES = (("type.b", "type.w", "type.d", "type.q"), ("type.hf",), ("type.f",), ("type.df",))
_SINGLE = {"math": ("math.inv", "math.logexp", "math.root", "math.trig", "math.macro"),
           "math2": ("math.div",), "int_div": ("math.idiv",), "move": ("op.mov", "op.sel"),
           "int_add": ("op.shift", "op.bitwise", "op.bits", "op.round")}
_VOLTS = (("power.v_300", 300e6), ("power.v_500", 500e6), ("power.v_700", 700e6),
          ("power.v_900", 900e6), ("power.v_1050", 1050e6), ("power.v_1150", 1150e6))
# The parameters beside those of the bounds.
PARAMETERS = (
    *(name for name, _ in _VOLTS), "power.v_ref", "power.leak_exponent", "power.eu_scale",
    "power.process45", "power.process28",
    *(f"power.op.{name}" for name in ("move", *_ADD, *_MUL, "math", "math2", "int_div")),
    "power.grf_read", "power.grf_write", "power.front_end", "power.icache", "power.send",
    "power.dispatch", "power.clock_eu", "power.clock_gated", "power.clock_subslice",
    "power.clock_slice", "power.clock_unslice", "power.leak_eu", "power.leak_subslice",
    "power.leak_slice", "power.leak_unslice", "power.dp_message", "power.slm_word",
    "power.l3_line", "power.wire", "power.l3_um", "power.ring_um", "power.tlb",
    "power.llc_line", "power.edram_line", "power.mc_line", "power.uncore",
    "power.uncore_slice", "power.edram_idle", "power.cores", "power.dram.devices",
    "power.dram.vdd", "power.dram.idd0", "power.dram.idd2n", "power.dram.idd3n",
    "power.dram.idd4r", "power.dram.io", "dram.ranks", "dram.burst", "dram.tras")


def _volts(f: Columns) -> Array:
    """The GPU's supply by its clock."""
    np = need("numpy")
    points = np.column_stack([f[name] for name, _ in _VOLTS]) / 1e3
    clocks = [hz for _, hz in _VOLTS]
    out: Array = np.array([np.interp(hz, clocks, row) for hz, row in
                           zip(f["gpu.clock_hz"], points, strict=True)])
    return out


def _operations(f: Columns) -> Any:
    """fJ of all lanes' operations at 45 nm; each instruction has the mean number of lanes."""
    np = need("numpy")
    counts = [sum(f[name] for name in names) for names in _TYPES]
    every = np.maximum(sum(counts), 1)

    def typed(energies: tuple[str, ...]) -> Any:
        return sum(n / every * f[f"power.op.{e}"] for n, e in zip(counts, energies,
                                                                  strict=True))

    total = (f["op.add"] + f["op.cmp"]) * typed(_ADD)
    total = total + (f["op.mul"] + f["op.mach"]) * typed(_MUL)
    total = total + (f["op.mad"] + 2 * f["op.dot"]) * (typed(_MUL) + typed(_ADD))
    for energy, names in _SINGLE.items():
        total = total + sum(f[name] for name in names) * f[f"power.op.{energy}"]
    return total * f["inst.lanes"] / np.maximum(f["inst.all"], 1)


def _execution(f: Columns) -> Any:
    """pJ of the EUs' switching at the reference voltage, but clocks."""
    p45, p28 = f["power.process45"] / 1e6, f["power.process28"] / 1e6
    scale = f["power.eu_scale"] / 1e3
    grfs = sum(f[f"work.{c}"] for c in ("alu32", "alu64", "df", "math", "math2", "idiv",
                                        "dot", "lrp"))
    return (scale * p45 * _operations(f) +
            scale * p28 * grfs * (2 * f["power.grf_read"] + f["power.grf_write"]) +
            f["inst.all"] * f["power.front_end"] / 1e3 +
            p45 * (f["inst.all"] - 0.5 * f["form.compact"]) * f["power.icache"] +
            p28 * (f["send.payload"] + f["send.response"]) * f["power.send"])


def _shared(f: Columns, limits: Columns) -> Any:
    """pJ of dispatch, data ports, SLM, L3 and translation at the reference voltage."""
    p45, p28 = f["power.process45"] / 1e6, f["power.process28"] / 1e6
    touches = f["line.read"] + f["line.write"] + f["line.atomic"]
    return (p28 * f["geo.threads"] * f["power.dispatch"] +
            p28 * (f["mem.messages"] + f["slm.messages"]) * f["power.dp_message"] +
            p45 * (f["slm.read_bytes"] + f["slm.write_bytes"]) / 4 * f["power.slm_word"] +
            p45 * (touches + limits["l3_misses"]) * f["power.l3_line"] +
            p28 * touches * 512 * f["power.wire"] * f["power.l3_um"] / 1e3 +
            p45 * touches * f["power.tlb"])


def _beyond(f: Columns, limits: Columns) -> Any:
    """pJ of ring, LLC, eDRAM and DRAM for the lines that the L3 and the LLC miss."""
    p45, p28 = f["power.process45"] / 1e6, f["power.process28"] / 1e6
    lines, far = limits["l3_misses"], limits["llc_misses"]
    clock_pj = f["power.dram.devices"] * f["power.dram.vdd"] * 1e3 / f["dram.clock_hz"]
    burst = f["dram.burst"] * (f["power.dram.idd4r"] - f["power.dram.idd3n"])
    row = 0.25 * f["dram.tras"] * (f["power.dram.idd0"] - f["power.dram.idd2n"])
    return (p28 * lines * 512 * f["power.wire"] * f["power.ring_um"] / 1e3 +
            p45 * (lines + far) * f["power.llc_line"] +
            (f["edram.size"] > 0) * far * f["power.edram_line"] / 1e3 +
            far * (f["power.mc_line"] + f["power.dram.io"]) / 1e3 +
            far * clock_pj * (burst + row))


def _watts(f: Columns, volts: Array, switching: Array) -> Any:
    """volts: over the reference. W of what runs by time: clock trees, leakage, the uncore, the cores, DRAM standby."""
    np = need("numpy")
    subslices, slices = f["gpu.subslices"], f["gpu.slices"]
    eus = subslices * f["eu.count"]
    used = np.minimum(f["geo.threads"], eus)
    gated = f["power.clock_gated"] / 1e3
    tree = f["power.eu_scale"] / 1e3 * f["power.clock_eu"] * (used + (eus - used) * gated)
    clocks = tree + (subslices * f["power.clock_subslice"] +
                     slices * f["power.clock_slice"] + f["power.clock_unslice"])
    leakage = (eus * f["power.leak_eu"] + subslices * f["power.leak_subslice"] +
               slices * f["power.leak_slice"] + f["power.leak_unslice"])
    uncore = (f["power.uncore"] + f["llc.slices"] * f["power.uncore_slice"] +
              f["power.cores"] + (f["edram.size"] > 0) * f["power.edram_idle"])
    standby = (f["dram.channels"] * f["dram.ranks"] * f["power.dram.devices"] *
               f["power.dram.idd2n"] * f["power.dram.vdd"] / 1e9)
    return (switching * clocks * f["gpu.clock_hz"] / 1e15 +
            power(volts, f["power.leak_exponent"]) * leakage / 1e6 +
            uncore / 1e6 + standby)


def energies(rows: Columns, limits: Columns) -> dict[str, Array]:
    """Of rows with features and parameters, and their bounds(): `events`, what the launch's
    events take on package and DRAM in nJ, and `by_time`, what runs anyway, in nJ a cycle."""
    f = floats(rows)
    volts = _volts(f) * 1e3 / f["power.v_ref"]
    switching = volts ** 2
    events = switching * (_execution(f) + _shared(f, limits)) + _beyond(f, limits)
    return {"events": events / 1e3,
            "by_time": 1e9 * _watts(f, volts, switching) / f["gpu.clock_hz"]}


def total(parts: Columns, cycles: Array) -> Array:
    """nJ of package and DRAM when the launch takes so many cycles, nothing corrected."""
    out: Array = parts["events"] + parts["by_time"] * cycles
    return out
