/* emu_race.c - see emu_race.h. Of each dword, or of each byte where an access began or
 * ended within a dword, the last two accesses of each kind are kept: the last one, and
 * the last one before of another group, else of another thread. So of each byte that is
 * raced on one race at least is found. */
#include "emu_race.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "igpu/hash.h"
#include "igpu/va.h"

enum { PAGE_BITS = 10, PAGE = 1 << PAGE_BITS };
enum { MAX_PHASE = (1 << 14) - 1, MAX_INST = UINT16_MAX, TABLE_FIRST = 256 };
enum { GLOBAL_SPACE, FIRST_SLM }; /* spaces: the SLM of each resident group is one */

/* phase: barriers that the group had passed, from 1 on; 0: before all that come. */
struct touch {
    uint32_t thread;
    uint16_t inst;
    uint16_t phase : 14, atomic : 1, there : 1;
};

struct cell {
    struct touch write[2], read[2];
};

struct page {
    uint64_t key;      /* space and address */
    struct cell *cell; /* NULL: an empty place of the table */
    bool bytes;        /* cells are of bytes, not of dwords */
};

struct race_watch {
    struct page *table; /* open addressing; a power of two */
    uint32_t size, used;
    uint16_t phase[EMU_MAX_HW_THREADS]; /* by group: resident ones lie close together */
    const uint8_t *slm[EMU_MAX_HW_THREADS];
    uint32_t slms;
    struct race race[RACES_KEPT];
    uint32_t races, last; /* last: that was found last */
    uint64_t others;      /* accesses of pairs for which there is no room */
};

/* What is looked at: an access of a thread's lane. */
struct look {
    struct emu_thread *t;
    const struct emu_op *op;
    struct race_watch *w;
    struct touch touch;
    bool write, known; /* known: what it writes */
    uint64_t space;
};

/* ---- pages ---------------------------------------------------------------- */

static uint32_t key_place(const struct race_watch *w, uint64_t key)
{
    uint32_t i = (uint32_t)igpu_mix(key) & (w->size - 1);

    while (w->table[i].cell != NULL && w->table[i].key != key)
        i = (i + 1) & (w->size - 1);
    return i;
}

static bool grow_table(struct race_watch *w)
{
    struct race_watch more = *w;

    more.size = w->size != 0 ? 2 * w->size : TABLE_FIRST;
    more.table = calloc(more.size, sizeof(*more.table));
    if (more.table == NULL)
        return false;
    for (uint32_t i = 0; i < w->size; i++)
        if (w->table[i].cell != NULL)
            more.table[key_place(&more, w->table[i].key)] = w->table[i];
    free(w->table);
    w->table = more.table;
    w->size = more.size;
    return true;
}

/* NULL: out of memory. */
static struct page *find_page(struct race_watch *w, uint64_t key)
{
    struct page *page;

    if (2 * w->used >= w->size && !grow_table(w))
        return NULL;
    page = &w->table[key_place(w, key)];
    if (page->cell != NULL)
        return page;
    page->cell = calloc(PAGE / 4, sizeof(*page->cell));
    page->key = key;
    page->bytes = false;
    w->used += page->cell != NULL;
    return page->cell != NULL ? page : NULL;
}

/* From dwords to bytes. */
static bool page_split(struct page *page)
{
    struct cell *cell = malloc(PAGE * sizeof(*cell));

    if (cell == NULL)
        return false;
    for (uint32_t i = 0; i < PAGE; i++)
        cell[i] = page->cell[i / 4];
    free(page->cell);
    page->cell = cell;
    page->bytes = true;
    return true;
}

/* ---- what was found --------------------------------------------------------- */

static bool same_pair(const struct race *a, const struct race *b)
{
    return a->kind == b->kind && a->space == b->space && a->inst[0] == b->inst[0] &&
           a->inst[1] == b->inst[1] && a->write[0] == b->write[0];
}

static void note(struct race_watch *w, const struct race *found)
{
    if (w->last >= w->races || !same_pair(&w->race[w->last], found))
        for (w->last = 0; w->last < w->races; w->last++)
            if (same_pair(&w->race[w->last], found))
                break;
    if (w->last < w->races)
        w->race[w->last].times++;
    else if (w->races < RACES_KEPT)
        w->race[w->races++] = *found;
    else
        w->others++;
}

