/* gfx_hiz.h - hierarchical depth: a note on each 8x4 pixels of a depth buffer, between
 * which depths they lie, and what that says of a primitive's pixels there before they
 * are tested. Notes change no picture: each pixel is tested all the same, and what a
 * note says is counted, and told to who records. Of draws whose tests come behind the
 * shader it says where pixels are tested before it as well. Contract:
 * docs/contract/frames.md, "Hierarchical depth". Tests: tests/csim/test_gfx_hiz.c,
 * tests/bridge/test_frame_hiz.sh. Sources: docs/develop/sources.md#gen9-graphics */
#ifndef GFX_HIZ_H
#define GFX_HIZ_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GFX_NOTE_WIDE = 8, GFX_NOTE_HIGH = 4, GFX_NOTE_BYTES = 16 };
enum { GFX_NOTED = 16 };           /* levels and layers with notes, those used last */
enum { GFX_NOTES_MOST = 1 << 20 }; /* blocks; larger buffers have no notes */

enum gfx_note_state {
    GFX_NOTE_NONE,  /* it says nothing */
    GFX_NOTE_RANGE, /* all depths of the block are from least to most */
    GFX_NOTE_CLEAR  /* all are least, and memory need not have them */
};
struct gfx_note {
    float least, most; /* as the buffer holds depths: integers or floats */
    uint8_t state;
};

/* Of a level and layer of a depth buffer. */
struct gfx_notes {
    uint64_t va, hiz_va;
    uint32_t level, layer, width, height; /* pixels, of the level */
    uint32_t pitch, hiz_pitch, samples_log2;
    uint16_t format;
    uint32_t wide, high; /* blocks */
    uint64_t used;
    struct gfx_note *note; /* row by row; malloc'ed; NULL: none are kept */
};

enum gfx_decision { GFX_AMBIGUOUS, GFX_FAILS, GFX_PASSES };
/* What the comparison (of depths from least to most with what lies from low to high, by
 * the hardware's number) comes to for all of them. */
enum gfx_decision gfx_hiz_decide(uint32_t function, double least, double most,
                                 double low, double high);
/* The note holds v as well from now on. False: it did so before. */
bool gfx_note_widen(struct gfx_note *note, float v);

/* A block of the primitive that is drawn. */
struct gfx_hiz_block {
    uint32_t stamp;    /* of the row of blocks that it was tested in */
    uint8_t decision;  /* enum gfx_decision */
    float least, most; /* of what the primitive wrote there.. */
    uint32_t written;  /* ..so many times */
};

struct gfx_hiz {
    bool ignored; /* by whoever draws: no note is kept */
    bool on;      /* of the draw */
    bool fails;   /* a block may fail as a whole: nothing is written then */
    bool rejects; /* tests are late, but blocks that fail are told before the shader */
    struct gfx_notes notes[GFX_NOTED];
    struct gfx_notes *now;       /* of the primitive; NULL: none.. */
    uint32_t layer;              /* ..that goes to this layer */
    uint64_t clock;              /* of `used` */
    struct gfx_hiz_block *block; /* of a row of them, by column; malloc'ed */
    uint32_t block_cap, stamp;
    uint32_t row, first,
        end; /* the row, and the columns that the primitive may touch */
};
static inline struct gfx_note *gfx_note_at(const struct gfx_notes *n, uint32_t x,
                                           uint32_t y)
{
    return x < n->wide && y < n->high ? &n->note[y * n->wide + x] : NULL;
}
#endif
