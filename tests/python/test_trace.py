"""The trace reader against `igpu trace dump`: the two share nothing."""
import csv
import io
import json
import operator

import pytest

import vigpu.trace

SAMPLES = ["chase_n", "reduce_u32", "histogram_local", "divergent", "matmul_tiled",
           "private_small"]


def fixed(kernel):
    """What the CSV dump says of each instruction wherever it is executed."""
    return [[str(pc), kernel.opcode(index).removeprefix("GED_OPCODE_"),
             str(kernel.instructions[index].exec_size)] for index, pc in enumerate(kernel.pcs)]


def executed(trace):
    """Every executed instruction as a row of the CSV dump."""
    of_kernel = {}
    for launch in trace.launches():
        kernel = launch.kernel
        of = of_kernel.setdefault(id(kernel), fixed(kernel))
        for thread in sorted(launch.threads(), key=lambda t: t.number):
            number, accesses, step = str(thread.number), iter(thread.accesses), 0
            access = next(accesses, None)
            for block in thread.path:
                for index in kernel.blocks[block].instructions:
                    mask = addresses = ""
                    if access and access.instruction == index:
                        mask, addresses = hex(access.mask), " ".join(map(hex, access.addresses))
                        access = next(accesses, None)
                    yield [number, str(step), *of[index], mask, addresses]
                    step += 1
            assert access is None and step == thread.instructions


def check_csv(path, igpu):
    text = csv.reader(io.StringIO(igpu("trace", "dump", "--format", "csv", path)))
    head, count = next(text), 0
    columns = operator.itemgetter(*map(head.index, (
        "thread", "step", "pc", "opcode", "exec_size", "mask", "addresses")))
    with vigpu.trace.open(path) as trace:
        for want, row in zip(executed(trace), text, strict=True):
            assert want == list(columns(row))
            count += 1
    return count


def about(access):
    """What a message of graphics is about, of the JSON dump."""
    if "work" in access:
        runs = tuple(vigpu.trace.DepthRun(*run) for run in access["depth"])
        return vigpu.trace.Payload(tuple(access["work"]), access["needed"], access["draw"],
                                   access["stage"], runs)
    if "samples" in access:
        return vigpu.trace.Texture(access["samples"], tuple(access["how"]))
    if "written" in access:
        return vigpu.trace.Target(access["written"], access["read"], tuple(access["how"]))
    return None


def check_json(path, igpu):
    data = json.loads(igpu("trace", "dump", "--format", "json", path))
    with vigpu.trace.open(path) as trace:
        assert data["device"] == trace.header.device
        for kernel, dumped in zip(trace.kernels, data["kernels"], strict=True):
            assert (dumped["name"], dumped["simd"]) == (kernel.name, kernel.simd)
            assert [tuple(b["successors"]) for b in dumped["blocks"]] == \
                [b.successors for b in kernel.blocks]
            for index, inst in enumerate(dumped["instructions"]):
                assert inst["opcode"] == kernel.opcode(index)
                assert inst["ins_offset"] == kernel.pcs[index]
        for launch, dumped in zip(trace.launches(), data["launches"], strict=True):
            for thread in launch.threads():
                other = dumped["threads"][thread.number]
                assert other["path"] == thread.path and other["flops"] == thread.flops
                assert [(a["instruction"], a["mask"], a["addresses"])
                        for a in other["accesses"]] == [a[:3] for a in thread.accesses]
                assert [about(a) for a in other["accesses"]] == \
                    [a.graphics for a in thread.accesses]
    return data["instructions"]


@pytest.mark.parametrize("name", SAMPLES)
def test_equals_the_json_and_csv_dumps(name, samples, igpu):
    path = samples / f"{name}.pb"
    assert check_csv(path, igpu) == check_json(path, igpu)


def test_reads_the_golden_trace_of_version_1(samples, igpu):
    path = samples.parents[1] / "tests" / "golden" / "trace_v1.pb"
    assert check_csv(path, igpu) == check_json(path, igpu)


@pytest.mark.parametrize("name, kinds", [("bc7", {"Payload", "Texture", "Target"}),
                                         ("depth", {"Payload", "Target"})])