static uint32_t group_of(const struct look *l, uint32_t thread)
{
    return thread / l->t->m->threads_per_group;
}

static void found(struct look *l, const struct touch *before, bool wrote, uint64_t at)
{
    bool one_group = group_of(l, before->thread) == group_of(l, l->touch.thread);
    struct race race = {.kind = one_group ? RACE_GROUP : RACE_GROUPS,
                        .space =
                            l->space == GLOBAL_SPACE ? EMU_SPACE_GLOBAL : EMU_SPACE_SLM,
                        .write = {wrote, l->write},
                        .atomic = {before->atomic, l->touch.atomic},
                        .inst = {before->inst, l->touch.inst},
                        .thread = {before->thread, l->touch.thread},
                        .at = at,
                        .times = 1};

    note(l->w, &race);
}

/* ---- one cell --------------------------------------------------------------- */

static bool apart(const struct look *l, const struct touch *before)
{
    if (!before->there || before->thread == l->touch.thread ||
        (before->atomic && l->touch.atomic))
        return false;
    if (group_of(l, before->thread) != group_of(l, l->touch.thread))
        return l->space == GLOBAL_SPACE; /* SLM: of a group that is over */
    return before->phase == l->touch.phase;
}

/* Does the write leave what is there? */
static bool leaves(const struct look *l, uint64_t at, uint32_t bytes,
                   const uint8_t *value)
{
    struct emu_machine *m = l->t->m;
    uint64_t first = 0, size = m->slm_bytes;
    const uint8_t *host = l->space == GLOBAL_SPACE
                              ? emu_mapping(m, at, false, &first, &size)
                              : m->group.slm;

    return l->known && host != NULL && at - first + bytes <= size &&
           memcmp(host + (at - first), value, bytes) == 0;
}

/* The last one, and the last one before of another group, else of another thread. A
 * thread's plain access is kept before its atomic one. */
static void touch_put(const struct look *l, struct touch kept[2])
{
    const struct touch *now = &l->touch;
    struct touch before = kept[0];
    uint32_t group = group_of(l, now->thread);

    if (before.there && before.thread == now->thread) {
        if (!now->atomic || before.atomic || before.phase != now->phase)
            kept[0] = *now;
        return;
    }
    kept[0] = *now;
    if (before.there && (group_of(l, before.thread) != group || !kept[1].there ||
                         group_of(l, kept[1].thread) == group))
        kept[1] = before;
}

static void look_at(struct look *l, struct cell *cell, uint64_t at, uint32_t bytes,
                    const uint8_t *value)
{
    bool changes = !l->write || l->touch.atomic;

    for (unsigned k = 0; k < 2; k++) {
        if (apart(l, &cell->write[k])) {
            changes = changes || !leaves(l, at, bytes, value);
            if (changes)
                found(l, &cell->write[k], true, at);
        }
        if (l->write && apart(l, &cell->read[k]))
            found(l, &cell->read[k], false, at);
    }
    touch_put(l, l->write ? cell->write : cell->read);
}

/* False: out of memory. */
static bool look_through(struct look *l, uint64_t at, uint32_t bytes,
                         const uint8_t *value)
{
    while (bytes > 0) {
        struct page *page = find_page(l->w, l->space << (64 - 16) | at >> PAGE_BITS);
        uint32_t unit = 4;

        if (page == NULL)
            return false;
        if (!page->bytes && (at % 4 != 0 || bytes < 4) && !page_split(page))
            return false;
        if (page->bytes)
            unit = 1;
        look_at(l, &page->cell[at % PAGE / unit], at, unit, value);
        at += unit;
        value += unit;
        bytes -= unit;
    }
    return true;
}

/* ---- a message ---------------------------------------------------------------- */

/* Bytes of a lane, from the first that its address names. */
struct lane {
    uint32_t bytes;
    uint32_t holes; /* of its dwords, those that are not accessed */
    uint8_t value[256];
};

static void take_values(const struct isa_message *msg, uint32_t i, const uint8_t *data,
                        struct lane *lane)
{
    uint32_t size = msg->element_bytes == 1 ? lane->bytes : msg->element_bytes;
    uint32_t slot = size < 4 ? 4 : size, step = msg->simd * slot;

