"""fpga_datagrams.py - fpga/soc.py's Datagrams in Migen's simulation: frames that come as
datagrams, of which short ones bring Ethernet's padding along, and frames that go out,
whole, with the address of who sent last."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../fpga"))
from liteeth.common import eth_udp_user_description  # noqa: E402
from litex.gen import LiteXModule  # noqa: E402
from litex.soc.interconnect import stream  # noqa: E402
from migen import run_simulation  # noqa: E402
from soc import UDP_PORT, WORDS, Datagrams  # noqa: E402


class Bench(LiteXModule):
    """Both ends of Datagrams."""

    def __init__(self):
        self.gpu = LiteXModule()
        self.gpu.sink = stream.Endpoint(WORDS)
        self.gpu.source = stream.Endpoint(WORDS)
        self.port = LiteXModule()
        self.port.source = stream.Endpoint(eth_udp_user_description(32))
        self.port.sink = stream.Endpoint(eth_udp_user_description(32))
        self.datagrams = Datagrams(self.gpu, self.port)


RANDOM = random.Random(4)
FRAMES = [[RANDOM.getrandbits(32) for _ in range(RANDOM.choice((4, 5, 8, 60, 260)))]
          for _ in range(40)]


def host(bench, sent):
    """Datagrams to the board; gaps between words, padding behind short ones."""
    source = bench.port.source
    for n, frame in enumerate(FRAMES):
        padding = [0xdead] * RANDOM.choice((0, 1, 2)) if len(frame) < 6 else []
        for i, word in enumerate(frame + padding):
            yield source.valid.eq(1)
            yield source.data.eq(word)
            yield source.last.eq(i == len(frame + padding) - 1)
            yield source.length.eq(4 * len(frame))
            yield source.ip_address.eq(0xc0a80100 + n)
            yield source.src_port.eq(5000 + n)
            yield
            if RANDOM.random() < 0.3:
                yield source.valid.eq(0)
                yield
        yield source.valid.eq(0)
        for _ in range(5):
            yield
    sent.append(True)


def gpu(bench, came):
    """What comes in, as frames."""
    frame = []
    sink = bench.gpu.sink
    while len(came) < len(FRAMES):
        if (yield sink.valid):
            frame.append((yield sink.data))
            if (yield sink.last):
                came.append(frame)
                frame = []
        yield


def answers(bench, sent):
    """Frames from the GPU, a word in some clocks, after the host's."""
    source = bench.gpu.source
    while not sent:
        yield
    for frame in FRAMES:
        for i, word in enumerate(frame):
            yield source.valid.eq(1)
            yield source.data.eq(word)
            yield source.last.eq(i == len(frame) - 1)
            yield source.words.eq(len(frame))
            yield
            while not (yield source.ready):
                yield
            yield source.valid.eq(0)
            for _ in range(RANDOM.choice((0, 1, 3))):
                yield


def network(bench, out):
    """Takes what goes out; a packet that has begun must not pause."""
    sink, frame = bench.port.sink, []
    yield sink.ready.eq(1)
    while len(out) < len(FRAMES):
        yield
        if not (yield sink.valid):
            assert not frame, "a gap inside a datagram"
            continue
        frame.append((yield sink.data))
        if (yield sink.last):
            assert (yield sink.last_be) == 8
            out.append((frame, (yield sink.length), (yield sink.ip_address),
                        (yield sink.dst_port), (yield sink.src_port)))
            frame = []


def main():
    bench, sent, came, out = Bench(), [], [], []
    run_simulation(bench, [host(bench, sent), gpu(bench, came), answers(bench, sent),
                           network(bench, out)])
    assert came == FRAMES, "a frame came in changed"
    last = len(FRAMES) - 1
    for frame, want in zip(out, FRAMES):
        assert frame == (want, 4 * len(want), 0xc0a80100 + last, 5000 + last, UDP_PORT), \
            "a datagram went out changed"
    print(f"{len(FRAMES)} frames each way")


main()
