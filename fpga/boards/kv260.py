"""KV260 (Zynq UltraScale+): the host's C on its ARM cores, the window on their AXI bus at
0xa0000000, their clock. Not tried on a real board, nor in Vivado."""
from litex.gen import LiteXModule
from litex.soc.cores.cpu.zynqmp.core import ZynqMP
from litex.soc.interconnect import axi, wishbone
from litex_boards.platforms import xilinx_kv260
from migen import ClockDomain, ClockSignal, ResetSignal

from soc import WindowLine

FAMILY = "xilinx"
SHAPE = "3x8x24"
CLOCK_HZ = 100e6  # of the processors' pl_clk0
WINDOW = 0xa000_0000
LOAD = "xmutil loadapp, on the board, with igpu.bit as .bit.bin"


def platform():
    return xilinx_kv260.Platform()


class _Processors(LiteXModule):
    def __init__(self, board):
        self.cpu = cpu = ZynqMP(board, "standard")
        self.cd_sys = ClockDomain()
        self.comb += [ClockSignal("sys").eq(ClockSignal("ps")),
                      ResetSignal("sys").eq(ResetSignal("ps"))]
        self.bus = wishbone.Interface()
        self.bridge = axi.AXI2Wishbone(axi=cpu.pbus, wishbone=self.bus,
                                       base_address=WINDOW)


def clocks(board, _clock_hz):
    return _Processors(board)


def line(soc, _board, gpu, _clock_hz):
    return WindowLine(gpu, soc.crg.bus)
