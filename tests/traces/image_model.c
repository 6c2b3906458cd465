/* image_model.c - see image_model.h. */
#include "image_model.h"

#include <math.h>
#include <string.h>

const char *model_channels(uint32_t order)
{
    switch (order) {
    case IMAGE_R:
        return "r";
    case IMAGE_A:
        return "a";
    case IMAGE_RG:
        return "rg";
    case IMAGE_RA:
        return "ra";
    case IMAGE_BGRA:
    case IMAGE_SBGRA:
        return "bgra";
    case IMAGE_ARGB:
        return "argb";
    case IMAGE_INTENSITY:
        return "i";
    case IMAGE_LUMINANCE:
        return "l";
    case IMAGE_DEPTH:
        return "r";
    default:
        return "rgba";
    }
}

bool model_is_integer(uint32_t type)
{
    return type == IMAGE_SINT8 || type == IMAGE_SINT16 || type == IMAGE_SINT32 ||
           type == IMAGE_UINT8 || type == IMAGE_UINT16 || type == IMAGE_UINT32;
}

static unsigned bytes_of(uint32_t type)
{
    switch (type) {
    case IMAGE_SNORM8:
    case IMAGE_UNORM8:
    case IMAGE_SINT8:
    case IMAGE_UINT8:
        return 1;
    case IMAGE_SINT32:
    case IMAGE_UINT32:
    case IMAGE_FLOAT:
        return 4;
    default:
        return 2;
    }
}

static double half_value(uint32_t h)
{
    double sign = h >> 15 & 1 ? -1.0 : 1.0;
    int exponent = (int)(h >> 10 & 31);
    double fraction = (double)(h & 1023) / 1024.0;

    if (exponent == 31)
        return fraction == 0.0 ? sign * INFINITY : NAN;
    return sign * (exponent == 0 ? ldexp(fraction, -14)
                                 : ldexp(1.0 + fraction, exponent - 15));
}

static double channel_value(uint32_t type, const uint8_t *p)
{
    unsigned bytes = bytes_of(type), bits = 8 * bytes;
    uint32_t raw = 0;
    int64_t whole;
    float single;

    for (unsigned i = 0; i < bytes; i++)
        raw |= (uint32_t)p[i] << (8 * i);
    whole = raw >> (bits - 1) & 1 ? (int64_t)raw - ((int64_t)1 << bits) : (int64_t)raw;
    switch (type) {
    case IMAGE_UNORM8:
    case IMAGE_UNORM16:
        return (double)raw / (bytes == 1 ? 255.0 : 65535.0);
    case IMAGE_SNORM8:
    case IMAGE_SNORM16:
        return fmax(-1.0, (double)whole / (bytes == 1 ? 127.0 : 32767.0));
    case IMAGE_SINT8:
    case IMAGE_SINT16:
    case IMAGE_SINT32:
        return (double)whole;
    case IMAGE_HALF:
        return half_value(raw);
    case IMAGE_FLOAT:
        memcpy(&single, &raw, 4);
        return single;
    default:
        return (double)raw;
    }
}

