"""ULX3S (LFE5U-85F): the UART of its USB (FT231X). Not tried on a real board."""
from litex_boards.platforms import radiona_ulx3s
from clocks import Ecp5Clocks
from soc import SerialLine

FAMILY = "ecp5"
SHAPE = "3x8x24"
CLOCK_HZ = 25e6
BAUD = 3000000
LOAD = "openFPGALoader -b ulx3s"


def platform():
    return radiona_ulx3s.Platform(device="LFE5U-85F", toolchain="trellis")


def clocks(board, clock_hz):
    crg = Ecp5Clocks(board.request("clk25"), 25e6, clock_hz, reset=board.request("rst"))
    crg.comb += board.request("wifi_gpio0").eq(1)  # else the ESP32 takes the pins
    return crg


def line(_soc, board, gpu, clock_hz):
    return SerialLine(gpu, board.request("serial"), clock_hz, BAUD)
