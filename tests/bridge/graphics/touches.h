/* touches.h - which pixels a triangle touches, and which lie in it as a whole, with
 * integers alone: places are in 1/256 pixel, all sums here in 1/512. */
#ifndef TOUCHES_H
#define TOUCHES_H
#include <stdint.h>

struct place {
    int x, y;
};

/* Of which side of the line from a to b is p? 0: on it. */
static inline int side_of(struct place a, struct place b, struct place p)
{
    int64_t turn =
        (int64_t)(b.x - a.x) * (p.y - a.y) - (int64_t)(b.y - a.y) * (p.x - a.x);

    return (turn > 0) - (turn < 0);
}

static inline int between(int a, int b, int p)
{
    return (a <= p && p <= b) || (b <= p && p <= a);
}

static inline int on_segment(struct place a, struct place b, struct place p)
{
    return side_of(a, b, p) == 0 && between(a.x, b.x, p.x) && between(a.y, b.y, p.y);
}

static inline int segments_meet(struct place a, struct place b, struct place c,
                                struct place d)
{
    if (on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) ||
        on_segment(c, d, b))
        return 1;
    return side_of(a, b, c) * side_of(a, b, d) < 0 &&
           side_of(c, d, a) * side_of(c, d, b) < 0;
}

/* Its sides belong to it. */
static inline int is_in(const struct place t[3], struct place p)
{
    int left = 0, right = 0;

    if (side_of(t[0], t[1], t[2]) == 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        left |= side_of(t[k], t[(k + 1) % 3], p) > 0;
        right |= side_of(t[k], t[(k + 1) % 3], p) < 0;
    }
    return !(left && right);
}

/* The corners of pixel x, y, one after the other around it. */
static inline void corners_of(int x, int y, struct place corner[4])
{
    for (int k = 0; k < 4; k++)
        corner[k] = (struct place){512 * x + (k == 1 || k == 2 ? 513 : -1),
                                   512 * y + (k >= 2 ? 513 : -1)};
}

static inline int touches(const struct place v[3], int x, int y)
{
    struct place corner[4], t[3];

    corners_of(x, y, corner);
    for (int k = 0; k < 3; k++) {
        t[k] = (struct place){2 * v[k].x, 2 * v[k].y};
        if (between(corner[0].x, corner[2].x, t[k].x) &&
            between(corner[0].y, corner[2].y, t[k].y))
            return 1;
    }
    for (int k = 0; k < 4; k++) {
        if (is_in(t, corner[k]))
            return 1;
        for (int i = 0; i < 3; i++)
            if (segments_meet(t[i], t[(i + 1) % 3], corner[k], corner[(k + 1) % 4]))
                return 1;
    }
    return 0;
}

static inline int encloses(const struct place v[3], int x, int y)
{
    struct place corner[4], t[3];

    corners_of(x, y, corner);
    for (int k = 0; k < 3; k++)
        t[k] = (struct place){2 * v[k].x, 2 * v[k].y};
    return is_in(t, corner[0]) && is_in(t, corner[1]) && is_in(t, corner[2]) &&
           is_in(t, corner[3]);
}

#endif
