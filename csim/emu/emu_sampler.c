/* emu_sampler.c - reading an image through a sampler: OpenCL 1.2, section 8.2. */
#include <math.h>
#include <string.h>

#include "csim/tex/place.h"
#include "emu_texel.h"
#include "igpu/isa.h"

#define EACH_LANE(i) for (uint32_t i = 0; i < TEXEL_LANES; i++)

/* One coordinate's texels: the nearest, or two and the weight of the second. -1 is
 * the border. */
struct axis {
    int32_t at[2][TEXEL_LANES];
    float weight[TEXEL_LANES];
};

static const uint8_t wraps[] = {[SAMPLER_NONE] = TEX_CLAMP,
                                [SAMPLER_CLAMP] = TEX_CLAMP_BORDER,
                                [SAMPLER_CLAMP_TO_EDGE] = TEX_CLAMP,
                                [SAMPLER_REPEAT] = TEX_WRAP,
                                [SAMPLER_MIRRORED_REPEAT] = TEX_MIRROR};

static void find_axis(const struct emu_sampler *s, bool linear, const float *c,
                      uint32_t size, struct axis *axis)
{
    double scale = s->normalized ? (double)size : 1.0;

    EACH_LANE(i)
    tex_low((double)c[i] * scale, linear, &axis->at[0][i], &axis->weight[i]);
    EACH_LANE(i)
    {
        int32_t low = axis->at[0][i];

        axis->at[0][i] = tex_wrap(wraps[s->address], low, (int32_t)size);
        axis->at[1][i] = tex_wrap(wraps[s->address], low + 1, (int32_t)size);
    }
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
    double sum[4][TEXEL_LANES] = {{0}};
    float weight[TEXEL_LANES];
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
            EACH_LANE(i)
            sum[c][i] += weight[i] == 0 ? 0 : (double)weight[i] * (double)part[i];
        }
    }
    for (uint32_t c = 0; c < 4; c++)
        EACH_LANE(i)
        {
            float mean = (float)sum[c][i];

            memcpy(&rgba[c][i], &mean, sizeof(mean));
        }
    flush_denormals(v, rgba);
    return seen;
}

/* The layer nearest to c, ties to even. */
static void find_layer(const float *c, uint32_t size, int32_t *at)
{
    EACH_LANE(i)
    {
        float weight;

        tex_low((double)rintf(c[i]), false, &at[i], &weight);
        at[i] = tex_wrap(TEX_CLAMP, at[i], (int32_t)size);
    }
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
