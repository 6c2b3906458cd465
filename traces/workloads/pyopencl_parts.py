"""pyopencl_parts.py PART - launches of PyOpenCL's own kernels, at several sizes."""
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as ca
import pyopencl.clmath as clmath
import pyopencl.clrandom as clrandom
from pyopencl.algorithm import RadixSort
from pyopencl.bitonic_sort import BitonicSort

context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queue = cl.CommandQueue(context)
rng = np.random.default_rng(1)
part = sys.argv[1]


def floats(n):
    return ca.to_device(queue, rng.random(n, dtype=np.float32))


def integers(n, limit):
    return ca.to_device(queue, rng.integers(0, limit, n).astype(np.int32))


if part == "array":
    for n in (1000, 20000, 200000):
        a, b = floats(n), floats(n)
        for result in (a + b, a * 2 + b, a / b, ca.dot(a, b), ca.sum(a), ca.max(a)):
            result.get()
elif part == "math":
    for n in (3000, 60000):
        a = floats(n)
        for function in ("sin", "exp", "log", "sqrt", "atan", "tanh"):
            getattr(clmath, function)(a).get()
elif part == "sort":
    for n in (1024, 8192):
        BitonicSort(context)(integers(n, 99999))
elif part == "radix":
    sort = RadixSort(context, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"])
    for n in (1500, 20000):
        sort(integers(n, 9999))
elif part == "random":
    generator = clrandom.PhiloxGenerator(context)
    for n in (5000, 60000):
        generator.uniform(queue, n, np.float32)
        generator.normal(queue, n, np.float32)
queue.finish()
