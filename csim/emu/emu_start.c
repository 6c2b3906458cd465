/* emu_start.c - a thread's registers at its start, and the payload all share.
 * Source: docs/develop/sources.md#gen9-abi. */
#include "emu_int.h"

#include <inttypes.h>
#include <stdlib.h>

#include "igpu/va.h"

/* ---- cross-thread payload ----------------------------------------------- */

static void payload_put(uint8_t *at, uint32_t room, const void *from, size_t bytes)
{
    memcpy(at, from, bytes < room ? bytes : room);
}

static void put_sizes(uint8_t *at, uint32_t room, const uint64_t *size)
{
    uint32_t v[3] = {(uint32_t)size[0], (uint32_t)size[1], (uint32_t)size[2]};

    payload_put(at, room, v, sizeof(v));
}

static enum igpu_status fill_value(const struct emu_machine *m,
                                   const struct emu_payload *e, uint8_t *at,
                                   struct igpu_err *err)
{
    const struct emu_arg *arg = &m->launch->arg[e->arg];

    /* Compilers round the piece of a short argument up to a dword. */
    if (arg->kind != EMU_ARG_VALUE || e->source_offset > arg->size ||
        (e->size > 4 && e->size > arg->size - e->source_offset))
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: argument %u must be a value of at least %u bytes",
                         m->p->name, e->arg, e->source_offset + e->size);
    payload_put(at, e->size, (const uint8_t *)arg->value + e->source_offset,
                arg->size - e->source_offset);
    return IGPU_OK;
}

/* __local arguments follow the static SLM in argument order. */
static enum igpu_status fill_slm(struct emu_machine *m, const struct emu_payload *e,
                                 uint8_t *at, struct igpu_err *err)
{
    const struct emu_arg *arg = &m->launch->arg[e->arg];
    uint32_t align = e->alignment ? e->alignment : 16;
    uint64_t start = ((uint64_t)m->slm_bytes + align - 1) / align * align;

    if (arg->kind != EMU_ARG_LOCAL || arg->size > EMU_SLM_MAX ||
        start + arg->size > EMU_SLM_MAX)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: argument %u must be local memory; %" PRIu64
                         " bytes after %u of at most %d",
                         m->p->name, e->arg, arg->size, m->slm_bytes, EMU_SLM_MAX);
    payload_put(at, e->size, &start, sizeof(start));
    m->slm_bytes = (uint32_t)(start + arg->size);
    return IGPU_OK;
}

static enum igpu_status fill_address(const struct emu_machine *m,
                                     const struct emu_payload *e, uint8_t *at,
                                     struct igpu_err *err)
{
    const struct emu_arg *arg = &m->launch->arg[e->arg];

    if (arg->kind != EMU_ARG_BUFFER)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u must be a buffer",
                         m->p->name, e->arg);
    payload_put(at, e->size, &arg->va, sizeof(arg->va));
    return IGPU_OK;
}

/* A dword about an image or sampler argument. */
static enum igpu_status fill_query(const struct emu_machine *m,
                                   const struct emu_payload *e, uint8_t *at,
                                   struct igpu_err *err)
{
    const struct emu_arg *arg = &m->launch->arg[e->arg];
    bool image = e->kind <= EMU_PAYLOAD_IMAGE_LEVELS;
    uint32_t value;

    if (image ? arg->kind != EMU_ARG_IMAGE || arg->image == NULL
              : arg->kind != EMU_ARG_SAMPLER || arg->sampler == NULL)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u must be %s",
                         m->p->name, e->arg, image ? "an image" : "a sampler");
    value = image ? emu_image_query(arg->image, e->kind)
                  : emu_sampler_query(arg->sampler, e->kind);
    payload_put(at, e->size, &value, sizeof(value));
    return IGPU_OK;
}

