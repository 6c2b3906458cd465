/* picture.h - pictures as PNG files, and how far two are apart. */
#ifndef BRIDGE_IGPU_PICTURE_H
#define BRIDGE_IGPU_PICTURE_H
#include <stdint.h>

#include "igpu/err.h"

/* 8-bit r g b a, rows from the top, malloc'ed. */
struct picture {
    uint32_t width, height;
    uint8_t *rgba;
};

/* IGPU_BAD_INPUT: no PNG, or damaged, or more than 2^28 pixels. */
enum igpu_status picture_read(const char *path, struct picture *p,
                              struct igpu_err *err);
/* Without the alpha channel. IGPU_USAGE, IGPU_SIM_ERROR as of igpu/output.h. */
enum igpu_status picture_write(const char *path, const struct picture *p,
                               struct igpu_err *err);

enum { PICTURE_NEAR = 3 }; /* of 255: the same, for all but rounding */
struct picture_distance {
    uint64_t pixels, same, near; /* near: no channel further apart than PICTURE_NEAR */
    uint32_t worst;
};

/* Of r, g and b; alpha is not shown. Both have one size. */
struct picture_distance picture_compare(const struct picture *a,
                                        const struct picture *b);
/* *out: |a - b| times 8, opaque. IGPU_SIM_ERROR: memory is short. */
enum igpu_status picture_difference(const struct picture *a, const struct picture *b,
                                    struct picture *out, struct igpu_err *err);

#endif
