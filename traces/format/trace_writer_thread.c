/* trace_writer_thread.c - threads of the writer: buffers, and cutting them into
 * segments. See trace_writer_state.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/format/trace_alike.h"
#include "traces/format/trace_follow.h"

enum {
    FIRST_BLOCKS = 64,
    FIRST_ACCESSES = 16,
    MAX_FURTHER_LANES = TRACE_MAX_LANES - 1
};
enum {
    ACCESS_BYTES = 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + 1,
    DIFFER_BYTES = sizeof(uint64_t)
};

/* ---- buffers ------------------------------------------------------------ */

/* May the open threads' buffers grow by `bytes`? A thread's first ones always may. */
static bool may_grow(const struct trace_writer *w, uint32_t capacity, uint32_t most,
                     size_t bytes)
{
    return capacity == 0 ||
           (capacity < most && w->open_bytes + bytes <= TRACE_OPEN_BYTES);
}

static bool out_of_memory(struct trace_writer *w)
{
    trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
    return false;
}

static bool grow_blocks(struct trace_thread *t)
{
    uint32_t more = t->block_capacity ? t->block_capacity : FIRST_BLOCKS;

    if (!IGPU_RESIZE(t->block, t->block_capacity + more))
        return out_of_memory(t->w);
    t->block_capacity += more;
    t->w->open_bytes += more * sizeof(*t->block);
    return true;
}

static bool grow_accesses(struct trace_thread *t)
{
    uint32_t more = t->access_capacity ? t->access_capacity : FIRST_ACCESSES;
    uint32_t capacity = t->access_capacity + more;
    struct trace_access_list *l = &t->list;

    if (!IGPU_RESIZE(l->inst, capacity) || !IGPU_RESIZE(l->mask, capacity) ||
        !IGPU_RESIZE(l->base, capacity) || !IGPU_RESIZE(l->stride, capacity) ||
        !IGPU_RESIZE(l->kind, capacity) || !IGPU_RESIZE(t->head, capacity))
        return out_of_memory(t->w);
    t->access_capacity = capacity;
    t->w->open_bytes += (size_t)more * ACCESS_BYTES;
    return true;
}

static bool grow_differ(struct trace_thread *t)
{
    uint32_t more = t->differ_capacity ? t->differ_capacity : 4 * TRACE_MAX_LANES;

    if (!IGPU_RESIZE(t->list.differ, t->differ_capacity + more))
        return out_of_memory(t->w);
    t->differ_capacity += more;
    t->w->open_bytes += (size_t)more * DIFFER_BYTES;
    return true;
}

/* ---- segments ----------------------------------------------------------- */

/* Encode the first n blocks of the buffer and drop them from it. */
static void encode_path(struct trace_thread *t, uint32_t n)
{
    struct trace_writer *w = t->w;

    if (n > 0 && !w->failed)
        t->instructions += trace_path_take(w, t->block, n);
    t->blocks += n;
    memmove(t->block, t->block + n, (t->nblock - n) * sizeof(*t->block));
    t->nblock -= n;
}

static const uint64_t *heads_of(const struct trace_thread *t)
{
    return t->like != NULL ? t->like->head : t->head;
}

/* The thread goes another way than `like`, or ended. */
static void keep_heads(struct trace_thread *t, uint32_t n)
{
    if (t->like == NULL)
        return;
    memcpy(t->head, t->like->head, n * sizeof(*t->head));
    trace_rows_unlike(t->w->work, t->like);
    t->like = NULL;
}

static void no_instruction(struct trace_thread *t, uint32_t inst)
{
    trace_writer_fail(t->w, IGPU_SIM_ERROR,
                      "trace writer: thread %u: instruction %u does not exist", t->id,
                      inst);
}

/* Is a segment with this pattern, if it has one, one of before that is moved? w->from
 * says so. */
static bool is_moved(struct trace_writer *w, const struct trace_pattern *p,
                     const uint64_t *base)
{
    w->from.at.chunk = 0;
    trace_follow_settle(w->follow);
    if (p != NULL && p->n > 0 && !w->kernel->graphics)
        w->from = trace_moved_find(w->moved, w->launch->kernel, p, base,
                                   trace_section_now(w));
    return w->from.at.chunk != 0;
}

