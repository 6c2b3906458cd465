#!/usr/bin/env python3
"""dpex_steps.py - two kernels that numba-dpex compiles, against NumPy: a line each with the
largest difference over the largest value, `right` or `WRONG`; exit status 1 when one is
wrong.

    pip install numba-dpex==0.23.0 dpnp==0.15.0 dpctl==0.17.0 dpcpp-cpp-rt==2024.2.1 \\
        'numpy<1.27' 'numba<0.60'
    LD_LIBRARY_PATH=VENV/lib ONEAPI_DEVICE_SELECTOR=opencl:gpu \\
        igpu run [--driver neo] -- VENV/bin/python tests/perf/dpex_steps.py
"""
import sys

import dpnp
import numba_dpex
import numpy
from numba_dpex import kernel_api


@numba_dpex.kernel
def saxpy(item: kernel_api.Item, x, y, out):
    i = item.get_id(0)
    out[i] = 2 * x[i] + y[i]


@numba_dpex.kernel
def product(item: kernel_api.Item, x, y, out):
    row, column = item.get_id(0), item.get_id(1)
    total = x.dtype.type(0)
    for k in range(x.shape[1]):
        total += x[row, k] * y[k, column]
    out[row, column] = total


def main() -> int:
    random, wrong = numpy.random.default_rng(1), 0
    print(dpnp.arange(1).sycl_device.name)
    for kernel, shape, want in (
            (saxpy, (1000,), lambda x, y: 2 * x + y), (product, (48, 48), numpy.matmul)):
        x, y = (random.random(shape, dtype=numpy.float32) for _ in range(2))
        out = dpnp.empty(shape, dtype=dpnp.float32)
        numba_dpex.call_kernel(
            kernel, kernel_api.Range(*shape), dpnp.asarray(x), dpnp.asarray(y), out)
        expected = want(x, y)
        difference = abs(dpnp.asnumpy(out) - expected).max() / abs(expected).max()
        right = bool(difference < 1e-6)
        wrong += not right
        print(f"{len(shape)} dimensions "
              f"{difference:.1e} {'right' if right else 'WRONG'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
