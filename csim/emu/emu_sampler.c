/* emu_sampler.c - reading an image through a sampler: OpenCL 1.2, section 8.2, in
 * single precision. Weights are exact, where hardware keeps 8 bits of a fraction. */
#include <math.h>
#include <string.h>

#include "emu_texel.h"
#include "igpu/isa.h"

#define EACH_LANE(i) for (uint32_t i = 0; i < TEXEL_LANES; i++)

/* One coordinate's texels: the nearest, or two and the weight of the second. -1 is
 * the border. */
struct axis {
    int32_t at[2][TEXEL_LANES];
    float weight[TEXEL_LANES];
};

/* The integer at or below x; far outside of every image, and still an int32_t, for
 * what is too large; 0 for NaN. */
INLINE int32_t floor_int(float x)
{
    const float far = 1.0e8f;
    int32_t i;

    x = x != x ? 0.0f : x;
    x = x > far ? far : x;
    x = x < -far ? -far : x;
    i = (int32_t)x;
    return i - ((float)i > x);
}

INLINE int32_t inside_edge(int32_t i, int32_t size)
{
    i = i >= size ? size - 1 : i;
    return i < 0 ? 0 : i;
}

static void wrap(int32_t *restrict at, int32_t size, uint8_t address)
{
    if (address == SAMPLER_CLAMP) {
        EACH_LANE(i) at[i] = at[i] >= size || at[i] < 0 ? -1 : at[i];
        return;
    }
    if (address == SAMPLER_REPEAT) { /* one off at most */
        EACH_LANE(i) at[i] += at[i] < 0 ? size : at[i] >= size ? -size : 0;
    }
    EACH_LANE(i) at[i] = inside_edge(at[i], size);
}

/* The coordinates in texels, brought near the image by the repeating modes. */
static void in_texels(const struct emu_sampler *s, const float *restrict c, float size,
                      float *restrict u)
{
    bool repeat = s->address == SAMPLER_REPEAT;

    if (!repeat && s->address != SAMPLER_MIRRORED_REPEAT) {
        float scale = s->normalized ? size : 1.0f;

        EACH_LANE(i) u[i] = c[i] * scale;
        return;
    }
    EACH_LANE(i)
    {
        float x = s->normalized ? c[i] : c[i] / size;

        x = repeat ? x - floorf(x) : fabsf(x - 2.0f * rintf(0.5f * x));
        u[i] = x * size;
    }
}

static void find_axis(const struct emu_sampler *s, bool linear, const float *c,
                      uint32_t size, struct axis *axis)
{
    float u[TEXEL_LANES];

    in_texels(s, c, (float)size, u);
    if (!linear) {
        EACH_LANE(i) axis->at[0][i] = floor_int(u[i]);
        wrap(axis->at[0], (int32_t)size, s->address);
        return;
    }
    EACH_LANE(i)
    {
        float low = floorf(u[i] - 0.5f);

        axis->weight[i] = u[i] - 0.5f - low;
        axis->at[0][i] = floor_int(low);
        axis->at[1][i] = axis->at[0][i] + 1;
    }
    wrap(axis->at[0], (int32_t)size, s->address);
    wrap(axis->at[1], (int32_t)size, s->address);
}

/* Corner `corner` of the lanes' neighbourhoods: where it is and its weight. */
static void find_corner(const struct axis axis[3], uint32_t dims, uint32_t corner,
                        int32_t place[3][TEXEL_LANES], float *weight)
{
    EACH_LANE(i) weight[i] = 1.0f;
    for (uint32_t d = 0; d < dims; d++) {
        bool high = corner >> d & 1;

        memcpy(place[d], axis[d].at[high], sizeof(place[d]));
        EACH_LANE(i) weight[i] *= high ? axis[d].weight[i] : 1.0f - axis[d].weight[i];
    }
}

/* The sampler makes 32-bit denormals zeros of their sign; the compiler does the same by
 * hand behind ld, which keeps them. */
static void flush_denormals(const struct texel_view *v, uint32_t rgba[4][TEXEL_LANES])
{
    const uint32_t exponent = 0x7F800000, sign = 0x80000000;

    if (v->format.type != IMAGE_FLOAT)
        return;
    for (uint32_t c = 0; c < 4; c++)
        EACH_LANE(i)
        {
            if ((rgba[c][i] & exponent) == 0)
                rgba[c][i] &= sign;
        }
}

/* ---- what is recorded beside each lane's first texel --------------------- */

enum { LINE_BYTES = 64 };

