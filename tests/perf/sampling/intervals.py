#!/usr/bin/env python3
"""intervals.py - how often the statistical part of a sample's interval holds the mean of
independent normal windows (docs/guide/sampling.md, section 3; bridge/host/sample/measure.c).

First of N windows, by Imhof's integral (1961) for quadratic forms of normal variables: with
t at the degrees of measure_degrees(), and which degrees would hold 95 %. Then with windows
that are doubled until the interval's half is at most 1, by drawing: by the first plan's
windows and one window's standard deviation, the part that holds and the mean windows.
"""
import math
import random

T = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)
MOST = 64
DRAWS = 20000


def student(degrees):
    """measure_student()."""
    at = max(int(degrees), 1)
    if at >= len(T):
        return 1.96 + 2.5 / degrees
    return T[at] + (T[at - 1] - T[at]) * at * ((at + 1) / max(degrees, 1) - 1)


def degrees_of(n):
    """measure_degrees()."""
    return 2 * (n - 1) ** 2 / (3 * n - 4)


def held(n, factor):
    """P(z^2 <= factor^2 s^2), s^2 the sum of n - 1 independent squares with these weights."""
    weights = [1] + [-factor ** 2 * (1 - math.cos(math.pi * k / n)) / (n - 1)
                     for k in range(1, n)]
    total, step = 0, 0.02
    for i in range(-1500, 1500):
        u = math.exp(i * step)
        angle = sum(math.atan(w * u) for w in weights) / 2
        shrinks = sum(math.log1p((w * u) ** 2) for w in weights) / 4
        total += math.sin(angle) * math.exp(-shrinks) * step
    return 0.5 - total / math.pi


def bisect(low, high, falls_below):
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if falls_below(middle) else (middle, high)
    return low


def half_of(windows):
    n = len(windows)
    squares = sum((b - a) ** 2 for a, b in zip(windows, windows[1:])) / (2 * (n - 1))
    return student(degrees_of(n)) * math.sqrt(squares / n)


def stopped(first, deviation):
    windows = [random.gauss(0, deviation) for _ in range(first)]
    while True:
        half = half_of(windows)
        if half <= 1:
            return abs(sum(windows) / len(windows)) <= half, len(windows)
        times = 2
        while 4 * times < 3 * min(half ** 2, 8):
            times *= 2
        times = min(times, MOST // len(windows))
        if times < 2:
            return True, len(windows)  # simulated whole
        more = []
        for old in windows:
            at = random.randrange(times)
            more += [old if i == at else random.gauss(0, deviation) for i in range(times)]
        windows = more


def main():
    random.seed(1)
    print("windows degrees t held_percent t_of_95_percent")
    for n in (*range(2, 17), 32, 64):
        factor = student(degrees_of(n))
        exact = bisect(1.9, 13, lambda x, n=n: held(n, x) > 0.95)
        print(f"{n} {degrees_of(n):.3f} {factor:.3f} {100 * held(n, factor):.2f} {exact:.3f}")
    print("first_windows deviation held_percent windows")
    for first in (4, 8):
        for deviation in (0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3):
            draws = [stopped(first, deviation) for _ in range(DRAWS)]
            print(first, deviation, f"{100 * sum(d[0] for d in draws) / DRAWS:.1f}",
                  f"{sum(d[1] for d in draws) / DRAWS:.1f}")


if __name__ == "__main__":
    main()
