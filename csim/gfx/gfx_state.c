/* gfx_state.c - what a pipeline keeps from batch to batch beside memory, as bytes:
 * state of hardware contexts, registers, notes of hierarchical depth. One walk over it
 * both writes and reads, so that the two cannot differ. Words of 32 bits,
 * little-endian; a number of 64 bits is two, the low one first.
 * docs/contract/frames.md, "A frame by itself". */
#include "gfx_commands.h"
#include "igpu/grow.h"

/* The walk's other end: bytes that grow, or that are read. */
struct walk {
    bool restore;
    uint8_t *to;
    const uint8_t *from;
    size_t at, bytes; /* bytes: that there is room for, or that there are */
    bool short_of;    /* memory, or bytes */
    const char *bad;  /* what is not as it can be; NULL: nothing */
};

/* The form: another one when what is walked, or its order, changes. */
enum { FORM = 3 };

static void word(struct walk *w, uint32_t *v)
{
    uint8_t *to;

    if (w->restore)
        *v = 0;
    if (w->short_of ||
        (w->bytes - w->at < 4 &&
         (w->short_of = w->restore || !IGPU_RESERVE(w->to, w->bytes, w->at + 4))))
        return;
    if (w->restore) {
        const uint8_t *p = w->from + w->at;

        *v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    } else {
        to = w->to + w->at;
        for (int i = 0; i < 4; i++)
            to[i] = (uint8_t)(*v >> 8 * i);
    }
    w->at += 4;
}

static void words(struct walk *w, uint32_t *v, size_t count)
{
    for (size_t i = 0; i < count; i++)
        word(w, &v[i]);
}

static void state_number(struct walk *w, uint64_t *v)
{
    uint32_t part[2] = {(uint32_t)*v, (uint32_t)(*v >> 32)};

    words(w, part, 2);
    *v = part[0] | (uint64_t)part[1] << 32;
}

static void flag(struct walk *w, bool *v)
{
    uint32_t on = *v;

    word(w, &on);
    *v = on != 0;
}

static void real(struct walk *w, float *v)
{
    uint32_t bits;

    memcpy(&bits, v, sizeof(bits));
    word(w, &bits);
    memcpy(v, &bits, sizeof(bits));
}

/* The first thing that is wrong is told. */
static void refuse(struct walk *w, const char *what)
{
    if (w->bad == NULL)
        w->bad = what;
}

/* A number that has a bound, which what is restored keeps. What is saved stays as it
 * is. */
static void bounded(struct walk *w, uint32_t *v, uint32_t most, const char *what)
{
    word(w, v);
    if (*v <= most)
        return;
    refuse(w, what);
    if (w->restore)
        *v = 0;
}

static void address(struct walk *w, uint64_t *v)
{
    state_number(w, v);
    if (*v >> 48 == 0)
        return;
    refuse(w, "an address of more than 48 bits");
    if (w->restore)
        *v = 0;
}

/* ---- a context ---------------------------------------------------------- */

static void stream(struct walk *w, struct gfx_stream_state *so)
{
    words(w, so->buffers, GFX_STREAMS);
    for (uint32_t s = 0; s < GFX_STREAMS; s++) {
        bounded(w, &so->count[s], GFX_STREAM_DECLS, "declarations of stream output");
        for (uint32_t i = 0; i < so->count[s]; i++) {
            uint32_t decl = so->decl[s][i];

            bounded(w, &decl, UINT16_MAX, "a declaration of stream output");
            so->decl[s][i] = (uint16_t)decl;
        }
    }
    for (uint32_t s = 0; s < GFX_STREAMS; s++) {
        struct gfx_stream_buffer *b = &so->buffer[s];

        flag(w, &b->on);
        flag(w, &b->keeps);
        address(w, &b->va);
        address(w, &b->kept);
        address(w, &b->bytes);
    }
}

static void vertices(struct walk *w, struct gfx_context *c)
{
    for (uint32_t i = 0; i < GFX_VERTEX_BUFFERS; i++) {
        address(w, &c->buffer[i].va);
        bounded(w, &c->buffer[i].pitch, gfx_part_most(GFX_BUFFER_PITCH),
                "a pitch of vertices");
        address(w, &c->buffer[i].bytes);
    }
    bounded(w, &c->elements, GFX_ELEMENTS, "elements of vertices");
    for (uint32_t i = 0; i < GFX_ELEMENTS; i++) {
        words(w, c->element[i], 2);
        flag(w, &c->instancing[i].on);
        word(w, &c->instancing[i].rate);
    }
}

static void context(struct walk *w, struct gfx_context *c)
{
    word(w, &c->id);
    for (uint32_t i = 0; i < 256; i++)
        words(w, c->state[i], GFX_PACKET_DWORDS);
    words(w, c->rectangle, 4);
    vertices(w, c);
    stream(w, &c->stream);
    address(w, &c->surface_base);
    address(w, &c->dynamic_base);
    address(w, &c->indirect_base);
    address(w, &c->instruction_base);
    address(w, &c->bindless_base);
    words(w, c->pattern, 8);
    words(w, c->polygon_stipple, 32);
    bounded(w, &c->polygon_stipple_offset[0], 31, "an offset of a stipple");
    bounded(w, &c->polygon_stipple_offset[1], 31, "an offset of a stipple");
    bounded(w, &c->line_stipple, gfx_part_most(GFX_LINE_STIPPLE), "a line's stipple");
    bounded(w, &c->line_stipple_repeat, gfx_part_most(GFX_LINE_STIPPLE_REPEAT),
            "a line's stipple");
    address(w, &c->curbe);
    address(w, &c->descriptors);
    bounded(w, &c->scratch_size, 15, "a scratch space");
    for (uint32_t i = 0; i < GFX_STREAMS; i++) {
        state_number(w, &c->streamed[i]);
        state_number(w, &c->stream_needed[i]);
    }
    for (uint32_t i = 0; i < GFX_STATISTICS; i++)
        state_number(w, &c->statistic[i]);
}