static void encode_shape(struct trace_thread *t, struct trace_shape *shape)
{
    const struct trace_rows *rows = trace_shape_rows(shape);
    struct trace_writer *w = t->w;

    if (!is_moved(w, trace_shape_pattern(shape), t->list.base))
        trace_rows_encode(w->work, shape, t->list.base, &w->encoded[1]);
    t->lane_accesses += rows->lanes;
    if (rows->most_inst >= w->kernel->insts)
        no_instruction(t, rows->most_inst);
}

/* The same for the first n of rows alone. */
static void encode_rows(struct trace_thread *t, uint32_t n)
{
    struct trace_writer *w = t->w;
    struct trace_access_list *l = &t->list;

    w->encoded[1].size = 0;
    if (!w->failed) {
        struct trace_shape *shape = trace_rows_shape(w->work, heads_of(t), n);

        if (shape != NULL)
            encode_shape(t, shape);
        else
            out_of_memory(w);
    }
    t->accesses += n;
    keep_heads(t, n < l->n ? l->n : 0);
    l->n -= n;
    t->rows = l->n > 0;
    if (!t->rows)
        return;
    memmove(t->head, t->head + n, l->n * sizeof(*t->head));
    memmove(l->base, l->base + n, l->n * sizeof(*l->base));
}

/* The same for the first n accesses; for all of them, where some are of graphics. */
static void encode_accesses(struct trace_thread *t, uint32_t n)
{
    struct trace_writer *w = t->w;
    struct trace_access_list *l = &t->list, cut;
    const struct trace_pattern *p = NULL;

    if (t->rows) {
        encode_rows(t, n);
        return;
    }
    if (!w->kernel->graphics)
        p = trace_access_pattern(w->work, l, n);
    cut = trace_access_prefix(l, n);
    w->encoded[1].size = 0;
    if (n > 0 && !w->failed && !is_moved(w, p, l->base))
        trace_access_encode(w->work, l, n, &w->encoded[1]);
    if (w->kernel->graphics)
        trace_graphics_encode(&t->graphics, &w->encoded[1]);
    t->accesses += n;
    for (uint32_t i = 0; i < n; i++)
        t->lane_accesses += trace_lanes_of(l->mask[i]);
    l->n -= cut.n;
    l->nbase -= cut.nbase;
    l->nkind -= cut.nkind;
    l->nstride -= cut.nstride;
    l->ndiffer -= cut.ndiffer;
    memmove(l->inst, l->inst + cut.n, l->n * sizeof(*l->inst));
    memmove(l->mask, l->mask + cut.n, l->n * sizeof(*l->mask));
    memmove(l->base, l->base + cut.nbase, l->nbase * sizeof(*l->base));
    memmove(l->kind, l->kind + cut.nkind, l->nkind * sizeof(*l->kind));
    memmove(l->stride, l->stride + cut.nstride, l->nstride * sizeof(*l->stride));
    if (cut.ndiffer)
        memmove(l->differ, l->differ + cut.ndiffer, l->ndiffer * sizeof(*l->differ));
}

static bool room_for_block(struct trace_thread *t)
{
    struct trace_writer *w = t->w;

    if (w->failed)
        return false;
    if (may_grow(w, t->block_capacity, TRACE_PATH_MAX,
                 t->block_capacity * sizeof(*t->block)))
        return grow_blocks(t);
    (void)trace_follow_stop(t);
    encode_path(t, trace_path_cut(t->block, t->nblock));
    trace_chunk_add(w, t->id, TRACE_PIECE_PATH, NULL);
    return true;
}

static uint32_t cut_at(const struct trace_thread *t)
{
    if (t->rows)
        return trace_rows_cut(t->w->work, heads_of(t), t->list.base, t->list.n);
    return t->w->kernel->graphics ? t->list.n : trace_access_cut(t->w->work, &t->list);
}