    if (msg->block_bytes > 0) {
        memcpy(lane->value, data, lane->bytes);
        return;
    }
    for (uint32_t at = 0; at < lane->bytes; at += size) {
        if (lane->holes >> at / 4 & 1)
            continue;
        memcpy(lane->value + at, data + i * slot, size);
        data += step;
    }
}

static struct lane shape_of(const struct isa_message *msg, uint32_t *first)
{
    struct lane lane = {.bytes = isa_lane_bytes(msg, first)};

    if (msg->family == ISA_MSG_UNTYPED_READ || msg->family == ISA_MSG_UNTYPED_WRITE)
        lane.holes = ~((uint32_t)msg->comp_mask >> *first / 4);
    return lane;
}

/* Of two lanes that write to the same bytes, do these differ? */
static bool differ(const struct lane *a, uint64_t at_a, const struct lane *b,
                   uint64_t at_b)
{
    for (uint32_t i = 0; i < a->bytes; i++) {
        uint64_t k = at_a + i - at_b;

        if (k < b->bytes && !(a->holes >> i / 4 & 1) && !(b->holes >> k / 4 & 1) &&
            a->value[i] != b->value[k])
            return true;
    }
    return false;
}

/* Lanes of a message that write other values to the same place. */
static void compare_lanes(struct look *l, uint32_t mask, const uint64_t *addr,
                          const uint8_t *data, struct lane lane)
{
    const struct isa_message *msg = &l->op->inst->msg;

    for (uint32_t i = 1; i < EMU_LANES; i++)
        for (uint32_t k = 0; mask >> i & 1 && k < i; k++) {
            struct lane a = lane, b = lane;

            if (!(mask >> k & 1) ||
                addr[i] - addr[k] + lane.bytes - 1 > 2 * (uint64_t)lane.bytes - 2)
                continue;
            take_values(msg, k, data, &a);
            take_values(msg, i, data, &b);
            if (differ(&a, addr[k], &b, addr[i]))
                note(l->w,
                     &(struct race){.kind = RACE_LANES,
                                    .space = l->space == GLOBAL_SPACE ? EMU_SPACE_GLOBAL
                                                                      : EMU_SPACE_SLM,
                                    .write = {true, true},
                                    .inst = {l->touch.inst, l->touch.inst},
                                    .lane = {k, i},
                                    .thread = {l->touch.thread, l->touch.thread},
                                    .at = addr[i],
                                    .times = 1});
        }
}

/* A thread's own: scratch and private memory. */
static bool is_own(uint64_t va)
{
    return va >= IGPU_VA_SCRATCH;
}

static bool each_lane(struct look *l, uint32_t mask, const uint64_t *addr,
                      const uint8_t *data)
{
    const struct isa_message *msg = &l->op->inst->msg;
    uint32_t first;
    struct lane lane = shape_of(msg, &first);

    assert(lane.bytes <= sizeof(lane.value));
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint64_t at = addr[i] + first;

        if (l->space == GLOBAL_SPACE && is_own(addr[i]))
            continue;
        if (l->known)
            take_values(msg, i, data, &lane);
        for (uint32_t c = 0; lane.holes != 0 && c < lane.bytes; c += 4)
            if (!(lane.holes >> c / 4 & 1) &&
                !look_through(l, at + c, 4, lane.value + c))
                return false;
        if (lane.holes == 0 && !look_through(l, at, lane.bytes, lane.value))
            return false;
    }
    if (l->known && (mask & (mask - 1)) != 0)
        compare_lanes(l, mask, addr, data, lane);
    return true;
}

static uint64_t space_of(struct race_watch *w, const uint8_t *slm)
{
    uint32_t i = 0;

    while (i < w->slms && w->slm[i] != slm)
        i++;
    if (i == w->slms) {
        assert(w->slms < EMU_MAX_HW_THREADS); /* groups that are resident at once */
        w->slm[w->slms++] = slm;
    }
    return FIRST_SLM + i;
}

