"""Sweeps: traces x configurations, simulated once and kept (docs/9-sweeps.md).

    frame = vigpu.sweep.read("l3.sqlite")              # a row for each launch of each point
    frame.groupby("l3.ways").cycles.mean()
"""
from __future__ import annotations

from vigpu.sweep.read import read, varied

__all__ = ["read", "varied"]