static enum igpu_status fill_entry(struct emu_machine *m, const struct emu_payload *e,
                                   uint8_t *at, struct igpu_err *err)
{
    const struct emu_launch *l = m->launch;
    uint64_t private_va = IGPU_VA_PRIVATE, groups[3] = {0};
    uint64_t base;
    bool is_part = l->part.local[0] != 0;
    bool of_arg = e->kind <= EMU_PAYLOAD_BUFFER_OFFSET;

    if (of_arg && e->arg >= l->arg_count)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u is missing",
                         m->p->name, e->arg);
    if (e->kind >= EMU_PAYLOAD_IMAGE_WIDTH && e->kind <= EMU_PAYLOAD_SAMPLER_SNAP)
        return fill_query(m, e, at, err);
    switch (e->kind) {
    case EMU_PAYLOAD_ARG_VALUE:
        return fill_value(m, e, at, err);
    case EMU_PAYLOAD_ARG_ADDRESS:
        return fill_address(m, e, at, err);
    case EMU_PAYLOAD_ARG_SLM:
        return fill_slm(m, e, at, err);
    case EMU_PAYLOAD_BUFFER_OFFSET:
        payload_put(at, e->size, &l->arg[e->arg].before, sizeof(l->arg[e->arg].before));
        break;
    case EMU_PAYLOAD_GLOBAL_OFFSET:
        put_sizes(at, e->size, l->offset);
        break;
    case EMU_PAYLOAD_LOCAL_SIZE:
        put_sizes(at, e->size, m->local);
        break;
    case EMU_PAYLOAD_ENQUEUED_LOCAL_SIZE:
        put_sizes(at, e->size, is_part ? l->part.local : m->local);
        break;
    case EMU_PAYLOAD_GLOBAL_SIZE:
        put_sizes(at, e->size, is_part ? l->part.global : m->global);
        break;
    case EMU_PAYLOAD_GROUP_COUNT:
        for (uint32_t d = 0; is_part && d < 3; d++)
            groups[d] = (l->part.global[d] + l->part.local[d] - 1) / l->part.local[d];
        put_sizes(at, e->size, is_part ? groups : m->groups);
        break;
    case EMU_PAYLOAD_WORK_DIM:
        payload_put(at, e->size, &l->work_dim, sizeof(l->work_dim));
        break;
    case EMU_PAYLOAD_PRIVATE_BASE:
        payload_put(at, e->size, &private_va, sizeof(private_va));
        break;
    case EMU_PAYLOAD_PRINTF_BUFFER:
        payload_put(at, e->size, &l->printf_va, sizeof(l->printf_va));
        break;
    case EMU_PAYLOAD_BASE:
        base = emu_payload_base(e);
        payload_put(at, e->size, &base, sizeof(base));
        break;
    default:
        break;
    }
    return IGPU_OK;
}

/* The hardware gives a group a power of two of KB, and checks nothing within it. */
static uint32_t allocated_slm(uint32_t bytes)
{
    uint32_t size = bytes == 0 ? 0 : 1024;

    while (size < bytes)
        size *= 2;
    return size;
}

enum igpu_status emu_fill_payload(struct emu_machine *m, struct igpu_err *err)
{
    const struct emu_program *p = m->p;
    enum igpu_status status = IGPU_OK;

    m->payload = calloc(1, p->cross_bytes + 1);
    if (m->payload == NULL)
        return igpu_no_memory(err, "a launch");
    m->slm_bytes = p->k.slm_bytes;
    for (uint32_t i = 0; i < p->k.payload_count && status == IGPU_OK; i++)
        status = fill_entry(m, &p->payload[i], m->payload + p->payload[i].offset, err);
    m->slm_bytes = allocated_slm(m->slm_bytes);
    return status;
}

/* ---- a thread ----------------------------------------------------------- */

static void fill_local_ids(const struct emu_machine *m, uint32_t index, uint8_t *to)
{
    const struct emu_kernel *k = &m->p->k;
    const uint32_t *walk = k->walk_order;
    uint32_t stride = k->simd == 32 ? 64 : 32;

    for (uint32_t lane = 0; lane < k->simd; lane++) {
        uint64_t item = (uint64_t)index * k->simd + lane;
        uint64_t id[3];

        id[walk[0]] = item % m->local[walk[0]];
        item /= m->local[walk[0]];
        id[walk[1]] = item % m->local[walk[1]];
        id[walk[2]] = item / m->local[walk[1]];
        for (uint32_t d = 0; d < k->local_id_dims; d++)
            ((emu_uw *)(to + d * stride))[lane] = (uint16_t)id[d];
    }
}

