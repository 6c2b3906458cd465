#!/usr/bin/env python3
"""The GPU on a board: igpu_fpga_top behind one of LiteX's lines, without a CPU.

    soc.py BOARD OUT [--shape TxExC] [--store N] [--clock MHZ] [--build]

BOARD is a file of fpga/boards/. Writes OUT/gateware: the Verilog of the whole and the
scripts of the board's tools; --build runs these (Yosys and nextpnr for ECP5, Vivado for
Xilinx). fpga/soc.sh calls it with the packages of fpga/requirements.txt.
"""
import argparse
import glob
import importlib
import os
import re
import sys

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.packet import PacketFIFO
from migen import ClockSignal, If, Instance, ResetSignal, Signal

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = {"ecp5": 1, "xilinx": 2}  # igpu_fpga_gate
UDP_PORT = 7600
IP_ADDRESS = "192.168.1.50"
MAC_ADDRESS = 0x02_69_67_70_75_01   # of those that anybody may use
WORDS = stream.EndpointDescription([("data", 32)], [("words", 10)])


def rtl_below(*tops):
    """The files of these modules and of all instances below them (file = module), without
    the simulator's shell of the EU, which igpu_eus could have instead."""
    files = {os.path.basename(path)[:-2]: path
             for folder in ("rtl", "fpga") for path in glob.glob(f"{ROOT}/{folder}/**/*.v",
                                                                 recursive=True)}
    found, left = {"igpu_eu_flat"}, list(tops)
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            with open(files[module], encoding="utf-8") as text:
                code = re.sub(r"//[^\n]*", "", text.read())
            left += re.findall(r"^\s*(igpu_\w+)\s+(?:#\(|u_)", code, re.M)
    return sorted(files[module] for module in found - {"igpu_eu_flat"})


class Shape:
    """How many subslices of how many EUs, by pipelines of how many contexts."""

    def __init__(self, text, store):
        self.tiles, self.eus, self.contexts = (int(n) for n in text.split("x"))
        self.store = store
        if (self.tiles * self.eus) % self.contexts or not 1 <= self.contexts <= 32 or \
                not 1 <= self.tiles <= 6 or not 1 <= self.eus <= 8:
            sys.exit(f"soc.py: --shape {text}: expected SUBSLICESxEUSxCONTEXTS, with whole "
                     "pipelines of at most 32 contexts")
        if not 512 <= store <= 16384 or store & (store - 1):
            sys.exit(f"soc.py: --store {store}: expected a power of two, 512 to 16384")

    @property
    def aw(self):
        """Bits of a context's number."""
        return max(1, (self.contexts - 1).bit_length())


class Gpu(LiteXModule):
    """igpu_fpga_top: frames of words in (sink) and out (source)."""

    def __init__(self, platform, target, shape, clock_hz):
        self.sink = sink = stream.Endpoint(WORDS)
        self.source = source = stream.Endpoint(WORDS)
        self.comb += sink.ready.eq(1)
        self.specials += Instance(
            "igpu_fpga_top", name="u_gpu",
            p_TILES=shape.tiles, p_EUS=shape.eus, p_CONTEXTS=shape.contexts, p_CW=shape.aw,
            p_STORE_AW=shape.store.bit_length() - 1, p_CLOCK_KHZ=int(clock_hz / 1e3),
            p_TARGET=TARGETS[target],
            i_clk_i=ClockSignal(), i_rst_ni=~ResetSignal(),
            i_in_valid_i=sink.valid, i_in_data_i=sink.data, i_in_last_i=sink.last,
            o_out_valid_o=source.valid, o_out_data_o=source.data, o_out_last_o=source.last,
            i_out_ready_i=source.ready, o_out_words_o=source.words, o_rest_o=Signal())
        for path in rtl_below("igpu_fpga_top", "igpu_link_slip", "igpu_link_window"):
            platform.add_source(path)
        for folder in ("include", "eu", "lib"):
            platform.add_verilog_include_path(f"{ROOT}/rtl/{folder}")


class SerialLine(LiteXModule):
    """A UART: bytes, framed by igpu_link_slip."""

    def __init__(self, gpu, pads, clock_hz, baud):
        from litex.soc.cores.uart import RS232PHY
        self.phy = phy = RS232PHY(pads, clock_hz, baudrate=baud)
        self.comb += phy.source.ready.eq(1)
        self.specials += Instance(
            "igpu_link_slip", name="u_slip",
            i_clk_i=ClockSignal(), i_rst_ni=~ResetSignal(),
            i_rx_valid_i=phy.source.valid, i_rx_data_i=phy.source.data,
            o_in_valid_o=gpu.sink.valid, o_in_data_o=gpu.sink.data,
            o_in_last_o=gpu.sink.last,
            i_out_valid_i=gpu.source.valid, i_out_data_i=gpu.source.data,
            i_out_last_i=gpu.source.last, o_out_ready_o=gpu.source.ready,
            o_tx_valid_o=phy.sink.valid, o_tx_data_o=phy.sink.data,
            i_tx_ready_i=phy.sink.ready, o_busy_o=Signal())


