"""near.py A.ppm B.ppm - exit status 1 unless 99.5 % of the pixels are within 3 of 255.

near.py A B - the same of every picture of a folder and that of its name in the other: a
line `ok` or `not ok` for each, exit status 1 if one is not."""
import operator
import os
import re
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P6 (\d+) (\d+) 255\n", data)
    return head.groups(), data[head.end():]


def has_colours(values, count):
    seen = set()
    for pixel in zip(values[0::3], values[1::3], values[2::3]):
        seen.add(pixel)
        if len(seen) == count:
            return True
    return False


def near(one, another):
    (size, a), (other, b) = read(one), read(another)
    if size != other:
        return False
    apart = bytes(map(abs, map(operator.sub, a, b)))
    far = bytes(map(max, apart[0::3], apart[1::3], apart[2::3]))
    share = 1 - len(far.translate(None, bytes(range(4)))) / len(far)
    print(f"# {share:.3%} within 3 of 255, worst {max(far)}")
    return share >= 0.995 and has_colours(a, 3)


def main(one, another):
    if not os.path.isdir(one):
        return near(one, another)
    results = []
    for name in sorted(n for n in os.listdir(one) if n.endswith(".ppm")):
        path = os.path.join(another, name)
        results.append(os.path.exists(path) and near(os.path.join(one, name), path))
        print(f"{'ok' if results[-1] else 'not ok'} {name.removesuffix('.ppm')}: llvmpipe's picture")
    return all(results) and bool(results)


sys.exit(not main(*sys.argv[1:]))