static bool has_line(uint32_t mask, uint64_t line, const uint64_t *recorded)
{
    for (; mask != 0; mask &= mask - 1)
        if (recorded[__builtin_ctz(mask)] / LINE_BYTES == line)
            return true;
    return false;
}

/* The texels at own[], of the lanes `now`: a lane's first one is its own, another one's
 * line is noted once, if it has a weight and as far as there is room. Returns the lanes
 * that are on. */
static uint32_t note_texels(uint32_t seen, uint32_t now, const uint64_t *own,
                            const float *weight, uint64_t *recorded)
{
    for (uint32_t rest = now; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint32_t next = 32 - (uint32_t)__builtin_clz(seen | UINT32_C(1) << 15);
        uint64_t line = own[i] / LINE_BYTES;

        if (!(seen >> i & 1)) {
            recorded[i] = own[i];
            seen |= UINT32_C(1) << i;
        } else if (weight[i] != 0 && next < ISA_TEXEL_SAMPLES &&
                   !has_line(seen, line, recorded)) {
            recorded[next] = line * LINE_BYTES;
            seen |= UINT32_C(1) << next;
        }
    }
    return seen;
}

uint32_t texel_note_samples(const struct texel_view *v, bool linear, uint32_t seen,
                            uint64_t *recorded)
{
    uint32_t samples = v->format.bytes > 8 ? 4 : v->format.bytes > 4 ? 2 : 1;
    uint64_t line;

    if (linear && v->image.kind == IMAGE_3D)
        samples *= 2;
    if (recorded == NULL || seen == 0 || samples == 1)
        return seen;
    line = recorded[__builtin_ctz(seen)] / LINE_BYTES;
    recorded[ISA_TEXEL_SAMPLES] = line * LINE_BYTES + samples;
    return seen | UINT32_C(1) << ISA_TEXEL_SAMPLES;
}

/* ---- filters ------------------------------------------------------------ */

/* Sum of the corners, each times its weights. */
static uint32_t filter(const struct texel_view *v, uint32_t dims,
                       const struct axis axis[3], int32_t place[3][TEXEL_LANES],
                       uint32_t mask, uint32_t rgba[4][TEXEL_LANES], uint64_t *recorded)
{
    float sum[4][TEXEL_LANES] = {{0}}, weight[TEXEL_LANES];
    uint32_t seen = 0;

    for (uint32_t corner = 0; corner < 1u << dims; corner++) {
        uint64_t own[TEXEL_LANES];
        uint32_t now;

        find_corner(axis, dims, corner, place, weight);
        now = texel_read(v, place, mask, rgba, recorded != NULL ? own : NULL);
        flush_denormals(v, rgba);
        seen = recorded != NULL ? note_texels(seen, now, own, weight, recorded)
                                : seen | now;
        for (uint32_t c = 0; c < 4; c++) {
            float part[TEXEL_LANES];

            memcpy(part, rgba[c], sizeof(part));
            EACH_LANE(i) sum[c][i] += weight[i] * part[i];
        }
    }
    memcpy(rgba, sum, sizeof(sum));
    flush_denormals(v, rgba);
    return seen;
}

/* The layer nearest to c. */
static void find_layer(const float *c, uint32_t size, int32_t *at)
{
    EACH_LANE(i) at[i] = inside_edge(floor_int(rintf(c[i])), (int32_t)size);
}

uint32_t texel_sample(const struct texel_view *v, const struct emu_sampler *sampler,
                      float coordinate[3][TEXEL_LANES], uint32_t mask,
                      uint32_t rgba[4][TEXEL_LANES], uint64_t *recorded)
{
    const uint32_t size[3] = {v->image.width, v->image.height, v->image.depth};
    uint32_t dims = image_dims(v->image.kind), seen;
    bool linear = sampler->linear && !v->format.integer;
    int32_t place[3][TEXEL_LANES] = {{0}};
    struct axis axis[3];

    for (uint32_t d = 0; d < dims; d++) {
        find_axis(sampler, linear, coordinate[d], size[d], &axis[d]);
        memcpy(place[d], axis[d].at[0], sizeof(place[d]));
    }
    if (v->image.kind == IMAGE_1D_ARRAY || v->image.kind == IMAGE_2D_ARRAY)
        find_layer(coordinate[dims], v->image.array_size, place[dims]);
    if (linear)
        seen = filter(v, dims, axis, place, mask, rgba, recorded);
    else
        seen = texel_read(v, place, mask, rgba, recorded);
    if (!linear)
        flush_denormals(v, rgba);
    return texel_note_samples(v, linear, seen, recorded);
}
