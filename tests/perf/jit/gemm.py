"""gemm.py SIZE TIMES - CLBlast's SGEMM of square matrices through its C interface, so many
times on the first OpenCL device; prints the result's sum. For programs.sh."""
import ctypes
import sys

import numpy as np
import pyopencl as cl

library = ctypes.CDLL("libclblast.so.1")
context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queue = cl.CommandQueue(context)
handle = ctypes.c_void_p(queue.int_ptr)
rng = np.random.default_rng(2)
n, times = int(sys.argv[1]), int(sys.argv[2])
ROW_MAJOR, NO_TRANSPOSE = 101, 111


def matrix():
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=rng.random(n * n, dtype=np.float32))


def words(buffer):
    return ctypes.c_void_p(buffer.int_ptr), ctypes.c_size_t(0), ctypes.c_size_t(n)


a, b, c = matrix(), matrix(), matrix()
for _ in range(times):
    status = library.CLBlastSgemm(
        ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, *(ctypes.c_size_t(n),) * 3, ctypes.c_float(1),
        *words(a), *words(b), ctypes.c_float(0), *words(c), ctypes.byref(handle), None)
    if status != 0:
        sys.exit(f"gemm.py: CLBlast returns {status}")
    queue.finish()
out = np.empty(n * n, dtype=np.float32)
cl.enqueue_copy(queue, out, c)
queue.finish()
print(out.sum(dtype=np.float64))
