"""SQRL Acorn CLE-215+ (Artix-7 200T): PCIe Gen2 x4. Not tried on a real board, nor in
Vivado."""
from litepcie.phy.s7pciephy import S7PCIEPHY
from litex_boards.platforms import sqrl_acorn

from clocks import Series7Clocks
from soc import PcieLine

FAMILY = "xilinx"
SHAPE = "3x8x24"
CLOCK_HZ = 80e6
LOAD = "openFPGALoader -b acornCle215"


def platform():
    return sqrl_acorn.Platform(variant="cle-215+")


def clocks(board, clock_hz):
    return Series7Clocks(-3, board.request("clk200"), 200e6, clock_hz)


def line(_soc, board, gpu, _clock_hz):
    phy = S7PCIEPHY(board, board.request("pcie_x4"), data_width=128, bar0_size=0x10000)
    line_ = PcieLine(gpu, phy)
    line_.comb += board.request("pcie_clkreq_n").eq(0)
    return line_
