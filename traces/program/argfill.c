/* argfill.c - initial content of buffers; see argspec.h and, for the exact
 * definition of each initialiser, traces/kernels/README.md. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "argspec.h"
#include "half.h"
#include "igpu/hash.h"

/* Uniform in 0 .. bound - 1 for bound <= 2^32, by multiplication. */
static uint64_t random_below(uint64_t *state, uint64_t bound)
{
    return ((igpu_splitmix(state) >> 32) * bound) >> 32;
}

/* Little-endian, `width` bytes; stops at the buffer's end. */
static void value_put(uint8_t *mem, uint64_t bytes, uint64_t at, unsigned width,
                      uint64_t value)
{
    for (unsigned i = 0; i < width && at + i < bytes; i++)
        mem[at + i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get64(const uint8_t *mem)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)mem[i] << (8 * i);
    return value;
}

static void fill_words(const struct argspec *spec, uint8_t *mem)
{
    uint64_t state = spec->seed;
    uint32_t value = spec->init == ARGSPEC_PREFIX ? 0 : spec->first;
    uint64_t span = (uint64_t)(spec->high - spec->low) + 1;

    for (uint64_t at = 0; at < spec->bytes; at += 4) {
        if (spec->init == ARGSPEC_RANDI32)
            value =
                (uint32_t)((int64_t)spec->low + (int64_t)random_below(&state, span));
        value_put(mem, spec->bytes, at, 4, value);
        if (spec->init == ARGSPEC_IOTA)
            value++;
        else if (spec->init == ARGSPEC_RAMP)
            value += spec->step;
        else if (spec->init == ARGSPEC_PREFIX)
            value += (uint32_t)((uint64_t)spec->low + random_below(&state, span));
    }
}

static void fill_random(const struct argspec *spec, uint8_t *mem)
{
    uint64_t state = spec->seed;

    for (uint64_t at = 0; at < spec->bytes; at += 8)
        value_put(mem, spec->bytes, at, 8, igpu_splitmix(&state));
}

/* One draw a number: 53 bits scaled to [0, 1), then low + (high - low) * u in
 * double precision, then rounded to the type. */
static void fill_reals(const struct argspec *spec, uint8_t *mem)
{
    unsigned width = spec->init == ARGSPEC_RANDF16   ? 2
                     : spec->init == ARGSPEC_RANDF32 ? 4
                                                     : 8;
    uint64_t state = spec->seed;

    for (uint64_t at = 0; at < spec->bytes; at += width) {
        double unit = (double)(igpu_splitmix(&state) >> 11) * 0x1p-53;
        double value = (spec->high - spec->low) * unit;
        float single;
        uint64_t bits = 0;

        value += spec->low;
        single = (float)value;
        if (width == 2)
            bits = half_from_double(value);
        else if (width == 4)
            memcpy(&bits, &single, 4);
        else
            memcpy(&bits, &value, 8);
        value_put(mem, spec->bytes, at, width, bits);
    }
}

/* Sattolo's shuffle makes a permutation that is one cycle. It runs in place:
 * the first 8 bytes of each line hold its successor's number until the cycle is
 * whole, then the form the kernel reads. */
static void fill_chase(const struct argspec *spec, uint8_t *mem)
{
    uint64_t state = spec->seed;
    uint64_t lines = spec->bytes / ARGSPEC_LINE / spec->regions;
    uint64_t scale = spec->init == ARGSPEC_CHASEIDX ? ARGSPEC_LINE / 4 : ARGSPEC_LINE;

    memset(mem, 0, spec->bytes);
    for (uint64_t r = 0; r < spec->regions; r++) {
        uint8_t *region = mem + r * lines * ARGSPEC_LINE;

        for (uint64_t i = 0; i < lines; i++)
            value_put(region + i * ARGSPEC_LINE, 8, 0, 8, i);
        for (uint64_t i = lines - 1; i > 0; i--) {
            uint8_t *a = region + i * ARGSPEC_LINE;
            uint8_t *b = region + random_below(&state, i) * ARGSPEC_LINE;
            uint64_t swap = get64(a);

            value_put(a, 8, 0, 8, get64(b));
            value_put(b, 8, 0, 8, swap);
        }
        for (uint64_t i = 0; i < lines; i++) {
            uint8_t *line = region + i * ARGSPEC_LINE;

            value_put(line, 8, 0, 8, (get64(line) + r * lines) * scale);
        }
    }
}

static enum igpu_status fill_file(const struct argspec *spec, uint8_t *mem,
                                  struct igpu_err *err)
{
    FILE *file = fopen(spec->path, "rb");
    size_t got;
    bool more, failed;

    if (file == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot open: %s", spec->path,
                         strerror(errno));
    got = fread(mem, 1, spec->bytes, file);
    more = got == spec->bytes && fgetc(file) != EOF;
    failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot read byte %zu", spec->path,
                         got);
    if (got != spec->bytes || more)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: holds %s bytes than the buffer's %llu; give "
                         "buf:BYTES the file's size",
                         spec->path, more ? "more" : "fewer",
                         (unsigned long long)spec->bytes);
    return IGPU_OK;
}

enum igpu_status argspec_fill(const struct argspec *spec, void *mem,
                              struct igpu_err *err)
{
    switch (spec->init) {
    case ARGSPEC_ZERO:
        memset(mem, 0, spec->bytes);
        break;
    case ARGSPEC_IOTA:
    case ARGSPEC_FILL:
    case ARGSPEC_RAMP:
    case ARGSPEC_RANDI32:
    case ARGSPEC_PREFIX:
        fill_words(spec, mem);
        break;
    case ARGSPEC_RAND:
        fill_random(spec, mem);
        break;
    case ARGSPEC_RANDF16:
    case ARGSPEC_RANDF32:
    case ARGSPEC_RANDF64:
        fill_reals(spec, mem);
        break;
    case ARGSPEC_CHASE:
    case ARGSPEC_CHASEIDX:
    case ARGSPEC_CHASE64:
        fill_chase(spec, mem);
        break;
    case ARGSPEC_FILE:
        return fill_file(spec, mem, err);
    }
    return IGPU_OK;
}
