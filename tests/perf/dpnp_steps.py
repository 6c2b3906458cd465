#!/usr/bin/env python3
"""dpnp_steps.py - what dpnp computes on the GPU against NumPy: a line each with the largest
difference over the largest value, `right` or `WRONG`; exit status 1 when one is wrong.

    pip install dpnp==0.15.0 dpctl==0.17.0 dpcpp-cpp-rt==2024.2.1 'numpy<2' and, each ==2024.2.*,
        mkl mkl-dpcpp onemkl-sycl-{blas,datafitting,dft,lapack,rng,sparse,stats,vm}
    LD_LIBRARY_PATH=VENV/lib ONEAPI_DEVICE_SELECTOR=opencl:gpu \\
        igpu run [--driver neo] -- VENV/bin/python tests/perf/dpnp_steps.py
"""
import sys
from collections.abc import Callable

import dpnp
import numpy

N = 64  # from 33 on a system is solved by kernels that the library has as machine code


def main() -> int:
    random = numpy.random.default_rng(1)
    a = random.random((N, N), dtype=numpy.float32)
    b = random.random((N, N), dtype=numpy.float32)
    regular = a + 8 * numpy.eye(N, dtype=numpy.float32)
    steps: list[tuple[str, Callable, float]] = [
        ("add", lambda x: x.asarray(a) + x.asarray(b), 1e-6),
        ("sum", lambda x: x.sum(x.asarray(a), axis=0), 1e-5),
        ("sort", lambda x: x.sort(x.asarray(a[0])), 0),
        ("exp", lambda x: x.exp(x.asarray(a)), 1e-6),
        ("matmul", lambda x: x.matmul(x.asarray(a), x.asarray(b)), 1e-5),
        ("fft", lambda x: x.fft.fft(x.asarray(a[0].astype(numpy.complex64))), 1e-5),
        ("solve", lambda x: x.linalg.solve(x.asarray(regular), x.asarray(b)), 1e-4),
        ("inv", lambda x: x.linalg.inv(x.asarray(regular)), 1e-4),
        ("det", lambda x: x.reshape(x.linalg.det(x.asarray(regular / 8)), (1,)), 1e-4),
        ("cholesky", lambda x: x.linalg.cholesky(x.asarray(regular @ regular.T)), 1e-4),
        ("eigh", lambda x: x.linalg.eigh(x.asarray(regular + regular.T))[0], 1e-4),
    ]
    wrong = 0
    print(dpnp.arange(1).sycl_device.name)
    for name, step, most in steps:
        want = step(numpy)
        try:
            got = dpnp.asnumpy(step(dpnp))
        except Exception as error:  # what the stack below throws is of many kinds
            print(f"{name:10} FAILED {type(error).__name__}: {str(error)[:120]}", flush=True)
            wrong += 1
            continue
        apart = float(numpy.max(numpy.abs(got - want)) / numpy.max(numpy.abs(want)))
        wrong += not apart <= most
        print(f"{name:10} {apart:.1e} {'right' if apart <= most else 'WRONG'}", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