/* Room for one access more, of up to 32 lanes. */
static bool room_for_access(struct trace_thread *t)
{
    struct trace_writer *w = t->w;
    struct trace_access_list *l = &t->list;

    while (!w->failed) {
        bool full = l->n == t->access_capacity;

        if (!full && l->ndiffer + MAX_FURTHER_LANES <= t->differ_capacity)
            return true;
        if (full && may_grow(w, t->access_capacity, TRACE_ACCESS_MAX,
                             (size_t)t->access_capacity * ACCESS_BYTES)) {
            grow_accesses(t);
        } else if (!full && may_grow(w, t->differ_capacity, TRACE_DIFFER_MAX,
                                     (size_t)t->differ_capacity * DIFFER_BYTES)) {
            grow_differ(t);
        } else {
            (void)trace_follow_stop(t);
            encode_accesses(t, cut_at(t));
            trace_chunk_add(w, t->id, TRACE_PIECE_ACCESS, NULL);
        }
    }
    return false;
}

/* ---- interface ---------------------------------------------------------- */

static struct trace_thread *take_idle(struct trace_writer *w)
{
    struct trace_thread *t = w->idle;

    if (t)
        w->idle = t->next;
    else
        t = calloc(1, sizeof(*t));
    if (!t)
        return NULL;
    t->w = w;
    t->nblock = 0;
    t->list.n = t->list.nbase = t->list.nkind = t->list.nstride = t->list.ndiffer = 0;
    t->started = t->rows = false;
    if (w->kernel->graphics)
        trace_graphics_empty(&t->graphics);
    t->values.size = 0;
    t->nvalues = 0;
    t->instructions = t->blocks = t->accesses = t->lane_accesses = 0;
    return t;
}

bool trace_writer_begins(struct trace_writer *w, uint32_t thread)
{
    if (!w->launch || thread >= w->launch->threads ||
        w->begun[thread / 8] & (1u << thread % 8)) {
        trace_writer_fail(
            w, IGPU_SIM_ERROR,
            "trace writer: thread %u does not exist in this launch or was "
            "begun before",
            thread);
        return false;
    }
    w->begun[thread / 8] |= (uint8_t)(1u << thread % 8);
    return true;
}

struct trace_thread *trace_thread_begin(struct trace_writer *w, uint32_t thread)
{
    struct trace_thread *t;

    if (!trace_writer_begins(w, thread))
        return NULL;
    t = take_idle(w);
    if (!t) {
        out_of_memory(w);
        return NULL;
    }
    t->id = thread;
    t->next = w->open;
    w->open = t;
    t->how = TRACE_ALONE;
    if (!trace_alike_is(w->alike, thread))
        trace_follow_begin(t);
    return t;
}

static void add_block(struct trace_thread *t, uint32_t block)
{
    const struct trace_kernel_out *k = t->w->kernel;

    if (block >= k->blocks.count ||
        (!t->started && !trace_may_begin(k->graphics, &k->blocks, block))) {
        trace_writer_fail(t->w, IGPU_SIM_ERROR,
                          "trace writer: thread %u enters block %u, which %s", t->id,
                          block, t->started ? "does not exist" : "is not the entry");
        return;
    }
    if (t->nblock == t->block_capacity && !room_for_block(t))
        return;
    t->started = true;
    t->block[t->nblock++] = block;
}

/* Lanes beyond the first: affine, or differences. */
static void add_lanes(struct trace_access_list *l, uint32_t mask, const uint64_t *addr)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), rest = mask & (mask - 1);
    uint32_t gap = (uint32_t)__builtin_ctz(rest) - first;
    uint64_t base = addr[first], before = base;
    int64_t stride = (int64_t)(addr[first + gap] - base) / (int64_t)gap;
    bool affine = true;

    for (uint32_t left = rest; left && affine; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);

        affine = addr[lane] == base + (uint64_t)stride * (lane - first);
    }
    l->kind[l->nkind++] = affine ? TRACE_KIND_AFFINE : TRACE_KIND_IRREGULAR;
    if (affine) {
        l->stride[l->nstride++] = (uint64_t)stride;
        return;
    }
    for (uint32_t left = rest; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);

        l->differ[l->ndiffer++] = addr[lane] - before;
        before = addr[lane];
    }
}

