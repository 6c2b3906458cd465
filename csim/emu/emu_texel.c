/* emu_texel.c - image formats: texels to and from r g b a, for all lanes of a message.
 * Source: docs/develop/sources.md#images. */
#include "emu_texel.h"

#include <string.h>

#include "csim/tex/tex.h"
#include "emu_int.h"

#define EACH_LANE(i) for (uint32_t i = 0; i < TEXEL_LANES; i++)

/* ---- formats ------------------------------------------------------------ */

struct order_rule {
    uint16_t order;
    uint8_t channels;
    uint8_t from[4], store[4]; /* as in struct texel_format */
};

enum { ZERO = TEXEL_ZERO, ONE = TEXEL_ONE };

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

static bool is_allowed(uint32_t order, uint32_t type, uint32_t size)
{
    if (order == IMAGE_INTENSITY || order == IMAGE_LUMINANCE)
        return !is_integer(type);
    if (order == IMAGE_BGRA || order == IMAGE_ARGB)
        return size == 1;
    if (order == IMAGE_DEPTH)
        return type == IMAGE_UNORM16 || type == IMAGE_FLOAT;
    return !is_srgb(order) || type == IMAGE_UNORM8;
}

bool texel_format(uint32_t order, uint32_t type, struct texel_format *f)
{
    const struct order_rule *rule = find_order(order);
    uint32_t size = channel_bytes(type);

    if (rule == NULL || size == 0 || !is_allowed(order, type, size))
        return false;
    f->type = (uint16_t)type;
    f->srgb = is_srgb(order);
    f->integer = is_integer(type);
    f->channels = rule->channels;
    f->size = (uint8_t)size;
    f->bytes = (uint8_t)(rule->channels * size);
    memcpy(f->from, rule->from, sizeof(f->from));
    memcpy(f->store, rule->store, sizeof(f->store));
    return true;
}

uint32_t image_texel_bytes(uint32_t order, uint32_t type)
{
    struct texel_format format;

    return texel_format(order, type, &format) ? format.bytes : 0;
}

/* ---- one channel of one texel: the bits in memory and the word of r g b a -------- */

static float least_minus_1(float value)
{
    return value < -1.0f ? -1.0f : value;
}

INLINE uint32_t from_memory(uint32_t type, uint32_t raw)
{
    switch (type) {
    case IMAGE_SNORM8:
        return tex_bits(least_minus_1((float)(int8_t)raw / 127.0f));
    case IMAGE_SNORM16:
        return tex_bits(least_minus_1((float)(int16_t)raw / 32767.0f));
    case IMAGE_UNORM8:
        return tex_bits((float)(int32_t)raw / 255.0f);
    case IMAGE_UNORM16:
        return tex_bits((float)(int32_t)raw / 65535.0f);
    case IMAGE_SINT8:
        return (uint32_t)(int8_t)raw;
    case IMAGE_SINT16:
        return (uint32_t)(int16_t)raw;
    case IMAGE_HALF:
        return tex_bits(igpu_half_to_float((uint16_t)raw));
    default:
        return raw;
    }
}

/* A float clamped to -1 (0 unless it has a sign) to 1, times scale, to the nearest
 * integer, even on a tie; NaN becomes 0. In integers but for the last step, in which
 * adding 1.5 * 2^23 leaves no bits behind the point: so it becomes vector code. */
INLINE uint32_t to_norm(uint32_t bits, bool has_sign, float scale)
{
    const int32_t one = 0x3F800000, infinite = 0x7F800000;
    const float round = 0x1.8p23f;
    int32_t size = (int32_t)(bits & INT32_MAX), sign = (int32_t)(bits & 0x80000000);

    size &= -(int32_t)(size <= infinite);
    size = size < one ? size : one;
    if (!has_sign) {
        size &= -(int32_t)(sign == 0);
        sign = 0;
    }
    return (uint32_t)(int32_t)(tex_float((uint32_t)(size | sign)) * scale + round -
                               round);
}

INLINE uint32_t clamp_int(uint32_t bits, int32_t low, int32_t high)
{
    int32_t value = (int32_t)bits;

    return (uint32_t)(value < low ? low : value > high ? high : value);
}

INLINE uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

INLINE uint32_t to_memory(uint32_t type, uint32_t bits)
{
    switch (type) {
    case IMAGE_SNORM8:
        return to_norm(bits, true, 127.0f);
    case IMAGE_SNORM16:
        return to_norm(bits, true, 32767.0f);
    case IMAGE_UNORM8:
        return to_norm(bits, false, 255.0f);
    case IMAGE_UNORM16:
        return to_norm(bits, false, 65535.0f);
    case IMAGE_SINT8:
        return clamp_int(bits, INT8_MIN, INT8_MAX);
    case IMAGE_SINT16:
        return clamp_int(bits, INT16_MIN, INT16_MAX);
    case IMAGE_UINT8:
        return least(bits, UINT8_MAX);
    case IMAGE_UINT16:
        return least(bits, UINT16_MAX);
    case IMAGE_HALF:
        return igpu_float_to_half(tex_float(bits));
    default:
        return bits;
    }
}

static uint32_t from_srgb(uint32_t bits)
{
    return tex_bits(tex_from_srgb(tex_float(bits)));
}

static uint32_t to_srgb(uint32_t bits)
{
    return tex_bits(tex_to_srgb(tex_float(bits)));
}

static uint32_t one_of(bool integer)
{
    return integer ? 1 : tex_bits(1.0f);
}

/* ---- all lanes ---------------------------------------------------------- */