/* r0, local ids, payload. */
enum igpu_status emu_fill_start(struct emu_machine *m, struct igpu_err *err)
{
    const struct emu_program *p = m->p;
    uint32_t cross = p->cross_grf * (uint32_t)ISA_GRF_BYTES;

    m->start_bytes = cross + p->cross_bytes;
    m->start = malloc((size_t)m->start_bytes * m->threads_per_group);
    if (m->start == NULL)
        return igpu_no_memory(err, "local ids");
    for (uint32_t i = 0; i < m->threads_per_group; i++) {
        uint8_t *to = m->start + (size_t)i * m->start_bytes;

        memset(to, 0, ISA_GRF_BYTES);
        memset(to + ISA_GRF_BYTES, EMU_POISON, cross - ISA_GRF_BYTES);
        fill_local_ids(m, i, to + ISA_GRF_BYTES);
        memcpy(to + cross, m->payload, p->cross_bytes);
    }
    return IGPU_OK;
}

/* What r0 has of a group goes into its threads' start. */
static void note_header(struct emu_machine *m)
{
    const uint64_t *first = m->launch->part.first;

    m->birth.header[0] = (uint32_t)(m->group.at[0] + first[0]);
    m->birth.header[2] = (uint32_t)(m->group.at[1] + first[1]);
    m->birth.header[3] = (uint32_t)(m->group.at[2] + first[2]);
}

/* Where the scratch of a share is, and which it is. */
static uint32_t scratch_of(const struct emu_machine *m, uint32_t resident)
{
    return (IGPU_VA_SCRATCH_GAP + resident * m->scratch_slice) | resident;
}

static void put_header(uint8_t *to, const struct emu_machine *m, uint32_t resident)
{
    static const uint8_t word[JIT_HEADER] = JIT_HEADER_WORDS;
    emu_ud *r0 = (emu_ud *)to;

    for (uint32_t i = 0; i < JIT_HEADER; i++)
        r0[word[i]] = m->birth.header[i];
    r0[word[1]] = scratch_of(m, resident);
}

/* Thread, EU, subslice as sr0.0 codes them, for 7 threads on 8 EUs. */
static uint32_t state_of(uint32_t resident)
{
    return resident % 7 | resident / 7 % 8 << 8 | resident / 56 % 4 << 12;
}

void emu_set_group(struct emu_machine *m, uint64_t number)
{
    uint64_t row = number / m->groups[0];

    m->group.at[0] = number - row * m->groups[0];
    m->group.at[1] = row % m->groups[1];
    m->group.at[2] = row / m->groups[1];
    m->group.first = number * m->threads_per_group;
    m->group.share = (uint32_t)(m->group.first % m->hw_threads);
    note_header(m);
}

/* The share of the pools that thread `index` of the group has. */
static uint32_t share_of(const struct emu_machine *m, uint32_t index)
{
    uint32_t share = m->group.share + index;

    return share < m->hw_threads ? share : share - m->hw_threads;
}

/* All headers long before they are read: hosts are slow to read together what was just
 * written in pieces. */
void emu_head_group(struct emu_machine *m)
{
    uint8_t *to = m->start;

    for (uint32_t i = 0; i < m->threads_per_group; i++, to += m->start_bytes)
        put_header(to, m, share_of(m, i));
}

/* What is cleared of a thread: all registers, those that are read before they are
 * written, or those of a thread that begins with all lanes. */
enum clear { CLEAR_ALL, CLEAR_READ, CLEAR_FULL };

/* Bytes of a thread behind its registers. Of a size that it knows a compiler makes a
 * string instruction, behind which loads wait until memory has everything. */
static const volatile size_t rest =
    offsetof(struct emu_thread, pc) - offsetof(struct emu_thread, flag);

static void clear_accumulators(struct emu_thread *t)
{
    memset(t->acc, EMU_POISON, sizeof(t->acc));
    memset(t->acc_wide, 0, sizeof(t->acc_wide));
}

