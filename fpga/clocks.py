"""One clock for all, from a board's oscillator."""
from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL, S7PLL, USPMMCM
from migen import ClockDomain, Signal


class Clocks(LiteXModule):
    """`sys` from `pll`; reset (a pin, high) holds it."""

    def __init__(self, pll, pin, pin_hz, clock_hz, reset=0):
        self.cd_sys = ClockDomain()
        self.pll = pll
        self.comb += pll.reset.eq(reset)
        pll.register_clkin(pin, pin_hz)
        pll.create_clkout(self.cd_sys, clock_hz)


class Ecp5Clocks(Clocks):
    def __init__(self, *args, **kwargs):
        super().__init__(ECP5PLL(), *args, **kwargs)


class Series7Clocks(Clocks):
    def __init__(self, speedgrade, *args, **kwargs):
        super().__init__(S7PLL(speedgrade=speedgrade), *args, **kwargs)


class UltraScalePlusClocks(Clocks):
    def __init__(self, speedgrade, *args, **kwargs):
        super().__init__(USPMMCM(speedgrade=speedgrade), *args, **kwargs)