def test_reads_what_messages_of_a_frame_are_about(name, kinds, samples, tmp_path, igpu):
    capture = samples.parents[1] / "tests" / "fuzzing" / "corpus" / "render" / f"{name}.igf"
    path = tmp_path / f"{name}.pb"
    igpu("frame", "trace", "-o", str(path), str(capture))
    assert check_csv(path, igpu) == check_json(path, igpu)
    with vigpu.trace.open(path) as trace:
        messages = [a for launch in trace.launches() for thread in launch.threads()
                    for a in thread.accesses if a.graphics]
        seen = {type(a.graphics).__name__ for a in messages}
        assert seen == kinds
        assert all(address % 64 == 0 for a in messages for address in a.addresses)
        assert name != "depth" or any(getattr(a.graphics, "depth", ()) for a in messages)


def test_refuses_a_frame_of_an_older_version(samples, tmp_path, igpu):
    capture = samples.parents[1] / "tests" / "fuzzing" / "corpus" / "render" / "bc7.igf"
    path = tmp_path / "old.pb"
    igpu("frame", "trace", "-o", str(path), str(capture))
    data = bytearray(path.read_bytes())
    data[7] = 9
    path.write_bytes(data)
    with pytest.raises(vigpu.trace.TraceError, match="1.9.*igpu frame trace"):
        vigpu.trace.open(path)


CALLS = """
__attribute__((noinline)) int twice(int x) { if (x & 1) return x + 7; return x * 3; }
__attribute__((noinline)) int more(int x) { for (int i = 0; i < (x & 3); i++) x += twice(x); return x; }
__kernel void calls(__global int *out) { int i = get_global_id(0); out[i] = more(i) + twice(i); }
"""


def test_follows_returns_to_any_block(tmp_path, igpu):
    (tmp_path / "calls.cl").write_text(CALLS)
    path = tmp_path / "calls.pb"
    igpu("record", "--quiet", "-k", "calls", "-g", "64", "-l", "32", "--arg", "buf:256",
         "-o", str(path), str(tmp_path / "calls.cl"))
    with vigpu.trace.open(path) as trace:
        assert any(b.dynamic for b in trace.kernels[0].blocks)
    assert check_csv(path, igpu) == check_json(path, igpu)


@pytest.mark.parametrize("arguments, moved", [
    ("-k triad -g 8192 -l 256 --arg buf:32K --arg buf:32K --arg buf:32K --arg f32:0.7 "
     "traces/kernels/stream.cl", True),  # each thread elsewhere
    ("-k spmv_csr -g 4096 -l 64 --arg buf:16388:prefix:90:0:20 "
     "--arg buf:1M:randi32:91:0:65535 --arg buf:1M:randf32:2 --arg buf:256K:randf32:3 "
     "--arg buf:16K tests/perf/sampling/sampling.cl", False)])  # long: of the launch before
def test_follows_references(arguments, moved, samples, tmp_path, igpu):
    path = tmp_path / "two.pb"
    *words, source = arguments.split()
    igpu("record", "--quiet", "--repeat", "2", "-o", str(path), *words,
         str(samples.parents[1] / source))
    assert check_csv(path, igpu) == check_json(path, igpu)
    with vigpu.trace.open(path) as trace:
        first, second = (trace.threads(launch.chunks[0])[1] for launch in trace.launches())
        assert (trace.minor == 11 and len(first.segment_way) > 0) or not moved
        assert any(back > 1 for back in second.segment_back) or moved


def test_tables(samples):
    with vigpu.trace.open(samples / "mad_sp.pb") as trace:
        launch = trace.launches()[0]
        threads, accesses = vigpu.trace.threads(launch), vigpu.trace.accesses(launch)
        opcodes = vigpu.trace.opcodes(launch)
    assert list(threads.index) == list(range(168))
    assert threads.instructions.sum() == opcodes.sum() == 358344
    assert threads.flops.sum() == 11010048
    assert len(accesses) == 336 * 16 and accesses.address.dtype == "uint64"
    assert opcodes.index[0] == "mad" and opcodes["sends"] == 336
