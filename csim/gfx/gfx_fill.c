/* gfx_fill.c - a rectangle in one colour, as clears are: where nobody watches, and the
 * pixel shader provably writes the same to each pixel, its first thread runs and the
 * others that are full are stored and counted as that one was. Tests:
 * tests/bridge/test_frame_fill.sh */
#include "gfx_pool.h"
#include "gfx_raster.h"
#include "gfx_texture.h"

#include <stdatomic.h>

enum { ROOM = 4, LANES = 16, TEXEL = 4, MOST_INSTRUCTIONS = 16 };
enum { SIDE_BY_SIDE = GFX_SIDE_BY_SIDE };
/* Rows of blocks of a piece for one of several host threads; blocks that are worth it.
 */
enum { ROWS = 16, MANY = 64 * 64 };

/* ---- the shader --------------------------------------------------------- */

/* Bytes of registers that are the same in all of a rectangle's threads. */
struct same {
    bool byte[EMU_SHADER_GRF_BYTES];
};

/* The first byte of element `lane` of a region; false: none of the registers. */
static bool place(const struct isa_operand *o, uint32_t lane, uint32_t *at)
{
    uint32_t bytes = isa_type_bytes((enum isa_type)o->type), width = o->width;

    if (o->file != ISA_FILE_GRF || o->indirect || o->swizzle != 0 || width == 0)
        return false;
    *at = (uint32_t)(o->reg * ISA_GRF_BYTES) + o->byte +
          (lane / width * o->vstride + lane % width * o->hstride) * bytes;
    return *at + bytes <= EMU_SHADER_GRF_BYTES;
}

/* A move of what is the same makes more of it. False: anything else. */
static bool follow(const struct isa_inst *inst, struct same *same)
{
    const struct isa_operand *from = &inst->src[0];
    struct isa_operand to = inst->dst;
    uint32_t at, bytes = isa_type_bytes((enum isa_type)to.type);

    if (inst->op != ISA_OP_MOV || inst->pred != ISA_PRED_NONE || inst->eot ||
        inst->cmod != ISA_CMOD_NONE || inst->flag >= 0 || inst->acc_wr_en ||
        inst->chan_offset + inst->exec_size > LANES || to.file != ISA_FILE_GRF)
        return false;
    for (uint32_t i = 0; i < inst->exec_size && from->file != ISA_FILE_IMM; i++) {
        if (!place(from, i, &at))
            return false;
        for (uint32_t k = 0; k < isa_type_bytes((enum isa_type)from->type); k++)
            if (!same->byte[at + k])
                return false;
    }
    to.width = 1;
    to.vstride = to.hstride;
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        if (!place(&to, i, &at))
            return false;
        memset(&same->byte[at], true, bytes);
    }
    return true;
}

/* Moves, and one message with one register of colour for all lanes: which, of four
 * floats, does not depend on the thread. *target: the binding that it writes. */
static bool is_one_colour(const struct gfx *g, const struct gfx_shader *s,
                          uint32_t *target)
{
    const struct isa_kernel_code *code = emu_shader_code(s->shader);
    const struct isa_inst *last = &code->inst[code->count - 1];
    struct same same = {{false}};
    uint32_t colour = (uint32_t)(last->src[0].reg * ISA_GRF_BYTES);

    if (code->count > MOST_INSTRUCTIONS || !last->eot ||
        last->msg.sfid != ISA_SFID_RENDER || last->msg.desc_reg ||
        last->msg.exdesc_reg || last->msg.header || last->msg.mlen != 1 ||
        last->msg.ext_mlen != 0 || last->pred != ISA_PRED_NONE ||
        last->src[0].indirect || colour + 4 * sizeof(float) > EMU_SHADER_GRF_BYTES)
        return false;
    /* Constants and attributes, whose planes are the primitive's. */
    for (uint32_t i = g->d.invariant; i < g->d.payload; i++)
        same.byte[i] = true;
    for (uint32_t i = 0; i + 1 < code->count; i++)
        if (!follow(&code->inst[i], &same))
            return false;
    *target = gfx_part(&last->msg.desc, GFX_TARGET_BINDING);
    for (uint32_t i = 0; i < 4 * sizeof(float); i++)
        if (!same.byte[colour + i])
            return false;
    return true;
}