class Datagrams(LiteXModule):
    """Frames as datagrams: `port` is LiteEth's. Answers go to who sent last. A frame waits
    until all of it is there, since a MAC cannot pause inside a packet; what Ethernet adds
    to a short packet does not belong to the frame."""

    def __init__(self, gpu, port):
        left = Signal(12)               # words of the datagram that are to come
        more = Signal()                 # inside a datagram
        words = Signal(12)
        source, sink = port.source, gpu.sink
        self.ip_address, self.udp_port = Signal(32), Signal(16)
        self.comb += [
            source.ready.eq(1),
            words.eq(source.length[2:14]),
            sink.valid.eq(source.valid & (~more | (left != 0))),
            sink.data.eq(source.data),
            sink.last.eq(source.last | (left == 1) | (~more & (words == 1))),
        ]
        self.sync += If(source.valid,
            more.eq(~source.last),
            If(~more,
                left.eq(words - 1),
                self.ip_address.eq(source.ip_address),
                self.udp_port.eq(source.src_port),
            ).Elif(left != 0, left.eq(left - 1)))
        self.fifo = fifo = PacketFIFO(WORDS, payload_depth=512, param_depth=2)
        self.comb += [
            gpu.source.connect(fifo.sink),
            fifo.source.connect(port.sink, omit={"words"}),
            port.sink.last_be.eq(fifo.source.last << 3),
            port.sink.length.eq(fifo.source.words << 2),
            port.sink.ip_address.eq(self.ip_address),
            port.sink.dst_port.eq(self.udp_port),
            port.sink.src_port.eq(UDP_PORT),
        ]


class UdpLine(LiteXModule):
    """Ethernet: LiteEth's UDP/IP with ARP and ping."""

    def __init__(self, gpu, phy, clock_hz):
        from liteeth.core import LiteEthUDPIPCore
        self.phy = phy
        self.core = LiteEthUDPIPCore(phy, MAC_ADDRESS, IP_ADDRESS, int(clock_hz), dw=32)
        self.datagrams = Datagrams(gpu, self.core.udp.crossbar.get_port(UDP_PORT, dw=32))


class WindowLine(LiteXModule):
    """16 KiB of a bus's memory: igpu_link_window behind Wishbone."""

    def __init__(self, gpu, bus):
        write = Signal()
        self.comb += write.eq(bus.cyc & bus.stb & bus.we & ~bus.ack)
        self.sync += bus.ack.eq(bus.cyc & bus.stb & ~bus.ack)
        self.specials += Instance(
            "igpu_link_window", name="u_window",
            i_clk_i=ClockSignal(), i_rst_ni=~ResetSignal(),
            i_we_i=write, i_addr_i=bus.adr[:12], i_wdata_i=bus.dat_w, o_rdata_o=bus.dat_r,
            o_in_valid_o=gpu.sink.valid, o_in_data_o=gpu.sink.data,
            o_in_last_o=gpu.sink.last,
            i_out_valid_i=gpu.source.valid, i_out_data_i=gpu.source.data,
            i_out_last_i=gpu.source.last, o_out_ready_o=gpu.source.ready,
            i_out_words_i=gpu.source.words, o_busy_o=Signal())


class PcieLine(LiteXModule):
    """The window in BAR 0, through LitePCIe."""

    def __init__(self, gpu, phy):
        from litepcie.core import LitePCIeEndpoint
        from litepcie.frontend.wishbone import LitePCIeWishboneMaster
        self.phy = phy
        self.endpoint = LitePCIeEndpoint(phy, endianness=phy.endianness,
                                         max_pending_requests=4)
        self.bridge = LitePCIeWishboneMaster(self.endpoint,
                                             qword_aligned=phy.qword_aligned)
        self.window = WindowLine(gpu, self.bridge.wishbone)


class Soc(LiteXModule):
    """Clock, GPU and line of one board."""

    def __init__(self, board, platform, shape, clock_hz):
        self.crg = board.clocks(platform, clock_hz)
        self.gpu = Gpu(platform, board.FAMILY, shape, clock_hz)
        self.line = board.line(self, platform, self.gpu, clock_hz)


def arguments():
    names = sorted(os.path.basename(f)[:-3] for f in glob.glob(f"{ROOT}/fpga/boards/*.py"))
    parser = argparse.ArgumentParser(description="Generates or builds the GPU for a board.")
    parser.add_argument("board", choices=names)
    parser.add_argument("out")
    parser.add_argument("--shape", help="SUBSLICESxEUSxCONTEXTS (the board's)")
    parser.add_argument("--store", type=int, default=4096, help="instructions (4096)")
    parser.add_argument("--clock", type=float, help="MHz (the board's)")
    parser.add_argument("--build", action="store_true", help="run the board's tools")
    return parser.parse_args()


def main():
    args = arguments()
    sys.path.insert(0, f"{ROOT}/fpga")
    sys.modules["soc"] = sys.modules["__main__"]
    board = importlib.import_module(f"boards.{args.board}")
    clock_hz = args.clock * 1e6 if args.clock else board.CLOCK_HZ
    platform = board.platform()
    soc = Soc(board, platform, Shape(args.shape or board.SHAPE, args.store), clock_hz)
    options = {"nowidelut": True, "abc9": True, "timingstrict": False} if board.FAMILY == "ecp5" else {}
    platform.build(soc, build_dir=f"{args.out}/gateware", build_name="igpu",
                   run=args.build, **options)


if __name__ == "__main__":
    main()