static double linear_of_srgb(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

void model_texel(const struct emu_image *image, const uint8_t *memory, long x, long y,
                 long z, double rgba[4])
{
    const char *channels = model_channels(image->order);
    size_t count = strlen(channels), bytes = bytes_of(image->type);
    bool layered = image->kind == IMAGE_1D_ARRAY;
    const uint8_t *p = memory + (size_t)x * count * bytes;

    p += (size_t)(layered ? y : z) * image->slice_pitch;
    p += layered ? 0 : (size_t)y * image->row_pitch;
    rgba[0] = rgba[1] = rgba[2] = 0.0;
    rgba[3] = 1.0;
    for (size_t i = 0; i < count; i++) {
        double value = channel_value(image->type, p + i * bytes);
        const char *at = strchr("rgba", channels[i]);

        if (image->order >= IMAGE_SRGBA && channels[i] != 'a')
            value = linear_of_srgb(value);
        if (at != NULL)
            rgba[at - "rgba"] = value;
        for (unsigned c = 0; at == NULL && c < (channels[i] == 'i' ? 4u : 3u); c++)
            rgba[c] = value;
    }
}

/* The texel or, outside, the border colour. */
static void texel_or_border(const struct emu_image *image, const uint8_t *memory,
                            const long at[3], const long size[3], double rgba[4])
{
    const char *channels = model_channels(image->order);

    if (at[0] >= 0 && at[0] < size[0] && at[1] >= 0 && at[1] < size[1] && at[2] >= 0 &&
        at[2] < size[2]) {
        model_texel(image, memory, at[0], at[1], at[2], rgba);
        return;
    }
    rgba[0] = rgba[1] = rgba[2] = 0.0;
    rgba[3] = strchr(channels, 'a') != NULL || channels[0] == 'i' ? 0.0 : 1.0;
}

static double place(const struct emu_sampler *s, double c, double size)
{
    if (!s->normalized)
        return c;
    if (s->address == SAMPLER_REPEAT)
        return (c - floor(c)) * size;
    if (s->address == SAMPLER_MIRRORED_REPEAT)
        return fabs(c - 2.0 * rint(0.5 * c)) * size;
    return c * size;
}

static long wrapped(const struct emu_sampler *s, long i, long size)
{
    switch (s->address) {
    case SAMPLER_CLAMP:
        return i < 0 || i >= size ? -1 : i;
    case SAMPLER_REPEAT:
        return (i + size) % size;
    default:
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    }
}

static bool near_whole(double x)
{
    return fabs(x - rint(x)) < 1e-4;
}

bool model_read(const struct emu_image *image, const uint8_t *memory,
                const struct emu_sampler *sampler, const float coordinate[4],
                double rgba[4])
{
    bool array = image->kind == IMAGE_1D_ARRAY || image->kind == IMAGE_2D_ARRAY;
    unsigned dims = image->kind == IMAGE_3D                                    ? 3
                    : image->kind == IMAGE_2D || image->kind == IMAGE_2D_ARRAY ? 2
                                                                               : 1;
    long size[3] = {(long)image->width, dims > 1 ? (long)image->height : 1,
                    dims > 2 ? (long)image->depth : 1};
    long low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    double part[3] = {0.0, 0.0, 0.0};

    for (unsigned d = 0; d < dims; d++) {
        double u = place(sampler, coordinate[d], (double)size[d]);

        if (!sampler->linear && sampler->normalized && near_whole(u))
            return false;
        if (sampler->linear) /* weights have 8 bits */
            u = rint((u - 0.5) * 256.0) / 256.0;
        low[d] = (long)floor(u);
        part[d] = sampler->linear ? u - (double)low[d] : 0.0;
        high[d] = wrapped(sampler, low[d] + 1, size[d]);
        low[d] = wrapped(sampler, low[d], size[d]);
    }
    if (array) {
        double layers = (double)image->array_size;

        if (near_whole(coordinate[dims] + 0.5))
            return false;
        low[dims] = (long)fmin(fmax(rint(coordinate[dims]), 0.0), layers - 1.0);
        size[dims] = (long)image->array_size;
    }
    memset(rgba, 0, 4 * sizeof(*rgba));
    for (unsigned corner = 0; corner < 8; corner++) {
        long at[3];
        double weight = 1.0, value[4];

        for (unsigned d = 0; d < 3; d++) {
            at[d] = corner >> d & 1 ? high[d] : low[d];
            weight *= corner >> d & 1 ? part[d] : 1.0 - part[d];
        }
        if (weight == 0.0)
            continue;
        texel_or_border(image, memory, at, size, value);
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += weight * value[c];
    }
    return true;
}

/* Nearest half, ties to even, of a finite value in range. */
static uint32_t half_of(double value)
{
    uint32_t best = 0;
    double least = INFINITY;

    for (uint32_t h = 0; h < 0x7C00; h++) {
        double off = fabs(half_value(h) - fabs(value));

        if (off < least || (off == least && h % 2 == 0)) {
            best = h;
            least = off;
        }
    }
    return best | (signbit(value) ? 0x8000u : 0u);
}

static double limited(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

uint32_t model_store(uint32_t order, char channel, uint32_t type, double value)
{
    float single = (float)value;
    uint32_t bits;

    if (order >= IMAGE_SRGBA && channel != 'a') {
        value = limited(value, 0.0, 1.0);
        value = value < 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
    }
    switch (type) {
    case IMAGE_UNORM8:
        return (uint32_t)rint(limited(value * 255.0, 0.0, 255.0));
    case IMAGE_UNORM16:
        return (uint32_t)rint(limited(value * 65535.0, 0.0, 65535.0));
    case IMAGE_SNORM8:
        return (uint32_t)(int32_t)rint(limited(value * 127.0, -127.0, 127.0)) & 0xFF;
    case IMAGE_SNORM16:
        return (uint32_t)(int32_t)rint(limited(value * 32767.0, -32767.0, 32767.0)) &
               0xFFFF;
    case IMAGE_SINT8:
        return (uint32_t)(int32_t)limited(value, -128.0, 127.0) & 0xFF;
    case IMAGE_SINT16:
        return (uint32_t)(int32_t)limited(value, -32768.0, 32767.0) & 0xFFFF;
    case IMAGE_UINT8:
        return (uint32_t)limited(value, 0.0, 255.0);
    case IMAGE_UINT16:
        return (uint32_t)limited(value, 0.0, 65535.0);
    case IMAGE_SINT32:
        return (uint32_t)(int32_t)value;
    case IMAGE_UINT32:
        return (uint32_t)value;
    case IMAGE_HALF:
        return half_of(value);
    default:
        memcpy(&bits, &single, 4);
        return bits;
    }
}
