/* emu_sampler.c - reading an image through a sampler: OpenCL 1.2, section 8.2, in
 * single precision. Weights are exact, where hardware keeps 8 bits of a fraction. */
#include "igpu/image.h"

#include <math.h>
#include <string.h>

/* One coordinate's texels: the nearest, or two and the weight of the second. -1 is
 * the border. */
struct axis {
    int32_t at[2];
    float weight;
};

/* Far outside of every image, and still an int32_t. */
static int32_t to_int(float x)
{
    const float far = 1.0e8f;

    if (x != x)
        return 0;
    return (int32_t)(x > far ? far : x < -far ? -far : x);
}

static int32_t inside_edge(int32_t i, int32_t size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static int32_t wrap(int32_t i, int32_t size, uint8_t address)
{
    switch (address) {
    case SAMPLER_CLAMP:
        return i < 0 || i >= size ? -1 : i;
    case SAMPLER_REPEAT: /* one off at most */
        return inside_edge(i < 0 ? i + size : i >= size ? i - size : i, size);
    default:
        return inside_edge(i, size);
    }
}

/* The coordinate in texels, brought near the image by the repeating modes. */
static float in_texels(const struct emu_sampler *s, float c, float size)
{
    if (s->address == SAMPLER_REPEAT || s->address == SAMPLER_MIRRORED_REPEAT) {
        if (!s->normalized)
            c /= size;
        c = s->address == SAMPLER_REPEAT ? c - floorf(c)
                                         : fabsf(c - 2.0f * rintf(0.5f * c));
        return c * size;
    }
    return s->normalized ? c * size : c;
}

static void find_axis(const struct emu_sampler *s, bool linear, float c, uint32_t size,
                      struct axis *axis)
{
    float u = in_texels(s, c, (float)size), low;

    if (!linear) {
        axis->at[0] = wrap(to_int(floorf(u)), (int32_t)size, s->address);
        return;
    }
    low = floorf(u - 0.5f);
    axis->weight = u - 0.5f - low;
    axis->at[0] = wrap(to_int(low), (int32_t)size, s->address);
    axis->at[1] = wrap(to_int(low) + 1, (int32_t)size, s->address);
}

static void fetch(const struct emu_image *image, const uint8_t *host,
                  const int32_t at[3], uint32_t rgba[4], uint64_t *texel)
{
    uint32_t x = (uint32_t)at[0], y = (uint32_t)at[1], z = (uint32_t)at[2];

    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        image_border(image->order, image->type, rgba);
        return;
    }
    image_unpack(image->order, image->type, host + image_offset(image, x, y, z), rgba);
    if (texel != NULL && *texel == UINT64_MAX)
        *texel = image->va + image_tiled_offset(image, x, y, z);
}

/* Sum of the corners, each times its weights. */
static void filter(const struct emu_image *image, const uint8_t *host, uint32_t dims,
                   const struct axis axis[3], uint32_t rgba[4], uint64_t *texel)
{
    float sum[4] = {0};

    for (uint32_t corner = 0; corner < 1u << dims; corner++) {
        int32_t at[3] = {axis[0].at[0], axis[1].at[0], axis[2].at[0]};
        float weight = 1.0f;
        uint32_t value[4];

        for (uint32_t d = 0; d < dims; d++) {
            at[d] = axis[d].at[corner >> d & 1];
            weight *= corner >> d & 1 ? axis[d].weight : 1.0f - axis[d].weight;
        }
        fetch(image, host, at, value, texel);
        for (uint32_t c = 0; c < 4; c++) {
            float part;

            memcpy(&part, &value[c], sizeof(part));
            sum[c] += weight * part;
        }
    }
    memcpy(rgba, sum, sizeof(sum));
}

static int32_t layer(float c, uint32_t size)
{
    return inside_edge(to_int(rintf(c)), (int32_t)size);
}

void image_sample(const struct emu_image *image, const uint8_t *host,
                  const struct emu_sampler *sampler, const float coordinate[3],
                  uint32_t rgba[4], uint64_t *texel)
{
    const uint32_t size[3] = {image->width, image->height, image->depth};
    uint32_t dims = image_dims(image->kind);
    bool integer = image->type >= IMAGE_SINT8 && image->type <= IMAGE_UINT32;
    bool linear = sampler->linear && !integer;
    struct axis axis[3] = {{{0, 0}, 0.0f}, {{0, 0}, 0.0f}, {{0, 0}, 0.0f}};

    if (texel != NULL)
        *texel = UINT64_MAX;
    for (uint32_t d = 0; d < dims; d++)
        find_axis(sampler, linear, coordinate[d], size[d], &axis[d]);
    if (image->kind == IMAGE_1D_ARRAY || image->kind == IMAGE_2D_ARRAY)
        axis[dims].at[0] = layer(coordinate[dims], image->array_size);
    if (linear) {
        filter(image, host, dims, axis, rgba, texel);
    } else {
        int32_t at[3] = {axis[0].at[0], axis[1].at[0], axis[2].at[0]};

        fetch(image, host, at, rgba, texel);
    }
}