/* ---- the rectangle ------------------------------------------------------ */

bool gfx_fill_begin(const struct gfx *g, const struct gfx_setup *s,
                    struct gfx_fill *fill)
{
    bool even = ((s->min_x | s->min_y | s->max_x | s->max_y) & 1) == 0;
    bool plain = s->t->kind == GFX_RECTANGLE && even && s->min_x >= 0 &&
                 s->min_y >= 0 && !s->stippled && !s->conservative && !s->smooth &&
                 g->d.ms.count == 1 && !g->d.ms.spread;
    bool tested = g->d.depth_on || g->d.stencil_on || g->d.late || g->hiz.on;

    fill->wide = (uint32_t)(s->max_x - s->min_x) / 2;
    fill->blocks = fill->wide * ((uint32_t)(s->max_y - s->min_y) / 2);
    if (!plain || tested || fill->wide < ROOM || fill->blocks < 4 * ROOM ||
        gfx_group_room(g) != ROOM || g->d.ps[1] == NULL || gfx_is_watched(g) ||
        gfx_get(g, GFX_PS_FAST_CLEAR) || gfx_get(g, GFX_PS_OMASK))
        return false;
    fill->before = g->counters;
    fill->work = g->batch.work;
    return true;
}

/* The first thread wrote sixteen pixels by one message for all lanes, and read none. */
static bool wrote_all(const struct gfx_counters *n)
{
    return n->ps_threads16 == 1 && n->ps_invocations == LANES &&
           n->blocks_visited == ROOM && n->subspans_full == ROOM &&
           n->target_messages == 1 && n->target_messages_replicated == 1 &&
           n->pixels_written == LANES && n->target_bytes == LANES * TEXEL &&
           n->target_bytes_read == 0;
}

/* Two pixels side by side: their memory; NULL: there is none. */
static uint8_t *pair(struct gfx *g, const struct gfx_surface *s,
                     const struct gfx_level *level, uint32_t x, uint32_t y)
{
    return gfx_host(g, s->va + gfx_offset_in(s, level, x, y), 2 * TEXEL);
}

/* Of the rectangle's blocks those from number i on that lie in one row, before `end`.
 */
struct run {
    uint32_t x, y, blocks;
};

static struct run run_of(const struct gfx_setup *s, const struct gfx_fill *fill,
                         uint32_t i, uint32_t end)
{
    uint32_t column = i % fill->wide, left = fill->wide - column;

    return (struct run){(uint32_t)s->min_x + 2 * column,
                        (uint32_t)s->min_y + i / fill->wide * 2,
                        left < end - i ? left : end - i};
}

/* Blocks from number `first` to before `end`: what of them is in the first row, whole
 * rows, and what is in the last one. False: some are outside of memory. */
static bool store(struct gfx *g, const struct gfx_setup *s, const struct gfx_fill *fill,
                  uint32_t first, uint32_t end, const uint8_t texels[SIDE_BY_SIDE])
{
    static const uint8_t none[SIDE_BY_SIDE] = {0};

    for (uint32_t i = first, n; i < end; i += n) {
        struct run r = run_of(s, fill, i, end);
        uint32_t rows = r.blocks == fill->wide ? (end - i) / fill->wide : 1;

        n = rows * r.blocks;
        if (!gfx_fill_texels(
                g, fill->target, &fill->level,
                (const uint32_t[4]){r.x, r.y, r.x + 2 * r.blocks, r.y + 2 * rows},
                texels, none))
            return false;
    }
    return true;
}

/* So often more. */
static void count_written(const struct gfx_setup *s, const struct gfx_fill *fill,
                          uint32_t first, uint32_t end, uint32_t more)
{
    struct run r;

    for (uint32_t i = first; i < end && fill->drawn_over != NULL; i += r.blocks) {
        r = run_of(s, fill, i, end);
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t *count = fill->drawn_over + (size_t)(r.y + k) * fill->width + r.x;

            for (uint32_t p = 0; p < 2 * r.blocks; p++)
                count[p] += more;
        }
    }
}

