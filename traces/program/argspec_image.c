/* argspec_image.c - see argspec_image.h. */
#include "argspec_image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[IMAGE_KIND_COUNT] = {
    [IMAGE_1D] = "image1d",
    [IMAGE_1D_BUFFER] = "image1d_buffer",
    [IMAGE_1D_ARRAY] = "image1d_array",
    [IMAGE_2D] = "image2d",
    [IMAGE_2D_ARRAY] = "image2d_array",
    [IMAGE_3D] = "image3d",
};

struct word {
    const char *text;
    uint32_t number;
};

#define WORD(id, number, word) {word, number},
static const struct word orders[] = {IMAGE_ORDERS(WORD)};
static const struct word types[] = {IMAGE_TYPES(WORD)};
#undef WORD

enum image_kind argspec_image_kind(const char *word)
{
    int kind = 0;

    while (kind < IMAGE_KIND_COUNT && strcmp(kinds[kind], word) != 0)
        kind++;
    return (enum image_kind)kind;
}

bool argspec_image_size(const char *text, struct emu_image *image)
{
    uint32_t *size[3] = {&image->width, NULL, NULL};
    uint32_t count = 1;

    image->width = image->height = image->depth = image->array_size = 1;
    if (image_dims(image->kind) > 1)
        size[count++] = &image->height;
    if (image_dims(image->kind) > 2)
        size[count++] = &image->depth;
    if (image->kind == IMAGE_1D_ARRAY || image->kind == IMAGE_2D_ARRAY)
        size[count++] = &image->array_size;
    for (uint32_t i = 0; i < count; i++) {
        char *end;
        unsigned long value = strtoul(text, &end, 10);

        if (!isdigit((unsigned char)*text) || value > UINT32_MAX ||
            *end != (i + 1 < count ? 'x' : '\0'))
            return false;
        *size[i] = (uint32_t)value;
        text = end + 1;
    }
    return true;
}

static bool find_word(const struct word *words, size_t count, const char *text,
                      size_t length, uint32_t *number)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i].text) == length &&
            strncmp(words[i].text, text, length) == 0) {
            *number = words[i].number;
            return true;
        }
    return false;
}

bool argspec_image_format(const char *text, struct emu_image *image)
{
    const char *dash = strchr(text, '-');

    return dash != NULL &&
           find_word(orders, sizeof(orders) / sizeof(orders[0]), text,
                     (size_t)(dash - text), &image->order) &&
           find_word(types, sizeof(types) / sizeof(types[0]), dash + 1,
                     strlen(dash + 1), &image->type) &&
           image_texel_bytes(image->order, image->type) != 0;
}

bool argspec_sampler_word(const char *text, struct emu_sampler *sampler)
{
    static const char *const modes[SAMPLER_ADDRESS_COUNT] = {
        "none", "clamp", "clamp_to_edge", "repeat", "mirrored_repeat"};

    for (uint8_t i = 0; i < SAMPLER_ADDRESS_COUNT; i++)
        if (strcmp(modes[i], text) == 0) {
            sampler->address = i;
            return true;
        }
    if (strcmp(text, "nearest") == 0 || strcmp(text, "linear") == 0) {
        sampler->linear = text[0] == 'l';
        return true;
    }
    if (strcmp(text, "texels") == 0 || strcmp(text, "normalized") == 0) {
        sampler->normalized = text[0] == 'n';
        return true;
    }
    return false;
}
