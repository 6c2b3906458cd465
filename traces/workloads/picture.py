"""picture.py FILE.ppm - a picture of 240x180 for programs to work on."""
import sys

WIDTH, HEIGHT = 240, 180
with open(sys.argv[1], "wb") as out:
    # GEGL wants the size in a line of its own.
    out.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT))
    out.write(bytes((x * y * (c + 1) // 37 + 40 * (x // 30)) % 256
                    for y in range(HEIGHT) for x in range(WIDTH) for c in range(3)))
