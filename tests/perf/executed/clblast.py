"""clblast.py NAME - one matrix product of CLBlast by its C interface, on numbers that are
always the same; a hash of the result is printed. Without NAME: the names. For run.py."""
import ctypes
import hashlib
import sys

ROW_MAJOR, COLUMN_MAJOR, NO, YES = 101, 102, 111, 112
# Precision, order, transposed (a, b), m, n, k. The large ones take CLBlast's indirect
# kernels: copies and transpositions into padded matrices, then the product.
NAMES = [f"{precision}_{order}_{a}{b}_{size}" for precision in "SDC" for order in ("row", "column")
         for a, b, size in (("n", "n", 24), ("t", "n", 40), ("n", "t", 64))] + ["S_row_nn_576"]


class Complex(ctypes.Structure):
    _fields_ = [("real", ctypes.c_float), ("imaginary", ctypes.c_float)]


TYPES = {"S": ("float32", ctypes.c_float), "D": ("float64", ctypes.c_double),
         "C": ("complex64", Complex)}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in NAMES:
        print("\n".join(NAMES))
        return len(sys.argv) != 1
    import numpy as np
    import pyopencl as cl

    precision, order, turned, size = sys.argv[1].split("_")
    n, (kind, scalar) = int(size), TYPES[precision]
    if n > 500: # a product of 576x576x32
        m, n, k = n, n, 32
    else:
        m, n, k = n, n + 8, n - 8
    context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
    queue = cl.CommandQueue(context)
    rng = np.random.default_rng(n)

    def buffer(count):
        host = (rng.random(count) + (1j * rng.random(count) if precision == "C" else 0)).astype(kind)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return host, cl.Buffer(context, flags, hostbuf=host)

    def number(x):
        return scalar(x, 0.0) if precision == "C" else scalar(x)

    (_, a), (_, b), (host, c) = buffer(m * k), buffer(k * n), buffer(m * n)
    row = order == "row"
    lead = {("a", "n"): k if row else m, ("a", "t"): m if row else k,
            ("b", "n"): n if row else k, ("b", "t"): k if row else n}
    one = ctypes.c_size_t
    product = getattr(ctypes.CDLL("libclblast.so.1"), f"CLBlast{precision}gemm")
    status = product(ROW_MAJOR if row else COLUMN_MAJOR, NO if turned[0] == "n" else YES,
                     NO if turned[1] == "n" else YES, one(m), one(n), one(k), number(1.5),
                     ctypes.c_void_p(a.int_ptr), one(0), one(lead["a", turned[0]]),
                     ctypes.c_void_p(b.int_ptr), one(0), one(lead["b", turned[1]]), number(0.5),
                     ctypes.c_void_p(c.int_ptr), one(0), one(n if row else m),
                     ctypes.byref(ctypes.c_void_p(queue.int_ptr)), None)
    if status != 0:
        sys.exit(f"{sys.argv[1]}: status {status}")
    cl.enqueue_copy(queue, host, c)
    queue.finish()
    print(hashlib.sha256(host.tobytes()).hexdigest()[:16])
    return 0


if __name__ == "__main__":
    sys.exit(main())