/* May the thread have accesses of the instruction, with what they are about or not? */
static bool may_access(const struct trace_thread *t, uint32_t inst,
                       const struct trace_graphics *g)
{
    const struct trace_kernel_out *k = t->w->kernel;
    uint8_t family = ISA_MSG_NONE;

    if (inst < k->insts && k->graphics && trace_is_graphics(&k->inst[inst]))
        family = k->inst[inst].msg.family;
    if (inst < k->insts && family == (g ? g->family : ISA_MSG_NONE))
        return true;
    trace_writer_fail(
        t->w, IGPU_SIM_ERROR, "trace writer: thread %u: instruction %u %s", t->id, inst,
        inst < k->insts ? "is of another family than its access" : "does not exist");
    return false;
}

/* Rows become accesses as all others. */
static void unfold_rows(struct trace_thread *t)
{
    struct trace_access_list *l = &t->list;

    keep_heads(t, l->n);
    for (uint32_t i = 0; t->rows && i < l->n; i++) {
        l->inst[i] = told_what(t->head[i]);
        l->mask[i] = told_mask(t->head[i]);
        l->stride[i] = told_count(t->head[i]);
    }
    if (t->rows) {
        memset(l->kind, TRACE_KIND_AFFINE, l->n);
        l->nbase = l->nkind = l->nstride = l->n;
    }
    t->rows = false;
}

static void add_access(struct trace_thread *t, uint32_t inst, uint32_t mask,
                       const uint64_t *addr)
{
    struct trace_access_list *l = &t->list;

    unfold_rows(t);
    l->inst[l->n] = inst;
    l->mask[l->n++] = mask;
    if (mask == 0)
        return;
    l->base[l->nbase++] = addr[__builtin_ctz(mask)];
    if (mask & (mask - 1))
        add_lanes(l, mask, addr);
}

static void one_access(struct trace_thread *t, uint32_t inst, uint32_t mask,
                       const uint64_t *addr)
{
    if (may_access(t, inst, NULL) && room_for_access(t))
        add_access(t, inst, mask, addr);
}

void trace_thread_graphics(struct trace_thread *t, uint32_t inst, uint32_t mask,
                           const uint64_t *addr, const struct trace_graphics *g)
{
    if (!may_access(t, inst, g) || !room_for_access(t))
        return;
    add_access(t, inst, mask, addr);
    trace_graphics_put(&t->graphics, g, trace_lanes_of(mask));
}

/* ---- in bulk --------------------------------------------------------------- */

/* Eight blocks, if all eight words are such. */
enum { EIGHT = 8 };
static inline bool eight_blocks(const uint64_t *word, uint32_t count, uint32_t *block)
{
    uint64_t bad = 0;

    for (uint32_t k = 0; k < EIGHT; k++) {
        block[k] = told_what(word[k]);
        bad |= (word[k] & TOLD_KIND) ^ TOLD_BLOCK;
        bad |= block[k] >= count;
    }
    return bad == 0;
}

/* Blocks one behind the other; returns the first word that is none, or needs more. */
static const uint64_t *told_blocks(struct trace_thread *t, const uint64_t *word,
                                   const uint64_t *end)
{
    uint32_t n = t->nblock, capacity = t->block_capacity;
    uint32_t count = t->w->kernel->blocks.count, *block = t->block;

    for (; end - word >= EIGHT && capacity - n >= EIGHT; word += EIGHT, n += EIGHT)
        if (!eight_blocks(word, count, block + n))
            break;
    for (; word < end && (*word & TOLD_KIND) == TOLD_BLOCK; word++) {
        uint32_t what = told_what(*word);

        if (n == capacity || what >= count)
            break;
        block[n++] = what;
    }
    t->nblock = n;
    return word;
}

/* Are all of n heads those of rows? */
static bool are_rows(const uint64_t *head, uint32_t n)
{
    uint64_t other = 0;

    for (uint32_t k = 0; k < n; k++)
        other |= head[k] ^ TOLD_ROW;
    return (other & TOLD_KIND) == 0;
}

