"""Raw OA reports of a recording (docs/contract/oa.md), read without our own reader."""
import struct


def reports(path):
    """All reports of format A32u40_A4u32_B8_C8, as dicts of lists of counters."""
    data = open(path, "rb").read()
    at, found = 0, []
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == 1:
            raw = data[at + 8:at + size]
            assert len(raw) == 256
            d = struct.unpack("<64I", raw)
            found.append({
                "id": d[0], "time": d[1], "context": d[2], "clocks": d[3],
                "a": [d[4 + i] | raw[160 + i] << 32 for i in range(32)] + list(d[36:40]),
                "b": list(d[48:56]), "c": list(d[56:64]), "raw": raw})
        at += size
    return found


def difference(before, after):
    """What was counted between two reports, each counter modulo its width."""
    wide = [40] * 32 + [32] * 4
    return {
        "clocks": (after["clocks"] - before["clocks"]) % 2**32,
        "time": (after["time"] - before["time"]) % 2**32,
        "a": [(y - x) % 2**w for x, y, w in zip(before["a"], after["a"], wide)],
        "b": [(y - x) % 2**32 for x, y in zip(before["b"], after["b"])],
        "c": [(y - x) % 2**32 for x, y in zip(before["c"], after["c"])]}


def total(path):
    """The differences of all reports, added up, as Python's integers."""
    found = reports(path)
    out = {"clocks": 0, "time": 0, "a": [0] * 36, "b": [0] * 8, "c": [0] * 8}
    for before, after in zip(found, found[1:]):
        d = difference(before, after)
        for key, value in d.items():
            if isinstance(value, list):
                out[key] = [x + y for x, y in zip(out[key], value)]
            else:
                out[key] += value
    return out
