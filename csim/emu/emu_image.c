/* emu_image.c - layouts of images, where texels lie; see igpu/image.h. Source:
 * docs/develop/sources.md#images. */
#include "igpu/image.h"

#include <inttypes.h>
#include <stddef.h>

#include "emu_texel.h"

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

static uint64_t offset(const struct emu_image *image, uint32_t texel, uint32_t x,
                       uint32_t y, uint32_t z)
{
    if (image->kind == IMAGE_1D_ARRAY)
        return y * image->slice_pitch + (uint64_t)x * texel;
    return z * image->slice_pitch + y * image->row_pitch + (uint64_t)x * texel;
}

static uint64_t tiled_offset(const struct emu_image *image, uint32_t texel, uint32_t x,
                             uint32_t y, uint32_t z)
{
    enum { TILE_WIDTH = 128, TILE_ROWS = 32, TILE = 4096, COLUMN = 16 };
    uint64_t across = (uint64_t)x * texel, wide, high;

    if (image->linear || image->height == 1)
        return offset(image, texel, x, y, z);
    wide = ((uint64_t)image->width * texel + TILE_WIDTH - 1) / TILE_WIDTH;
    high = (image->height + TILE_ROWS - 1u) / TILE_ROWS;
    return ((z * high + y / TILE_ROWS) * wide + across / TILE_WIDTH) * TILE +
           across % TILE_WIDTH / COLUMN * (COLUMN * TILE_ROWS) +
           y % TILE_ROWS * COLUMN + across % COLUMN;
}

uint64_t image_tiled_offset(const struct emu_image *image, uint32_t x, uint32_t y,
                            uint32_t z)
{
    return tiled_offset(image, image_texel_bytes(image->order, image->type), x, y, z);
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

/* ---- the texels of all lanes -------------------------------------------- */

void texel_locate(const struct texel_view *v, int32_t place[3][TEXEL_LANES],
                  uint32_t mask, uint8_t *at[TEXEL_LANES], uint64_t *recorded)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest), x = (uint32_t)place[0][i];
        uint32_t y = (uint32_t)place[1][i], z = (uint32_t)place[2][i];

        at[i] = v->host + offset(&v->image, v->format.bytes, x, y, z);
        if (recorded != NULL)
            recorded[i] =
                v->image.va + tiled_offset(&v->image, v->format.bytes, x, y, z);
    }
}

/* The border colour for the lanes in mask. */
static void read_border(const struct texel_view *v, uint32_t mask,
                        uint32_t rgba[4][TEXEL_LANES])
{
    uint32_t border[4];

    image_border(v->image.order, v->image.type, border);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        for (uint32_t c = 0; c < 4; c++)
            rgba[c][__builtin_ctz(rest)] = border[c];
}

uint32_t texel_read(const struct texel_view *v, int32_t place[3][TEXEL_LANES],
                    uint32_t mask, uint32_t rgba[4][TEXEL_LANES], uint64_t *recorded)
{
    uint8_t *at[TEXEL_LANES];
    uint32_t outside = 0;

    for (uint32_t i = 0; i < TEXEL_LANES; i++)
        outside |= (uint32_t)((place[0][i] | place[1][i] | place[2][i]) < 0) << i;
    outside &= mask;
    texel_locate(v, place, mask & ~outside, at, recorded);
    texel_unpack(&v->format, at, mask & ~outside, rgba);
    if (outside != 0)
        read_border(v, outside, rgba);
    return mask & ~outside;
}
