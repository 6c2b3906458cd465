"""clblast_parts.py PART - routines of CLBlast through its C interface, at several sizes."""
import ctypes
import sys

import numpy as np
import pyopencl as cl

library = ctypes.CDLL("libclblast.so.1")
context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queue = cl.CommandQueue(context)
handle = ctypes.c_void_p(queue.int_ptr)
rng = np.random.default_rng(2)
part = sys.argv[1]
ROW_MAJOR, NO_TRANSPOSE, TRANSPOSE = 101, 111, 112


def floats(n):
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=rng.random(n, dtype=np.float32))


def call(name, *words):
    """A buffer goes with its offset, a float as one, an (n,) as a size."""
    out = []
    for word in words:
        if isinstance(word, cl.Buffer):
            out += [ctypes.c_void_p(word.int_ptr), ctypes.c_size_t(0)]
        elif isinstance(word, float):
            out.append(ctypes.c_float(word))
        elif isinstance(word, tuple):
            out.append(ctypes.c_size_t(word[0]))
        else:
            out.append(word)
    status = getattr(library, "CLBlast" + name)(*out, ctypes.byref(handle), None)
    if status != 0:
        sys.exit(f"{name}: status {status}")


if part == "level1":
    for n in (4096, 65536, 300000):
        x, y, result = floats(n), floats(n), floats(4)
        call("Saxpy", (n,), 2.0, x, (1,), y, (1,))
        call("Sscal", (n,), 2.0, x, (1,))
        call("Sdot", (n,), result, x, (1,), y, (1,))
        call("Snrm2", (n,), result, x, (1,))
        call("Sswap", (n,), x, (1,), y, (1,))
elif part == "gemv":
    for n in (96, 256, 512):
        a, b, x, y = floats(n * n), floats(n * n), floats(n), floats(n)
        call("Sgemv", ROW_MAJOR, NO_TRANSPOSE, (n,), (n,), 1.0, a, (n,), x, (1,), 0.0, y, (1,))
        call("Sger", ROW_MAJOR, (n,), (n,), 1.0, x, (1,), y, (1,), a, (n,))
        call("Somatcopy", ROW_MAJOR, TRANSPOSE, (n,), (n,), 1.0, a, (n,), b, (n,))
elif part == "gemm":
    for n in (32, 64, 128, 192):
        a, b, c = floats(n * n), floats(n * n), floats(n * n)
        call("Sgemm", ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, (n,), (n,), (n,), 1.0, a, (n,),
             b, (n,), 0.0, c, (n,))
queue.finish()