/* The type's loop over all lanes, for which the compiler knows the type. */
#define CONVERT_CASE(id, number, word)                                                 \
    case IMAGE_##id:                                                                   \
        EACH_LANE(i) out[i] = CONVERT(IMAGE_##id, in[i]);                              \
        break;

static void lanes_from_memory(uint32_t type, const uint32_t *restrict in,
                              uint32_t *restrict out)
{
#define CONVERT from_memory
    switch (type) {
        IMAGE_TYPES(CONVERT_CASE)
    default:
        break;
    }
#undef CONVERT
}

static void lanes_to_memory(uint32_t type, const uint32_t *restrict in,
                            uint32_t *restrict out)
{
#define CONVERT to_memory
    switch (type) {
        IMAGE_TYPES(CONVERT_CASE)
    default:
        break;
    }
#undef CONVERT
}

static void fill_lanes(uint32_t *lanes, uint32_t value)
{
    EACH_LANE(i)
    {
        lanes[i] = value;
    }
}

static void map_lanes(uint32_t (*convert)(uint32_t bits), uint32_t mask,
                      uint32_t *lanes)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);

        lanes[i] = convert(lanes[i]);
    }
}

/* Channel c of the texels, `size` bytes each. */
static void load_channel(uint8_t *const *at, uint32_t mask, uint32_t size, uint32_t c,
                         uint32_t *raw)
{
    uint32_t offset = c * size;

    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        const uint8_t *p = at[i] + offset;

        raw[i] = size == 1 ? *p : size == 2 ? *(const emu_uw *)p : *(const emu_ud *)p;
    }
}

static void store_channel(uint8_t *const *at, uint32_t mask, uint32_t size, uint32_t c,
                          const uint32_t *raw)
{
    uint32_t offset = c * size;

    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint8_t *p = at[i] + offset;

        if (size == 1)
            *p = (uint8_t)raw[i];
        else if (size == 2)
            *(emu_uw *)p = (uint16_t)raw[i];
        else
            *(emu_ud *)p = raw[i];
    }
}

/* Texels of four bytes, a word each, to and from their channels. */
static void split_words(const uint32_t *restrict words, uint32_t raw[4][TEXEL_LANES])
{
    for (uint32_t c = 0; c < 4; c++)
        EACH_LANE(i) raw[c][i] = words[i] >> 8 * c & 0xFF;
}

static void join_words(uint32_t raw[4][TEXEL_LANES], uint32_t *restrict words)
{
    EACH_LANE(i)
    {
        words[i] = (raw[0][i] & 0xFF) | (raw[1][i] & 0xFF) << 8 |
                   (raw[2][i] & 0xFF) << 16 | raw[3][i] << 24;
    }
}

void texel_unpack(const struct texel_format *f, uint8_t *const at[TEXEL_LANES],
                  uint32_t mask, uint32_t rgba[4][TEXEL_LANES])
{
    uint32_t raw[4][TEXEL_LANES] = {{0}}, memory[4][TEXEL_LANES];
    bool words = f->bytes == 4 && f->size == 1;

    if (words) {
        load_channel(at, mask, 4, 0, memory[0]);
        split_words(memory[0], raw);
    }
    for (uint32_t c = 0; c < f->channels; c++) {
        if (!words)
            load_channel(at, mask, f->size, c, raw[c]);
        lanes_from_memory(f->type, raw[c], memory[c]);
    }
    for (uint32_t c = 0; c < 4; c++) {
        if (f->from[c] < 4)
            memcpy(rgba[c], memory[f->from[c]], sizeof(rgba[c]));
        else
            fill_lanes(rgba[c], f->from[c] == ONE ? one_of(f->integer) : 0);
        if (f->srgb && c < 3)
            map_lanes(from_srgb, mask, rgba[c]);
    }
}

void texel_pack(const struct texel_format *f, uint32_t mask,
                uint32_t rgba[4][TEXEL_LANES], uint8_t *const at[TEXEL_LANES])
{
    uint32_t raw[4][TEXEL_LANES], words[TEXEL_LANES];
    bool joined = f->bytes == 4 && f->size == 1;

    for (uint32_t c = 0; c < f->channels; c++) {
        uint32_t *value = rgba[f->store[c]];

        if (f->srgb && f->store[c] != 3)
            map_lanes(to_srgb, mask, value);
        lanes_to_memory(f->type, value, raw[c]);
        if (!joined)
            store_channel(at, mask, f->size, c, raw[c]);
    }
    if (joined) {
        join_words(raw, words);
        store_channel(at, mask, 4, 0, words);
    }
}

/* ---- one texel ---------------------------------------------------------- */

void image_unpack(uint32_t order, uint32_t type, const void *texel, uint32_t rgba[4])
{
    uint8_t copy[16], *at[TEXEL_LANES] = {copy};
    uint32_t lanes[4][TEXEL_LANES];
    struct texel_format format;

    if (!texel_format(order, type, &format))
        return;
    memcpy(copy, texel, format.bytes);
    texel_unpack(&format, at, 1, lanes);
    for (uint32_t c = 0; c < 4; c++)
        rgba[c] = lanes[c][0];
}

void image_pack(uint32_t order, uint32_t type, const uint32_t rgba[4], void *texel)
{
    uint8_t *at[TEXEL_LANES] = {texel};
    uint32_t lanes[4][TEXEL_LANES] = {{rgba[0]}, {rgba[1]}, {rgba[2]}, {rgba[3]}};
    struct texel_format format;

    if (texel_format(order, type, &format))
        texel_pack(&format, 1, lanes, at);
}

void image_border(uint32_t order, uint32_t type, uint32_t rgba[4])
{
    memset(rgba, 0, 4 * sizeof(*rgba));
    if (order == IMAGE_R || order == IMAGE_RG || order == IMAGE_LUMINANCE ||
        order == IMAGE_DEPTH)
        rgba[3] = one_of(is_integer(type));
}
