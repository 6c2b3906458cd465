"""Cycles on each pixel of a frame as a picture with a scale."""
from __future__ import annotations

import dataclasses
import io
import re
from typing import Any

from vigpu.errors import VigpuError
from vigpu.frame.rendered import Frame
from vigpu.modules import need

# Of no cycles; then from the fewest to the most, as those of overdraw.
NONE = (0, 0, 0)
COLOURS = ((40, 60, 160), (0, 150, 170), (0, 165, 90), (80, 180, 40), (170, 195, 20),
           (240, 190, 0), (245, 120, 10), (230, 30, 20))


@dataclasses.dataclass(frozen=True)
class Heated:
    """A picture as PNG, its scale (number, colour), and the cycles laid and asked for."""

    picture: bytes
    key: list[tuple[str, str]]
    laid: str
    asked: str


def heated(frame: Frame) -> Heated | None:
    """None when no cycles lie on the frame."""
    if frame.heat is None:
        return None
    np = need("numpy")
    cycles = values(frame.heat)
    if not cycles.any():
        return None
    low, high = (float(of(cycles[cycles > 0])) for of in (np.min, np.max))
    stops = np.geomspace(low, high, len(COLOURS)) if high > low else np.array([high])
    shades = COLOURS[-len(stops):]
    key = [(f"{value:.2g}" if value < 100 else f"{value:,.0f}", shade)
           for value, shade in zip((0.0, *stops), (NONE, *shades), strict=True)]
    asked = sum(draw.cycles or 0 for draw in frame.draws)
    return Heated(_png(_coloured(cycles, stops, shades)),
                  [(text, "#%02x%02x%02x" % shade) for text, shade in key],
                  f"{cycles.sum(dtype=float):,.0f}", f"{asked:,}")


def values(data: bytes) -> Any:
    """The numbers of a portable float map of one channel, rows from the top."""
    head = re.match(rb"Pf\n(\d+) (\d+)\n-1\.0\n", data)
    width, height = (int(n) for n in head.groups()) if head else (0, 0)
    if not head or len(data) != head.end() + 4 * width * height:
        raise VigpuError("igpu frame render --heat wrote no float map")
    np = need("numpy")
    return np.frombuffer(data, "<f4", offset=head.end()).reshape(height, width)[::-1]


def _coloured(cycles: Any, stops: Any, shades: tuple[tuple[int, int, int], ...]) -> Any:
    """Between two stops as far as the logarithm is."""
    np = need("numpy")
    place = np.log(np.where(cycles > 0, cycles, stops[0]))
    channels = [np.interp(place, np.log(stops), [shade[c] for shade in shades])
                for c in range(3)]
    rgb = np.stack(channels, axis=-1).round().astype("uint8")
    rgb[cycles <= 0] = NONE
    return rgb


def _png(rgb: Any) -> bytes:
    out = io.BytesIO()
    need("matplotlib.image").imsave(out, rgb, format="png", metadata={"Software": None})
    return out.getvalue()
