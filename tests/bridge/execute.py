"""Inputs and verdicts of test_execute_time.sh.

execute.py graph DIR          a graph, its first distances, a queue with vertex 0, and
                              expected.bin: the distances
execute.py turns FILE GROUPS N  order.bin has every group N times: prints "ok"
execute.py tickets FILE       ... and in which order: prints the number of changes
execute.py tasks WHO DONE     each task once: prints how many groups worked
execute.py ticks FILE         the median of the second half
"""
import collections
import random
import struct
import sys


def words(path):
    with open(path, "rb") as f:
        data = f.read()
    return struct.unpack("<%dI" % (len(data) // 4), data)


def write(path, numbers):
    with open(path, "wb") as f:
        f.write(struct.pack("<%dI" % len(numbers), *numbers))


def graph(folder, n=600, more=900):
    """A connected graph with long ways in it."""
    rng = random.Random(7)
    near = [set() for _ in range(n)]
    for v in range(1, n):
        u = rng.randrange(max(0, v - 40), v)
        near[u].add(v), near[v].add(u)
    for _ in range(more):
        a = rng.randrange(n)
        b = min(n - 1, max(0, a + rng.randrange(-30, 31)))
        if a != b:
            near[a].add(b), near[b].add(a)
    first, edges = [0], []
    for v in range(n):
        edges += sorted(near[v])
        first.append(len(edges))
    write(folder + "/first.bin", first)
    write(folder + "/edge.bin", edges)
    write(folder + "/dist.bin", [0] + [0xFFFFFFFF] * (n - 1))
    write(folder + "/queue.bin", [1] + [0] * 65535)
    write(folder + "/count.bin", [1] + [0] * 31 + [1] + [0] * 15)
    dist, queue = {0: 0}, collections.deque([0])
    while queue:
        v = queue.popleft()
        for w in near[v]:
            if w not in dist:
                dist[w] = dist[v] + 1
                queue.append(w)
    write(folder + "/expected.bin", [dist[v] for v in range(n)])


def main(what, *args):
    if what == "graph":
        graph(args[0])
    elif what == "turns":
        count = collections.Counter(words(args[0]))
        good = count == {g: int(args[2]) for g in range(int(args[1]))}
        print("ok" if good else "not once for each turn: %s" % count.most_common(3))
    elif what == "tickets":
        order = words(args[0])
        print(sum(a != b for a, b in zip(order, order[1:])))
    elif what == "tasks":
        who, done = words(args[0]), words(args[1])
        print(len(set(who)) if set(done) == {1} else "some not once")
    elif what == "ticks":
        ticks = sorted(words(args[0])[::2][len(words(args[0])) // 4:])
        print(ticks[len(ticks) // 2])


main(*sys.argv[1:])
