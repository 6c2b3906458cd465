"""Arty A7-100T: Ethernet of 100 Mbit/s. Not tried on a real board, nor in Vivado."""
from liteeth.phy.mii import LiteEthPHYMII
from litex_boards.platforms import digilent_arty
from migen import ClockDomain

from clocks import Series7Clocks
from soc import UdpLine

FAMILY = "xilinx"
SHAPE = "3x8x24"
CLOCK_HZ = 50e6
LOAD = "openFPGALoader -b arty_a7_100t"


def platform():
    return digilent_arty.Platform(variant="a7-100", toolchain="vivado")


def clocks(board, clock_hz):
    crg = Series7Clocks(-1, board.request("clk100"), 100e6, clock_hz,
                        reset=~board.request("cpu_reset"))
    crg.cd_eth = ClockDomain()
    crg.pll.create_clkout(crg.cd_eth, 25e6)
    crg.comb += board.request("eth_ref_clk").eq(crg.cd_eth.clk)
    return crg


def line(_soc, board, gpu, clock_hz):
    phy = LiteEthPHYMII(board.request("eth_clocks"), board.request("eth"))
    return UdpLine(gpu, phy, clock_hz)
