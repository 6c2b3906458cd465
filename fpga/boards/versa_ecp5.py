"""Versa ECP5 (LFE5UM5G-45F): Gigabit Ethernet. 24 EUs leave no room to route on 45 k
LUTs, so one subslice. Not tried on a real board."""
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from litex_boards.platforms import lattice_versa_ecp5

from clocks import Ecp5Clocks
from soc import UdpLine

FAMILY = "ecp5"
SHAPE = "1x8x8"
CLOCK_HZ = 40e6  # above 31.25 MHz, which 32 bits need at 1 Gbit/s
LOAD = "openFPGALoader -c ft2232"


def platform():
    return lattice_versa_ecp5.Platform(device="LFE5UM5G", toolchain="trellis")


def clocks(board, clock_hz):
    return Ecp5Clocks(board.request("clk100"), 100e6, clock_hz,
                      reset=~board.request("rst_n"))


def line(_soc, board, gpu, clock_hz):
    phy = LiteEthPHYRGMII(board.request("eth_clocks", 0), board.request("eth", 0))
    return UdpLine(gpu, phy, clock_hz)
