#!/usr/bin/env python3
"""intervals.py - how often the statistical part of a sample's interval holds the mean of
independent normal windows (docs/guide/sampling.md, section 3; bridge/host/sample/measure.c).

First of N windows, by Imhof's integral (1961) for quadratic forms of normal variables: with
t at the degrees of measure_degrees(), and which degrees would hold 95 %. Then with windows
that are added until the interval's half is at most 1, by drawing: by the first plan's windows
and one window's standard deviation, the part that holds and the mean windows; as many as
measure_more() says, from the second look on with MEASURE_AGAIN (and without it), and twice,
four or eight times as many.
"""
import math
import operator
import random

T = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13)
AGAIN = 1.08  # MEASURE_AGAIN
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


def weigh(windows):
    """Windows that there are, and the strata that each stands for."""
    there, weights, without = [], [], 0
    for window in windows:
        if window is None:
            without += 1
            continue
        if there:
            weights[-1] += without / 2
        weights.append(1 + (without / 2 if there else without))
        there.append(window)
        without = 0
    weights[-1] += without
    return there, weights


def estimate(windows):
    """Their mean, its standard error, and how many windows show it."""
    there, weights = weigh(windows)
    n, strata = len(there), len(windows)
    means = [(a + b) / 2 for a, b in zip(weights, weights[1:])]
    changes = sum(((b - a) * mean) ** 2 for a, b, mean in zip(there, there[1:], means))
    squares = changes * sum(w * w for w in weights) / (2 * sum(w * w for w in means))
    return (sum(map(operator.mul, there, weights)) / strata, math.sqrt(squares) / strata, n)


def wanted(error, n, strata, again):
    """Windows, and strata: measure_more() and more() of grow.c."""
    count = n + 1
    while count < 8 * n and again * student(degrees_of(count)) * error * math.sqrt(n / count) > 1:
        count += 1
    count = max(count, n + (n + 1) // 2)
    while strata <= n or 4 * strata < 3 * count:
        strata *= 2
    return min(count, strata), strata


def doubled(error, n):
    times, half = 2, error * student(degrees_of(n))
    while 4 * times < 3 * min(half ** 2, 8):
        times *= 2
    return n * times, n * times


def refine(windows, strata):
    """Halve the strata until there are so many, each old window in one of its halves."""
    while len(windows) < strata:
        windows = [part for window in windows
                   for part in random.choice(((window, None), (None, window)))]
    return windows


def add(windows, count, deviation):
    """So many more, evenly among the strata that have none."""
    missing = [i for i, window in enumerate(windows) if window is None]
    at = random.randrange(len(missing))
    for k, i in enumerate(missing):
        j = (at + k) % len(missing)
        if (j + 1) * count // len(missing) > j * count // len(missing):
            windows[i] = random.gauss(0, deviation)


def stopped(first, deviation, again):
    """again 0: by doubling."""
    windows, factor = [random.gauss(0, deviation) for _ in range(first)], 1
    while True:
        mean, error, n = estimate(windows)
        half = factor * student(degrees_of(n)) * error
        if half <= 1:
            return abs(mean) <= half, n
        count, strata = wanted(error, n, len(windows), again) if again else doubled(error, n)
        if count > MOST:
            return True, n  # simulated whole
        windows = refine(windows, strata)
        add(windows, count - n, deviation)
        factor = again or 1


def main():
    random.seed(1)
    print("windows degrees t held_percent t_of_95_percent")
    for n in (*range(2, 17), 32, 64):
        factor = student(degrees_of(n))
        exact = bisect(1.9, 13, lambda x, n=n: held(n, x) > 0.95)
        print(f"{n} {degrees_of(n):.3f} {factor:.3f} {100 * held(n, factor):.2f} {exact:.3f}")
    print("first_windows deviation, then held_percent and windows:"
          f" as wanted with {AGAIN}, with 1, doubled")
    for first in (4, 8):
        for deviation in (0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3):
            print(first, deviation, end="")
            for again in (AGAIN, 1, 0):
                draws = [stopped(first, deviation, again) for _ in range(DRAWS)]
                print(f"  {100 * sum(d[0] for d in draws) / DRAWS:.1f}",
                      f"{sum(d[1] for d in draws) / DRAWS:.1f}", end="")
            print()


if __name__ == "__main__":
    main()
