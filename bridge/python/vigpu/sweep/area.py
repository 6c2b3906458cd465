"""How large a configuration is, for comparing configurations: an estimate, by its storage
and its EUs (docs/guide/sweeps.md, section 6)."""
from __future__ import annotations

from collections.abc import Mapping

# Intel's 14 nm cell has 0.0588 um2 a bit; arrays with their periphery take about twice that
# (estimate).
UM2_PER_BIT = 0.12
MM2_PER_EU = 0.35  # estimate: an EU without its GRFs
GRF_BYTES = 4096  # of a thread
LINE_BYTES = 64
TAG_BITS = 32  # of a cache line, with its state: estimate
TLB_BITS = 64


def area_mm2(values: Mapping[str, float]) -> float:
    """Of the GPU and the LLC. values: every parameter, by key."""
    subslices = values["gpu.subslices"]
    eus = subslices * values["eu.count"]
    l3_lines = (values["gpu.slices"] * values["l3.banks"] * values["l3.sets"]
                * values["l3.ways"])
    storage = 8 * (eus * values["eu.threads"] * GRF_BYTES
                   + subslices * 1024 * (values["disp.slm_kb"] + values["icache.kb"]))
    cached = l3_lines + values["llc.size"] / LINE_BYTES
    storage += cached * (8 * LINE_BYTES + TAG_BITS) + values["tlb.entries"] * TLB_BITS
    return storage * UM2_PER_BIT * 1e-6 + eus * MM2_PER_EU
