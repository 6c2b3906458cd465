/* emu_texel.h - the texels of an image message's lanes, all lanes of a channel at a
 * time. Arrays have one element a lane; lanes that are off may hold anything.
 * See igpu/image.h for what the formats and coordinates mean. */
#ifndef EMU_TEXEL_H
#define EMU_TEXEL_H
#include "igpu/image.h"

#define INLINE static inline __attribute__((always_inline))

enum { TEXEL_LANES = 16 }; /* of a message: 8 or 16 */

/* A channel order and type, taken apart. */
struct texel_format {
    uint16_t type;
    bool srgb, integer;
    uint8_t channels; /* in memory */
    uint8_t size;     /* bytes of a channel */
    uint8_t bytes;    /* of a texel */
    uint8_t from[4];  /* r g b a: channel in memory, TEXEL_ZERO or TEXEL_ONE */
    uint8_t store[4]; /* channel in memory: which of r g b a */
};
enum { TEXEL_ZERO = 4, TEXEL_ONE = 5 };

/* False: no such format; *format is then undefined. */
bool texel_format(uint32_t order, uint32_t type, struct texel_format *format);

/* An image bound to a kernel: what it is and where texel 0 lies. */
struct texel_view {
    struct emu_image image; /* laid out: image_layout() */
    struct texel_format format;
    uint8_t *host;
};

/* Texels at[i] to and from r g b a of the lanes in mask. */
void texel_unpack(const struct texel_format *format, uint8_t *const at[TEXEL_LANES],
                  uint32_t mask, uint32_t rgba[4][TEXEL_LANES]);
void texel_pack(const struct texel_format *format, uint32_t mask,
                uint32_t rgba[4][TEXEL_LANES], uint8_t *const at[TEXEL_LANES]);

/* Where the texels at place[x, y, z] lie, for the lanes in mask, which are inside.
 * recorded (may be NULL): the address that the trace holds. */
void texel_locate(const struct texel_view *view, int32_t place[3][TEXEL_LANES],
                  uint32_t mask, uint8_t *at[TEXEL_LANES], uint64_t *recorded);

/* Read the texels at place[x, y, z] of the lanes in mask; a negative coordinate is the
 * border. Returns the lanes that read a texel; recorded as above, for those. */
uint32_t texel_read(const struct texel_view *view, int32_t place[3][TEXEL_LANES],
                    uint32_t mask, uint32_t rgba[4][TEXEL_LANES], uint64_t *recorded);

/* Read with normalised or unnormalised coordinates. Returns the lanes that read more
 * than the border; recorded[ISA_MAX_SIMD], if not NULL, and more lanes then, are as
 * igpu/isa.h tells of an access of the sampler. */
uint32_t texel_sample(const struct texel_view *view, const struct emu_sampler *sampler,
                      float coordinate[3][TEXEL_LANES], uint32_t mask,
                      uint32_t rgba[4][TEXEL_LANES], uint64_t *recorded);
/* Lanes `seen`, and how many samples each takes, if more than one. */
uint32_t texel_note_samples(const struct texel_view *view, bool linear, uint32_t seen,
                            uint64_t *recorded);
#endif