/* Rows from k on of a group's sends, as many as have room, behind others or as the
 * first. Returns the first send without. */
static uint32_t told_rows(struct trace_thread *t, const uint64_t *word, uint32_t k)
{
    const uint64_t *head = word + 1, *at = head + told_count(*word);
    uint32_t n = t->list.n, room = t->access_capacity - n, most = told_what(*word) - k;

    most = most < room ? most : room;
    keep_heads(t, n);
    memcpy(t->head + n, head + k, most * sizeof(*head));
    memcpy(t->list.base + n, at + k, most * sizeof(*at));
    t->list.n = n + most;
    t->rows = true;
    return k + most;
}

/* One send of a group among accesses that are not rows alone. */
static void told_send(struct trace_thread *t, uint64_t head, uint64_t at,
                      const uint64_t *word)
{
    struct trace_access_list *l = &t->list;

    unfold_rows(t);
    if ((head & TOLD_KIND) != TOLD_ROW) {
        one_access(t, told_what(head), told_mask(head), word + at);
    } else if (may_access(t, told_what(head), NULL) && room_for_access(t)) {
        l->inst[l->n] = told_what(head);
        l->mask[l->n++] = told_mask(head);
        l->base[l->nbase++] = at;
        l->stride[l->nstride++] = told_count(head);
        l->kind[l->nkind++] = TRACE_KIND_AFFINE;
    }
}

static void told_group(struct trace_thread *t, const uint64_t *word)
{
    const uint64_t *head = word + 1, *at = head + told_count(*word);
    uint32_t k = 0, n = told_what(*word);

    if ((t->rows || t->list.n == 0) && are_rows(head, n))
        while (k < n && room_for_access(t))
            k = told_rows(t, word, k);
    for (; k < n && !t->w->failed; k++)
        told_send(t, head[k], at[k], word);
}

/* Blocks and groups as long as their heads are those that come next in what a thread of
 * rows is like, and there is room: the usual, in one loop. Returns the first word that
 * is not. */
static inline const uint64_t *told_alike(struct trace_thread *t, const uint64_t *word,
                                         const uint64_t *end)
{
    const struct trace_like *like = t->like;
    uint32_t n = t->list.n, count = t->w->kernel->blocks.count;
    uint32_t room = like->n < t->access_capacity ? like->n : t->access_capacity;

    while (word < end) {
        uint32_t what = told_what(*word);
        const uint64_t *head = word + 1, *at = head + told_count(*word), *next;

        if ((*word & TOLD_KIND) == TOLD_GROUP && what <= room - n &&
            memcmp(like->head + n, head, what * sizeof(*head)) == 0) {
            memcpy(t->list.base + n, at, what * sizeof(*at));
            n += what;
            next = head + told_mask(*word);
        } else if ((*word & TOLD_KIND) == TOLD_BLOCK && t->nblock < t->block_capacity &&
                   what < count && (word + 1 == end || word[1] & TOLD_KIND)) {
            t->block[t->nblock++] = what; /* alone, as in most loops */
            next = word + 1;
        } else {
            next = told_blocks(t, word, end);
        }
        if (next == word)
            break;
        word = next;
    }
    t->list.n = n;
    t->rows = n > 0;
    return word;
}

/* May what is told be what other threads are like? */
static bool may_be_alike(struct trace_thread *t)
{
    if (t->like == NULL && t->list.n == 0)
        t->like = trace_rows_like(t->w->work);
    return t->like != NULL && t->started;
}

static const uint64_t *block_alone(struct trace_thread *t, const uint64_t *word)
{
    add_block(t, told_what(*word));
    return word + 1;
}

static void told_alone(struct trace_thread *t, const uint64_t *word,
                       const uint64_t *end)
{
    while (word < end) {
        const uint64_t *next;
        uint64_t head;

        if (may_be_alike(t) && (word = told_alike(t, word, end)) == end)
            break;
        head = *word;
        next = word + 1 + told_words(head);
        if ((head & TOLD_KIND) == TOLD_GROUP)
            told_group(t, word);
        else if ((head & TOLD_KIND) == TOLD_LANES)
            one_access(t, told_what(head), told_mask(head), word + 1);
        else if (!t->started || (next = told_blocks(t, word, end)) == word)
            next = block_alone(t, word);
        word = next;
    }
}