void emu_race_access(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                     enum emu_space space, const uint64_t *addr, const uint8_t *data)
{
    const struct isa_message *msg = &op->inst->msg;
    struct race_watch *w = t->m->watch;
    uint64_t group = t->number / t->m->threads_per_group;
    bool atomic = msg->is_read && msg->is_write;
    struct look l = {.t = t, .op = op, .w = w, .write = msg->is_write};

    if (msg->sub_type == ISA_TYPED_MEDIA &&
        (msg->family == ISA_MSG_TYPED_READ || msg->family == ISA_MSG_TYPED_WRITE))
        return;
    if (msg->family == ISA_MSG_SAMPLER)
        mask &= (1U << ISA_TEXEL_FURTHER) - 1;
    l.touch = (struct touch){.thread = (uint32_t)t->number,
                             .inst = (uint16_t)op->index,
                             .phase = w->phase[group % EMU_MAX_HW_THREADS] &
                                      (unsigned)MAX_PHASE,
                             .atomic = atomic,
                             .there = true};
    l.known = msg->is_write && !atomic && data != NULL;
    l.space = space == EMU_SPACE_SLM ? space_of(w, t->m->group.slm) : GLOBAL_SPACE;
    if (!each_lane(&l, mask, addr, data))
        emu_error(t, op, "out of memory, looking for races");
}

/* ---- groups ------------------------------------------------------------------- */

void emu_race_group(struct emu_machine *m, uint64_t number)
{
    m->watch->phase[number % EMU_MAX_HW_THREADS] = 1;
}

/* Its accesses so far come before all that follow. */
static void age(const struct emu_machine *m, uint64_t number, struct touch kept[2])
{
    for (unsigned k = 0; k < 2; k++)
        if (kept[k].there && kept[k].thread / m->threads_per_group == number)
            kept[k].phase = 0;
}

void emu_race_barrier(struct emu_machine *m, uint64_t number)
{
    struct race_watch *w = m->watch;
    uint16_t *phase = &w->phase[number % EMU_MAX_HW_THREADS];

    if (++*phase <= MAX_PHASE)
        return;
    *phase = 1;
    for (uint32_t i = 0; i < w->size; i++)
        for (uint32_t k = 0;
             w->table[i].cell != NULL && k < (w->table[i].bytes ? PAGE : PAGE / 4U);
             k++) {
            age(m, number, w->table[i].cell[k].write);
            age(m, number, w->table[i].cell[k].read);
        }
}

/* ---- a launch ------------------------------------------------------------------ */

enum igpu_status emu_race_begin(struct emu_machine *m, struct igpu_err *err)
{
    if (m->launch->races == NULL)
        return IGPU_OK;
    if (m->p->code->count > MAX_INST ||
        m->end_group > UINT32_MAX / m->threads_per_group)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: races are looked for in kernels of up to %d "
                         "instructions, in launches of less than 2^32 threads",
                         m->p->name, MAX_INST);
    m->watch = calloc(1, sizeof(*m->watch));
    return m->watch != NULL ? IGPU_OK : igpu_no_memory(err, "looking for races");
}

static void race_tell(const struct emu_machine *m)
{
    const struct emu_races *to = m->launch->races;
    const struct race_watch *w = m->watch;
    uint64_t pairs = w->races > RACES_TOLD ? w->races - RACES_TOLD : 0;
    uint64_t times = w->others;
    char text[1024];

    for (uint32_t i = 0; i < w->races; i++) {
        if (i >= RACES_TOLD) {
            times += w->race[i].times;
            continue;
        }
        emu_race_text(m, &w->race[i], text, sizeof(text));
        to->tell(to->ctx, text);
    }
    if (pairs == 0)
        return;
    (void)snprintf(
        text, sizeof(text),
        "race in kernel %s: %s%llu more pairs of instructions, %llu accesses",
        m->p->name, w->others > 0 ? "over " : "", (unsigned long long)pairs,
        (unsigned long long)times);
    to->tell(to->ctx, text);
}

void emu_race_end(struct emu_machine *m)
{
    struct race_watch *w = m->watch;

    if (w == NULL)
        return;
    race_tell(m);
    for (uint32_t i = 0; i < w->size; i++)
        free(w->table[i].cell);
    free(w->table);
    free(w);
    m->watch = NULL;
}
