/* gfx_mcs.c - which pixels of a surface of several samples are clear (MCS; PRM volume
 * 7, "MCS/CCS buffers"). Drivers fill the notes of a new surface with ones and so have
 * cleared it: memory holds something else. Nothing is compressed here: of a pixel that
 * was written each sample is in its own place, and its note says so. */
#include "gfx_mcs.h"
#include "gfx_int.h"

uint64_t gfx_mcs_places(uint32_t samples_log2)
{
    static const uint64_t places[5] = {0, 0x2, 0xE4, 0x76543210, 0xFEDCBA9876543210};

    return places[samples_log2];
}

/* The pixel's note; NULL: the surface has none. */
static uint8_t *note_of(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                        uint32_t y, uint32_t layer, uint32_t *bytes, uint64_t *va)
{
    static const uint8_t bytes_of[5] = {0, 1, 1, 4, 8};

    *bytes = bytes_of[s->samples_log2];
    if (s->aux != GFX_AUX_CLEAR || *bytes == 0)
        return NULL;
    *va = s->aux_va + gfx_tile_offset(GFX_TILE_Y, s->aux_pitch, x * *bytes,
                                      y + layer * s->aux_qpitch);
    return gfx_host(g, *va, *bytes);
}

bool gfx_mcs_is_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                      uint32_t y, uint32_t layer)
{
    static const uint64_t ones = UINT64_MAX;
    uint32_t bytes;
    uint64_t va;
    const uint8_t *note = note_of(g, s, x, y, layer, &bytes, &va);

    return note != NULL && memcmp(note, &ones, bytes) == 0;
}

static void write_note(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                       uint32_t y, uint32_t layer)
{
    uint64_t places = gfx_mcs_places(s->samples_log2), va;
    uint32_t bytes;
    uint8_t *note = note_of(g, s, x, y, layer, &bytes, &va);

    if (note == NULL || memcmp(note, &places, bytes) == 0)
        return;
    gfx_tell_write(g, va, bytes, note);
    memcpy(note, &places, bytes);
}

enum igpu_status gfx_mcs_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                               uint32_t y, uint32_t layer, const uint8_t *texel)
{
    struct gfx_level level = gfx_find_level(s, s->level, layer);

    for (uint32_t k = 0; k < 1u << s->samples_log2; k++) {
        uint64_t va = s->va + gfx_offset_in(s, &level, x, y + k * s->qpitch);
        uint8_t *at = gfx_host(g, va, s->format->bytes);

        if (at == NULL)
            return gfx_refuse(g, "pixel %u, %u lies outside the render target's memory",
                              x, y);
        gfx_tell_write(g, va, s->format->bytes, at);
        memcpy(at, texel, s->format->bytes);
    }
    write_note(g, s, x, y, layer);
    return IGPU_OK;
}

enum igpu_status gfx_mcs_place(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                               uint32_t y, uint32_t layer)
{
    uint8_t texel[16] = {0};

    if (gfx_mcs_is_clear(g, s, x, y, layer)) {
        tex_pack(s->format, s->clear, texel);
        return gfx_mcs_clear(g, s, x, y, layer, texel);
    }
    write_note(g, s, x, y, layer);
    return IGPU_OK;
}