static void contexts(struct walk *w, struct gfx *g)
{
    uint32_t count = g->hw.contexts;

    bounded(w, &count, GFX_MAX_CONTEXTS, "hardware contexts");
    for (uint32_t i = 0; i < count && !w->short_of; i++) {
        struct gfx_context *c = w->restore ? gfx_add_context(g) : g->hw.context[i];

        if (c == NULL)
            refuse(w, "hardware contexts, for which memory is short");
        else
            context(w, c);
    }
}

/* ---- registers ---------------------------------------------------------- */

static void registers(struct walk *w, struct gfx *g)
{
    bounded(w, &g->hw.registers, GFX_REGISTERS, "registers");
    for (uint32_t i = 0; i < g->hw.registers; i++) {
        word(w, &g->hw.reg[i].offset);
        word(w, &g->hw.reg[i].value);
    }
    state_number(w, &g->hw.time);
}

/* ---- notes on depth ----------------------------------------------------- */

static void note(struct walk *w, struct gfx_note *n)
{
    uint32_t state = n->state;

    real(w, &n->least);
    real(w, &n->most);
    bounded(w, &state, GFX_NOTE_CLEAR, "a note on depth");
    n->state = (uint8_t)state;
}

/* Notes that say nothing are one word for all that follow each other. */
static void notes_of(struct walk *w, struct gfx_notes *n)
{
    uint32_t count = n->wide * n->high;

    for (uint32_t i = 0; i < count && !w->short_of && w->bad == NULL;) {
        uint32_t same = 0;

        while (!w->restore && i + same < count &&
               n->note[i + same].state == GFX_NOTE_NONE)
            same++;
        bounded(w, &same, count - i, "notes on depth");
        i += same;
        if (i < count)
            note(w, &n->note[i++]);
    }
}

static void notes(struct walk *w, struct gfx_notes *n)
{
    uint32_t format = n->format;
    bool there = n->note != NULL;

    flag(w, &there);
    if (!there)
        return;
    address(w, &n->va);
    address(w, &n->hiz_va);
    word(w, &n->level);
    word(w, &n->layer);
    bounded(w, &n->width, 1 << 15, "a depth buffer's width");
    bounded(w, &n->height, 1 << 15, "a depth buffer's height");
    word(w, &n->pitch);
    word(w, &n->hiz_pitch);
    bounded(w, &n->samples_log2, 4, "a depth buffer's samples");
    bounded(w, &format, UINT16_MAX, "a depth buffer's format");
    n->format = (uint16_t)format;
    state_number(w, &n->used);
    n->wide = (n->width + GFX_NOTE_WIDE - 1) / GFX_NOTE_WIDE;
    n->high = (n->height + GFX_NOTE_HIGH - 1) / GFX_NOTE_HIGH;
    if (w->restore && (uint64_t)n->wide * n->high <= GFX_NOTES_MOST)
        n->note = calloc((size_t)n->wide * n->high + 1, sizeof(*n->note));
    if (n->note == NULL)
        refuse(w, "notes on depth");
    else
        notes_of(w, n);
}

/* ---- all of it ---------------------------------------------------------- */

static void walk(struct walk *w, struct gfx *g)
{
    uint32_t form = FORM;

    word(w, &form);
    if (form != FORM) {
        refuse(w, "its form");
        return;
    }
    contexts(w, g);
    registers(w, g);
    state_number(w, &g->hiz.clock);
    for (uint32_t i = 0; i < GFX_NOTED; i++)
        notes(w, &g->hiz.notes[i]);
}

uint8_t *gfx_save(struct gfx *g, size_t *bytes, struct igpu_err *err)
{
    struct walk w = {.restore = false};

    walk(&w, g);
    *bytes = w.at;
    if (w.bad == NULL && !w.short_of)
        return w.to;
    free(w.to);
    (void)igpu_fail(err, IGPU_SIM_ERROR, "the pipeline's state cannot be saved: %s",
                    w.bad != NULL ? w.bad : "memory is short");
    return NULL;
}

enum igpu_status gfx_restore(struct gfx *g, const uint8_t *from, size_t bytes,
                             struct igpu_err *err)
{
    struct walk w = {.restore = true, .from = from, .bytes = bytes};

    walk(&w, g);
    gfx_begin_draws(g);
    if (w.bad == NULL && !w.short_of && w.at == bytes)
        return IGPU_OK;
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "a pipeline's state that cannot be: %s; cut the frame out again "
                     "with this igpu",
                     w.bad != NULL ? w.bad
                     : w.short_of  ? "it ends early"
                                   : "bytes behind its end");
}