static void clear_macros(struct emu_thread *t)
{
    for (uint32_t i = 0; i < EMU_MME_COUNT; i++) {
        t->mme[i].near = UINT32_MAX;
        memset(t->mme[i].value, 0, sizeof(t->mme[i].value));
    }
}

static inline void clear(struct emu_thread *t, const struct emu_program *p,
                         enum clear how)
{
    const struct emu_runs *runs = &p->read[how == CLEAR_FULL];

    if (how == CLEAR_ALL) {
        memset(t->grf, EMU_POISON, sizeof(t->grf));
        memset(t->pc, 0, sizeof(t->pc));
    }
    for (uint32_t i = 0; how != CLEAR_ALL && i < runs->count; i++)
        memset(t->grf + runs->run[i].at, EMU_POISON, runs->run[i].bytes);
    if (how == CLEAR_ALL || p->has_acc)
        clear_accumulators(t);
    if (p->has_macros)
        clear_macros(t);
    memset((uint8_t *)t + offsetof(struct emu_thread, flag), 0, rest);
}

static inline __attribute__((always_inline)) void
thread_start(struct emu_machine *m, struct emu_thread *t, uint32_t index,
             enum clear how, uint32_t lanes)
{
    const struct emu_program *p = m->p;
    const uint8_t *from = m->start + (size_t)index * m->start_bytes;
    uint32_t cross = p->cross_grf * (uint32_t)ISA_GRF_BYTES;
    bool all = how == CLEAR_ALL, full = how == CLEAR_FULL;

    clear(t, p, how);
    memcpy(t->grf, from, all ? cross : p->id_end[full]);
    memcpy(t->grf + cross, from + cross,
           (all ? m->start_bytes : p->cross_end[full]) - cross);
    t->m = m;
    t->number = m->group.first + index;
    t->live = t->active = t->state[2] = igpu_low_bits(lanes);
    t->next_pc = UINT32_MAX;
    t->counts.threads = 1;
    emu_set_mode(t, emu_mode(0));
}

static uint32_t lanes_of(const struct emu_machine *m, uint32_t index)
{
    uint32_t simd = m->p->k.simd, left = m->items - index * simd;

    return left < simd ? left : simd;
}

void emu_thread_start_at(struct emu_machine *m, struct emu_thread *t, uint32_t index,
                         uint32_t resident)
{
    thread_start(m, t, index, CLEAR_ALL, lanes_of(m, index));
    put_header(t->grf, m, resident);
    t->state[0] = state_of(resident);
}

void emu_thread_start(struct emu_machine *m, struct emu_thread *t, uint32_t index)
{
    uint32_t lanes = lanes_of(m, index);

    if (lanes < m->p->k.simd)
        thread_start(m, t, index, CLEAR_READ, lanes);
    else
        thread_start(m, t, index, CLEAR_FULL, lanes);
    if (m->p->reads_state)
        t->state[0] = state_of(share_of(m, index));
}

void emu_thread_start_translated(struct emu_machine *m, struct emu_thread *t,
                                 uint32_t index)
{
    uint32_t share = share_of(m, index);
    uint8_t *row = m->start + (size_t)index * m->start_bytes;
    uint8_t how = JIT_UNBEGUN;
    bool tells = m->log != NULL;

    t->m = m;
    if (tells)
        emu_log_block(t, 0);
    if (lanes_of(m, index) == m->p->k.simd) {
        m->birth.row = row;
        m->birth.header[1] = scratch_of(m, share);
        m->birth.state = m->p->reads_state ? state_of(share) : 0;
        m->birth.number = m->group.first + index;
        t->turn_end = m->turn;
        t->counts.instructions = 0;
        how = m->translated(t, tells ? emu_log_bound(t, m->turn) : m->turn, &m->birth);
    }
    if (how == JIT_UNBEGUN) {
        put_header(row, m, share);
        emu_thread_start(m, t, index);
        t->turn_end = m->turn;
        t->inside = true; /* its first block is entered */
    }
    if (how != JIT_RAN || tells || t->stop == EMU_STOP_NONE)
        emu_go_on(t, how);
}
