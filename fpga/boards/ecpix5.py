"""ECPIX-5 (LFE5UM5G-85F): Gigabit Ethernet. Not tried on a real board."""
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from litex_boards.platforms import lambdaconcept_ecpix5

from clocks import Ecp5Clocks
from soc import UdpLine

FAMILY = "ecp5"
SHAPE = "3x8x24"
CLOCK_HZ = 40e6  # above 31.25 MHz, which 32 bits need at 1 Gbit/s
LOAD = "openFPGALoader -b ecpix5"


def platform():
    return lambdaconcept_ecpix5.Platform(device="85F", toolchain="trellis")


def clocks(board, clock_hz):
    return Ecp5Clocks(board.request("clk100"), 100e6, clock_hz,
                      reset=~board.request("rst_n"))


def line(_soc, board, gpu, clock_hz):
    phy = LiteEthPHYRGMII(board.request("eth_clocks"), board.request("eth"))
    return UdpLine(gpu, phy, clock_hz)
