#!/bin/sh
# A module whose contract is broken stops the simulation (rtl/include/igpu_assert.vh).
# tests/run: timeout=900 long
exec python3 tests/fail/contracts.py