/* The rectangle's blocks between these, in pieces of rows. */
struct rows {
    const struct gfx_setup *s;
    const struct gfx_fill *fill;
    const uint8_t *texels;
    uint32_t first, end;
    uint64_t number;    /* the first piece's */
    atomic_bool failed; /* some are outside of memory */
};

static enum igpu_status fill_piece(struct gfx *w, void *ctx, uint64_t number)
{
    struct rows *r = ctx;
    uint32_t each = ROWS * r->fill->wide, from = (uint32_t)(number - r->number) * each;
    uint32_t end = r->end - from < each ? r->end : from + each;

    from = from < r->first ? r->first : from;
    if (!store(w, r->s, r->fill, from, end, r->texels))
        atomic_store(&r->failed, true);
    count_written(r->s, r->fill, from, end, 1);
    return IGPU_OK;
}

/* False: some are outside of memory, and none is counted. */
static bool fill_all(struct gfx *g, struct rows *r)
{
    uint32_t each = ROWS * r->fill->wide;

    if (r->end >= MANY && gfx_pool_begin_rows(g, fill_piece, r, &r->number)) {
        gfx_pool_add(g, GFX_JOB_BACK, (r->end + each - 1) / each);
        (void)gfx_pool_end(g, GFX_JOB_BACK);
    } else {
        for (uint64_t i = 0; i * each < r->end; i++)
            (void)fill_piece(g, r, i);
    }
    if (r->failed)
        count_written(r->s, r->fill, r->first, r->end, UINT32_MAX);
    return !r->failed;
}

/* What `threads` more like the first one count, and work. */
static void count(struct gfx *g, const struct gfx_counters *each, uint32_t threads)
{
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++)
        gfx_count(g, i * sizeof(uint64_t), gfx_counter_value(each, i) * threads);
}

/* Is it a target of which each pair of the rectangle can be stored? */
static bool find_target(struct gfx *g, const struct gfx_setup *s, uint32_t binding,
                        struct gfx_fill *fill)
{
    const struct gfx_surface *t = gfx_binding(g, binding);

    if (t == NULL || t->type != GFX_2D || t->format->bytes != TEXEL ||
        !gfx_is_side_by_side(t))
        return false;
    fill->target = t;
    fill->width = gfx_minify(t->width, t->level);
    fill->level = gfx_find_level(t, t->level, t->first_layer + g->d.layer);
    return fill->level.x % 2 == 0 && (uint32_t)s->max_x <= fill->width &&
           (uint32_t)s->max_y <= gfx_minify(t->height, t->level);
}

void gfx_fill(struct gfx *g, const struct gfx_setup *s, struct gfx_fill *fill,
              int32_t *x, int32_t *y)
{
    const struct gfx_counters each = gfx_counters_since(&g->counters, &fill->before);
    uint32_t threads = fill->blocks / ROOM - 1, row = gfx_row_blocks(s);
    uint64_t work = g->batch.work - fill->work - row;
    uint8_t texels[SIDE_BY_SIDE];
    struct rows rows = {s, fill, texels, ROOM, (1 + threads) * ROOM, 0, false};
    const uint8_t *first;
    uint32_t binding, last;

    if (!wrote_all(&each) || !is_one_colour(g, g->d.ps[1], &binding) ||
        !find_target(g, s, binding, fill))
        return;
    first = pair(g, fill->target, &fill->level, (uint32_t)s->min_x, (uint32_t)s->min_y);
    if (first == NULL || work * threads + (uint64_t)fill->blocks / fill->wide * row >
                             g->batch.most_work - g->batch.work)
        return;
    for (uint32_t i = 0; i < SIDE_BY_SIDE; i += 2 * TEXEL)
        memcpy(texels + i, first, 2 * TEXEL);
    fill->drawn_over = gfx_count_pixels(g, fill->target);
    if (!fill_all(g, &rows))
        return; /* each thread has to run */
    count(g, &each, threads);
    last = (1 + threads) * ROOM - 1;
    (void)gfx_spend(g, work * threads + (uint64_t)(last / fill->wide) * row);
    *x = s->min_x + (int32_t)(last % fill->wide * 2);
    *y = s->min_y + (int32_t)(last / fill->wide * 2);
}
