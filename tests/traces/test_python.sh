#!/usr/bin/env bash
# test_python.sh - the Python reader, and the JSON and CSV dumps, against each other:
# the reader shares nothing with the C code that prints the dumps.
. tests/support/cli.sh
# The interpreter that sees Debian's python3-protobuf and python3-zstandard.
python=python3
"$python" -c 'import google.protobuf, zstandard' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import google.protobuf, zstandard'
report $? "python3-protobuf and python3-zstandard are there"
export IGPU=$igpu PYTHONDONTWRITEBYTECODE=1
make -s BUILD="$IGPU_TMP" python && mv "$IGPU_TMP/python" "$IGPU_TMP/py"
report $? "make python"

cat >"$IGPU_TMP/py/same.py" <<'PY'
"""same.py TRACE: the trace read in Python equals its JSON dump and its CSV dump."""
import csv
import io
import json
import os
import subprocess
import sys

import vigpu_trace


def dump(form, trace):
    return subprocess.run([os.environ["IGPU"], "trace", "dump", "--format", form, trace],
                          check=True, capture_output=True, text=True).stdout


def rows(trace):
    """What the CSV must say."""
    for launch in trace.launches():
        kernel = launch.kernel
        for thread in sorted(launch.threads(), key=lambda t: t.number):
            accesses, step = iter(thread.accesses), 0
            access = next(accesses, None)
            for block in thread.path:
                for index in kernel.blocks[block]:
                    mask, addresses = "", ""
                    if access and access.instruction == index:
                        mask = hex(access.mask)
                        addresses = " ".join(map(hex, access.addresses))
                        access = next(accesses, None)
                    yield [thread.number, step, kernel.pcs[index], kernel.opcode(index),
                           kernel.instructions[index].exec_size, mask, addresses]
                    step += 1
            assert access is None and step == thread.instructions


def main():
    trace = vigpu_trace.open(sys.argv[1])
    text = csv.DictReader(io.StringIO(dump("csv", sys.argv[1])))
    count = 0
    for want, row in zip(rows(trace), text, strict=True):
        got = [int(row["thread"]), int(row["step"]), int(row["pc"]),
               "GED_OPCODE_" + row["opcode"], int(row["exec_size"]), row["mask"],
               row["addresses"]]
        assert got == want, (got, want)
        count += 1
    data = json.loads(dump("json", sys.argv[1]))
    assert data["instructions"] == count and data["device"] == trace.header.device
    assert [k["name"] for k in data["kernels"]] == [k.name for k in trace.kernels]
    for kernel, object_ in zip(trace.kernels, data["kernels"], strict=True):
        assert object_["simd"] == kernel.simd
        assert [b["successors"] for b in object_["blocks"]] == kernel.successors
        for index, inst in enumerate(object_["instructions"]):
            assert inst["opcode"] == kernel.opcode(index)
            assert inst["ins_offset"] == kernel.pcs[index]
    for launch, object_ in zip(trace.launches(), data["launches"], strict=True):
        for thread in launch.threads():
            other = object_["threads"][thread.number]
            assert other["path"] == thread.path and other["flops"] == thread.flops
            assert [(a["instruction"], a["mask"], a["addresses"])
                    for a in other["accesses"]] == [tuple(a) for a in thread.accesses]
    print(f"{count} instructions")


main()
PY
for sample in chase_n reduce_u32 histogram_local divergent matmul_tiled private_small; do
    "$python" "$IGPU_TMP/py/same.py" traces/samples/$sample.pb
    report $? "$sample: Python, JSON and CSV agree"
done
"$python" "$IGPU_TMP/py/same.py" tests/golden/trace_v1.pb
report $? "the golden trace of version 1"
"$python" "$IGPU_TMP/py/example.py" traces/samples/mad_sp.pb >"$IGPU_TMP/out" &&
    grep -q '^mad_sp: 168 threads, 358344 instructions$' "$IGPU_TMP/out" &&
    grep -q '336 accesses, 16.00 lanes and 1.00 lines each, 21504 bytes' "$IGPU_TMP/out"
report $? "the example"
head -c 1500 traces/samples/chase.pb >"$IGPU_TMP/short.pb"
"$python" "$IGPU_TMP/py/example.py" "$IGPU_TMP/short.pb" 2>"$IGPU_TMP/err"
[ $? = 1 ] && grep -q 'cut short' "$IGPU_TMP/err"
report $? "a trace cut short is refused"
expect 2 "an unknown dump format" "$igpu" trace dump --format xml traces/samples/chase.pb
exit $failures
