/* emu_image.c - image formats and layouts; see igpu/image.h.
 * Source: docs/sources.md#images. */
#include "igpu/image.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "emu_int.h"

/* ---- formats ------------------------------------------------------------ */

/* Where r g b a come from: a channel in memory, or a constant. */
enum { ZERO = 4, ONE = 5 };

struct order_rule {
    uint16_t order;
    uint8_t channels; /* in memory */
    uint8_t from[4];  /* r g b a: channel in memory, ZERO or ONE */
    uint8_t store[4]; /* channel in memory: which of r g b a */
};

static const struct order_rule orders[] = {
    {IMAGE_R, 1, {0, ZERO, ZERO, ONE}, {0}},
    {IMAGE_A, 1, {ZERO, ZERO, ZERO, 0}, {3}},
    {IMAGE_RG, 2, {0, 1, ZERO, ONE}, {0, 1}},
    {IMAGE_RA, 2, {0, ZERO, ZERO, 1}, {0, 3}},
    {IMAGE_RGBA, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {IMAGE_BGRA, 4, {2, 1, 0, 3}, {2, 1, 0, 3}},
    {IMAGE_ARGB, 4, {1, 2, 3, 0}, {3, 0, 1, 2}},
    {IMAGE_INTENSITY, 1, {0, 0, 0, 0}, {0}},
    {IMAGE_LUMINANCE, 1, {0, 0, 0, ONE}, {0}},
    {IMAGE_DEPTH, 1, {0, ZERO, ZERO, ONE}, {0}},
    {IMAGE_SRGBA, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {IMAGE_SBGRA, 4, {2, 1, 0, 3}, {2, 1, 0, 3}},
};

static const struct order_rule *find_order(uint32_t order)
{
    for (uint32_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if (orders[i].order == order)
            return &orders[i];
    return NULL;
}

static uint32_t channel_bytes(uint32_t type)
{
    switch (type) {
    case IMAGE_SNORM8:
    case IMAGE_UNORM8:
    case IMAGE_SINT8:
    case IMAGE_UINT8:
        return 1;
    case IMAGE_SNORM16:
    case IMAGE_UNORM16:
    case IMAGE_SINT16:
    case IMAGE_UINT16:
    case IMAGE_HALF:
        return 2;
    case IMAGE_SINT32:
    case IMAGE_UINT32:
    case IMAGE_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static bool is_integer(uint32_t type)
{
    return type >= IMAGE_SINT8 && type <= IMAGE_UINT32;
}

static bool is_srgb(uint32_t order)
{
    return order == IMAGE_SRGBA || order == IMAGE_SBGRA;
}

uint32_t image_texel_bytes(uint32_t order, uint32_t type)
{
    const struct order_rule *rule = find_order(order);
    uint32_t bytes = channel_bytes(type);
    bool good = rule != NULL;

    if (order == IMAGE_INTENSITY || order == IMAGE_LUMINANCE)
        good = !is_integer(type);
    else if (order == IMAGE_BGRA || order == IMAGE_ARGB)
        good = bytes == 1;
    else if (order == IMAGE_DEPTH)
        good = type == IMAGE_UNORM16 || type == IMAGE_FLOAT;
    else if (is_srgb(order))
        good = type == IMAGE_UNORM8;
    return good ? rule->channels * bytes : 0;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float bits_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint32_t unpack_channel(uint32_t type, const uint8_t *p)
{
    switch (type) {
    case IMAGE_SNORM8:
        return float_bits(fmaxf(-1.0f, (float)*(const emu_b *)p / 127.0f));
    case IMAGE_SNORM16:
        return float_bits(fmaxf(-1.0f, (float)*(const emu_w *)p / 32767.0f));
    case IMAGE_UNORM8:
        return float_bits((float)*p / 255.0f);
    case IMAGE_UNORM16:
        return float_bits((float)*(const emu_uw *)p / 65535.0f);
    case IMAGE_SINT8:
        return (uint32_t)(int32_t) * (const emu_b *)p;
    case IMAGE_SINT16:
        return (uint32_t)(int32_t) * (const emu_w *)p;
    case IMAGE_UINT8:
        return *p;
    case IMAGE_UINT16:
        return *(const emu_uw *)p;
    case IMAGE_HALF:
        return float_bits(emu_half_to_float(*(const emu_uw *)p));
    default:
        return *(const emu_ud *)p;
    }
}

/* value * scale to the nearest integer, even on a tie; NaN becomes 0. */
static int32_t to_norm(uint32_t bits, float low, float scale)
{
    float value = bits_float(bits);

    if (!(value > low))
        value = value <= low ? low : 0.0f;
    if (value > 1.0f)
        value = 1.0f;
    return (int32_t)rintf(value * scale);
}

static int32_t clamp_int(uint32_t bits, int32_t low, int32_t high)
{
    int32_t value = (int32_t)bits;

    return value < low ? low : value > high ? high : value;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void pack_channel(uint32_t type, uint32_t bits, uint8_t *p)
{
    switch (type) {
    case IMAGE_SNORM8:
        *(emu_b *)p = (int8_t)to_norm(bits, -1.0f, 127.0f);
        break;
    case IMAGE_SNORM16:
        *(emu_w *)p = (int16_t)to_norm(bits, -1.0f, 32767.0f);
        break;
    case IMAGE_UNORM8:
        *p = (uint8_t)to_norm(bits, 0.0f, 255.0f);
        break;
    case IMAGE_UNORM16:
        *(emu_uw *)p = (uint16_t)to_norm(bits, 0.0f, 65535.0f);
        break;
    case IMAGE_SINT8:
        *(emu_b *)p = (int8_t)clamp_int(bits, INT8_MIN, INT8_MAX);
        break;
    case IMAGE_SINT16:
        *(emu_w *)p = (int16_t)clamp_int(bits, INT16_MIN, INT16_MAX);
        break;
    case IMAGE_UINT8:
        *p = (uint8_t)least(bits, UINT8_MAX);
        break;
    case IMAGE_UINT16:
        *(emu_uw *)p = (uint16_t)least(bits, UINT16_MAX);
        break;
    case IMAGE_HALF:
        *(emu_uw *)p = emu_float_to_half(bits_float(bits));
        break;
    default:
        *(emu_ud *)p = bits;
        break;
    }
}

/* IEC 61966-2-1. */
static uint32_t from_srgb(uint32_t bits)
{
    double c = bits_float(bits);

    return float_bits(
        (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)));
}

static uint32_t to_srgb(uint32_t bits)
{
    double c = bits_float(bits);

    if (!(c > 0.0))
        c = 0.0;
    if (c > 1.0)
        c = 1.0;
    return float_bits(
        (float)(c < 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055));
}

static uint32_t one_of(uint32_t type)
{
    return is_integer(type) ? 1 : float_bits(1.0f);
}

void image_unpack(uint32_t order, uint32_t type, const void *texel, uint32_t rgba[4])
{
    const struct order_rule *rule = find_order(order);
    uint32_t size = channel_bytes(type), memory[6] = {0};

    for (uint32_t c = 0; c < rule->channels; c++)
        memory[c] = unpack_channel(type, (const uint8_t *)texel + c * size);
    memory[ZERO] = 0;
    memory[ONE] = one_of(type);
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = memory[rule->from[c]];
    if (is_srgb(order))
        for (uint32_t c = 0; c < 3; c++)
            rgba[c] = from_srgb(rgba[c]);
}

void image_pack(uint32_t order, uint32_t type, const uint32_t rgba[4], void *texel)
{
    const struct order_rule *rule = find_order(order);
    uint32_t size = channel_bytes(type);

    for (uint32_t c = 0; c < rule->channels; c++) {
        uint32_t value = rgba[rule->store[c]];

        if (is_srgb(order) && rule->store[c] != 3)
            value = to_srgb(value);
        pack_channel(type, value, (uint8_t *)texel + c * size);
    }
}

void image_border(uint32_t order, uint32_t type, uint32_t rgba[4])
{
    memset(rgba, 0, 4 * sizeof(*rgba));
    if (order == IMAGE_R || order == IMAGE_RG || order == IMAGE_LUMINANCE ||
        order == IMAGE_DEPTH)
        rgba[3] = one_of(type);
}

/* ---- layout ------------------------------------------------------------- */

uint32_t image_dims(uint8_t kind)
{
    return kind == IMAGE_3D ? 3 : kind == IMAGE_2D || kind == IMAGE_2D_ARRAY ? 2 : 1;
}

static enum igpu_status check_sizes(const struct emu_image *i, struct igpu_err *err)
{
    uint32_t dims = image_dims(i->kind);
    uint32_t wide = i->kind == IMAGE_1D_BUFFER ? IMAGE_MAX_BUFFER : IMAGE_MAX_SIDE;
    bool array = i->kind == IMAGE_1D_ARRAY || i->kind == IMAGE_2D_ARRAY;

    if (i->kind >= IMAGE_KIND_COUNT || i->width < 1 || i->width > wide ||
        i->height < 1 || i->height > (dims > 1 ? IMAGE_MAX_SIDE : 1u) || i->depth < 1 ||
        i->depth > (dims > 2 ? IMAGE_MAX_DEPTH : 1u) || i->array_size < 1 ||
        i->array_size > (array ? IMAGE_MAX_DEPTH : 1u))
        return igpu_fail(err, IGPU_USAGE,
                         "an image of kind %u with %" PRIu32 " x %" PRIu32 " x %" PRIu32
                         " texels, %" PRIu32 " layers; expected 1 to %" PRIu32
                         " x %d x %d, %d layers, and 1 for what the kind has not",
                         i->kind, i->width, i->height, i->depth, i->array_size, wide,
                         (int)IMAGE_MAX_SIDE, (int)IMAGE_MAX_DEPTH,
                         (int)IMAGE_MAX_DEPTH);
    return IGPU_OK;
}

enum igpu_status image_layout(struct emu_image *i, uint64_t *bytes,
                              struct igpu_err *err)
{
    uint64_t texel = image_texel_bytes(i->order, i->type), rows = i->height;
    enum igpu_status status = check_sizes(i, err);

    if (status != IGPU_OK)
        return status;
    if (texel == 0)
        return igpu_fail(err, IGPU_USAGE,
                         "an image of channel order 0x%" PRIX32 " and type 0x%" PRIX32
                         ": no such format",
                         i->order, i->type);
    if (i->row_pitch == 0)
        i->row_pitch = i->width * texel;
    if (i->slice_pitch == 0)
        i->slice_pitch = i->row_pitch * rows;
    if (i->row_pitch < i->width * texel || i->row_pitch % texel != 0 ||
        i->slice_pitch < i->row_pitch * rows || i->slice_pitch % texel != 0 ||
        i->row_pitch > UINT32_MAX || i->slice_pitch > (uint64_t)1 << 40)
        return igpu_fail(err, IGPU_USAGE,
                         "an image with pitches of %" PRIu64 " and %" PRIu64
                         " bytes; expected multiples of %" PRIu64 ", at least %" PRIu64
                         " for a row",
                         i->row_pitch, i->slice_pitch, texel, i->width * texel);
    if (bytes != NULL)
        *bytes = (uint64_t)(i->depth * i->array_size - 1) * i->slice_pitch +
                 (rows - 1) * i->row_pitch + i->width * texel;
    return IGPU_OK;
}

uint64_t image_offset(const struct emu_image *image, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t texel = image_texel_bytes(image->order, image->type);

    if (image->kind == IMAGE_1D_ARRAY)
        return y * image->slice_pitch + (uint64_t)x * texel;
    return z * image->slice_pitch + y * image->row_pitch + (uint64_t)x * texel;
}

uint64_t image_tiled_offset(const struct emu_image *image, uint32_t x, uint32_t y,
                            uint32_t z)
{
    enum { TILE_WIDTH = 128, TILE_ROWS = 32, TILE = 4096, COLUMN = 16 };
    uint32_t texel = image_texel_bytes(image->order, image->type);
    uint64_t across = (uint64_t)x * texel, wide, high;

    if (image->linear || image->height == 1)
        return image_offset(image, x, y, z);
    wide = ((uint64_t)image->width * texel + TILE_WIDTH - 1) / TILE_WIDTH;
    high = (image->height + TILE_ROWS - 1u) / TILE_ROWS;
    return ((z * high + y / TILE_ROWS) * wide + across / TILE_WIDTH) * TILE +
           across % TILE_WIDTH / COLUMN * (COLUMN * TILE_ROWS) +
           y % TILE_ROWS * COLUMN + across % COLUMN;
}

uint64_t image_footprint(const struct emu_image *image)
{
    struct emu_image copy = *image;
    uint64_t bytes = 0, tiles;

    if (image_layout(&copy, &bytes, NULL) != IGPU_OK)
        return 0;
    tiles = image_tiled_offset(&copy, copy.width - 1, copy.height - 1,
                               copy.depth * copy.array_size - 1);
    tiles = (tiles / 4096 + 1) * 4096; /* whole tiles */
    return copy.linear || copy.height == 1 || tiles < bytes ? bytes : tiles;
}
