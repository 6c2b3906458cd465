#!/usr/bin/env python3
"""openvino_steps.py - two small networks on OpenVINO's GPU plugin against its CPU: a line
each with the largest difference over the largest value, `right` or `WRONG`; exit status 1
when one is wrong.

    pip install openvino==2023.0.2 'numpy<1.25'
    igpu run --lenient -- VENV/bin/python tests/perf/openvino_steps.py
    igpu run --driver neo -- VENV/bin/python tests/perf/openvino_steps.py

--lenient: its convolutions read past the end of a buffer, as hardware allows.
"""
import sys

import numpy
from openvino.runtime import Core, Model
from openvino.runtime import opset10 as op

RANDOM = numpy.random.default_rng(1)
WORDS, WIDE, HEADS, LAYERS = 32, 64, 4, 2  # of the encoder


def weights(*shape: int):
    scale = numpy.sqrt(numpy.prod(shape[1:]) if len(shape) == 4 else shape[0])
    return op.constant((RANDOM.standard_normal(shape) / scale).astype(numpy.float32))


def numbers(*of: int):
    return op.constant(numpy.array(of, dtype=numpy.int64))


def convolutions() -> Model:
    """Two convolutions, each with its pooling, and a classifier."""
    given = x = op.parameter([1, 3, 32, 32], numpy.float32)
    for inner, outer in ((3, 16), (16, 32)):
        x = op.convolution(x, weights(outer, inner, 3, 3), [1, 1], [1, 1], [1, 1], [1, 1])
        x = op.max_pool(op.relu(x), [2, 2], [1, 1], [0, 0], [0, 0], [2, 2]).output(0)
    x = op.matmul(op.reshape(x, numbers(1, 2048), False), weights(2048, 10), False, False)
    return Model([op.softmax(x, 1)], [given], "convolutions")


def norm(x):
    y = op.mvn(x, numbers(2), True, 1e-5, "INSIDE_SQRT")
    return op.add(op.multiply(y, weights(1, 1, WIDE)), weights(1, 1, WIDE))


def by_heads(x):
    x = op.reshape(x, numbers(1, WORDS, HEADS, WIDE // HEADS), False)
    return op.transpose(x, numbers(0, 2, 1, 3))


def encoder() -> Model:
    """Layers of a transformer: attention of four heads, and a network of two products."""
    given = x = op.parameter([1, WORDS, WIDE], numpy.float32)
    for _ in range(LAYERS):
        query, key, value = (by_heads(op.matmul(x, weights(WIDE, WIDE), False, False))
                             for _ in range(3))
        scale = op.constant(numpy.float32(numpy.sqrt(WIDE // HEADS)))
        seen = op.softmax(op.divide(op.matmul(query, key, False, True), scale), 3)
        out = op.transpose(op.matmul(seen, value, False, False), numbers(0, 2, 1, 3))
        out = op.reshape(out, numbers(1, WORDS, WIDE), False)
        x = norm(op.add(x, op.matmul(out, weights(WIDE, WIDE), False, False)))
        out = op.gelu(op.matmul(x, weights(WIDE, 4 * WIDE), False, False), "erf")
        x = norm(op.add(x, op.matmul(out, weights(4 * WIDE, WIDE), False, False)))
    return Model([x], [given], "encoder")


def main() -> int:
    core, wrong = Core(), 0
    print(core.get_property("GPU", "FULL_DEVICE_NAME"))
    for model in convolutions(), encoder():
        data = RANDOM.standard_normal(model.inputs[0].shape).astype(numpy.float32)
        want, got = (
            list(core.compile_model(model, device, {"INFERENCE_PRECISION_HINT": "f32"})([data])
                 .values())[0] for device in ("CPU", "GPU"))
        difference = abs(want - got).max() / abs(want).max()
        right = bool(difference < 1e-5)
        wrong += not right
        print(f"{model.get_friendly_name():14} {difference:.1e} {'right' if right else 'WRONG'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
