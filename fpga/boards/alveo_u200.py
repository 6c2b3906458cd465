"""Alveo U200 (Virtex UltraScale+): PCIe Gen3 x4 of its x16. Not tried on a real board,
nor in Vivado."""
from litepcie.phy.usppciephy import USPPCIEPHY
from litex_boards.platforms import xilinx_alveo_u200

from clocks import UltraScalePlusClocks
from soc import PcieLine

FAMILY = "xilinx"
SHAPE = "3x8x24"
CLOCK_HZ = 125e6
LOAD = "Vivado's hardware manager"


def platform():
    return xilinx_alveo_u200.Platform()


def clocks(board, clock_hz):
    return UltraScalePlusClocks(-2, board.request("clk300", 0), 300e6, clock_hz)


def line(_soc, board, gpu, _clock_hz):
    phy = USPPCIEPHY(board, board.request("pcie_x4"), speed="gen3", data_width=128,
                     bar0_size=0x10000)
    return PcieLine(gpu, phy)