/* The thread neither follows nor leads any more. */
static void stop_following(struct trace_thread *t)
{
    uint32_t parts = trace_follow_stop(t);

    for (uint32_t k = 0; k < parts; k++) {
        const uint64_t *word;
        size_t words = trace_follow_again(t, k, &word);

        told_alone(t, word, word + words);
    }
}

void trace_thread_told(struct trace_thread *t, const uint64_t *word, size_t words)
{
    const uint64_t *end = word + words;

    if (t->how == TRACE_FOLLOWS) {
        word = trace_follow_told(t, word, end);
        if (word == end)
            return;
        stop_following(t);
    } else if (t->how == TRACE_LEADS) {
        trace_follow_keep(t, word, end);
    }
    told_alone(t, word, end);
}

void trace_thread_block(struct trace_thread *t, uint32_t block)
{
    if (t->how != TRACE_ALONE)
        stop_following(t);
    add_block(t, block);
}

void trace_thread_access(struct trace_thread *t, uint32_t inst, uint32_t mask,
                         const uint64_t *addr)
{
    if (t->how != TRACE_ALONE)
        stop_following(t);
    one_access(t, inst, mask, addr);
}

/* ---- the end --------------------------------------------------------------- */

void trace_thread_count(struct trace_writer *w, const struct trace_thread *t,
                        const struct trace_totals *totals)
{
    w->launch->totals.instructions += totals->instructions;
    w->launch->totals.lane_instructions += totals->lane_instructions;
    w->launch->totals.flops += totals->flops;
    w->launch->blocks += t->blocks;
    w->launch->accesses += t->accesses;
    w->launch->lane_accesses += t->lane_accesses;
    w->ended++;
}

static void put_away(struct trace_thread *t)
{
    struct trace_thread **at = &t->w->open;

    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    t->next = t->w->idle;
    t->w->idle = t;
}

/* What is left of the thread's blocks and accesses; which of them there are. */
static unsigned encode_rest(struct trace_thread *t)
{
    unsigned flags = TRACE_PIECE_LAST;

    if (t->list.n == 0)
        keep_heads(t, 0);
    if (t->nblock > 0) {
        encode_path(t, t->nblock);
        flags |= TRACE_PIECE_PATH;
    }
    if (t->list.n > 0) {
        encode_accesses(t, t->list.n);
        flags |= TRACE_PIECE_ACCESS;
    }
    return flags;
}

void trace_thread_close(struct trace_thread *t, const struct trace_totals *totals)
{
    struct trace_writer *w = t->w;
    uint8_t how = t->how;
    unsigned flags;

    if (how == TRACE_FOLLOWS)
        stop_following(t);
    flags = encode_rest(t);
    if (!t->started)
        trace_writer_fail(w, IGPU_SIM_ERROR, "trace writer: thread %u has no path",
                          t->id);
    else if (t->instructions != totals->instructions)
        trace_writer_fail(w, IGPU_SIM_ERROR,
                          "trace writer: thread %u: %llu instructions counted, but its "
                          "path has %llu",
                          t->id, (unsigned long long)totals->instructions,
                          (unsigned long long)t->instructions);
    trace_chunk_add(w, t->id, flags, totals);
    trace_follow_ended(t, how);
}

enum igpu_status trace_thread_end(struct trace_thread *t,
                                  const struct trace_totals *totals,
                                  struct igpu_err *err)
{
    struct trace_writer *w = t->w;

    if (trace_alike_is(w->alike, t->id)) {
        unfold_rows(t);
        trace_alike_note(w->alike, t);
    }
    if (t->how != TRACE_FOLLOWS || !trace_follow_end(t, totals))
        trace_thread_close(t, totals);
    trace_values_end(t);
    trace_thread_count(w, t, totals);
    put_away(t);
    return trace_writer_status(w, err);
}
