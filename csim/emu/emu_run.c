/* emu_run.c - a launch: what it needs, and its groups one after the other. */
#include "emu_alike.h"
#include "emu_jit_int.h"
#include "emu_race.h"

#include <inttypes.h>
#include <stdlib.h>

#include "igpu/floats.h"
#include "igpu/limits.h"
#include "igpu/va.h"

_Static_assert((int)EMU_MAX_HW_THREADS >= (int)LIMIT_PLACES, "the largest machine's");
enum { DEFAULT_HW_THREADS = 168, MAX_GROUP_ITEMS = 1024 };

/* Instructions a thread runs in one go: few where threads of a group may race on shared
 * memory without a barrier; in other kernels enough for a thread that waits for
 * another to let it come. */
enum { TURN_SHARED = 64, TURN_ELSE = 1 << 16 };

/* Instructions of a launch behind which host threads are worth their start: about 2 ms
 * against 0.2 ms. */
enum { ALONE = 1 << 16 };

/* And behind which its first groups tell how long it will be. */
enum { TELLING = 1 << 15 };

/* Groups of dimension d that part number `k` has, and their size: whole ones, and
 * behind them, when k's bit d is set, the one that is cut off. */
static uint64_t launch_cut(const struct emu_launch *whole, uint32_t d, uint32_t k,
                           struct emu_launch *part)
{
    uint64_t l = whole->local[d], rest = whole->global[d] % l;
    uint64_t full = whole->global[d] - rest;
    bool last = k >> d & 1;

    part->global[d] = last ? rest : full;
    part->local[d] = last ? rest : l;
    part->part.first[d] = last ? full / l : 0;
    return part->global[d];
}

uint32_t emu_split(const struct emu_launch *whole,
                   struct emu_launch part[EMU_MAX_PARTS])
{
    uint32_t count = 0, dims = whole->work_dim < 3 ? whole->work_dim : 3;

    for (uint32_t d = 0; d < dims; d++)
        if (whole->local[d] == 0 || whole->global[d] == 0)
            return 0;
    for (uint32_t k = 0; k < 1u << dims; k++) {
        uint64_t items = 1;

        part[count] = *whole;
        for (uint32_t d = 0; d < 3; d++) {
            part[count].part.global[d] = d < dims ? whole->global[d] : 1;
            part[count].part.local[d] = d < dims ? whole->local[d] : 1;
            if (d < dims)
                items *= launch_cut(whole, d, k, &part[count]);
        }
        count += items != 0;
    }
    return count;
}

/* ---- setting up --------------------------------------------------------- */

static enum igpu_status set_sizes(struct emu_machine *m, struct igpu_err *err)
{
    const struct emu_launch *l = m->launch;
    uint64_t items = 1, threads = 1;

    if (l->work_dim < 1 || l->work_dim > 3)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: %u work dimensions, not 1 to 3",
                         m->p->name, l->work_dim);
    for (uint32_t d = 0; d < 3; d++) {
        m->global[d] = d < l->work_dim ? l->global[d] : 1;
        m->local[d] = d < l->work_dim ? l->local[d] : 1;
        if (m->local[d] == 0 || m->local[d] > MAX_GROUP_ITEMS || m->global[d] == 0 ||
            m->global[d] > UINT32_MAX || m->global[d] % m->local[d] != 0)
            return igpu_fail(err, IGPU_USAGE,
                             "kernel %s: global size %" PRIu64
                             " is not a multiple of local size %" PRIu64
                             " (1 to %d) in dimension %u",
                             m->p->name, m->global[d], m->local[d], MAX_GROUP_ITEMS, d);
        items *= m->local[d];
        m->groups[d] = m->global[d] / m->local[d];
    }
    if (items > MAX_GROUP_ITEMS)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: %" PRIu64 " work items in a group, more than %d",
                         m->p->name, items, MAX_GROUP_ITEMS);
    m->items = (uint32_t)items;
    m->threads_per_group = emu_threads_per_group(m->p, items);
    threads = m->threads_per_group;
    m->hw_threads = l->hw_threads ? l->hw_threads : DEFAULT_HW_THREADS;
    if (m->hw_threads > EMU_MAX_HW_THREADS || m->hw_threads < threads)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: a group of %" PRIu64
                         " threads on %u hardware threads (at most %d)",
                         m->p->name, threads, m->hw_threads, EMU_MAX_HW_THREADS);
    m->first_group = l->first_group;
    m->end_group = m->groups[0] * m->groups[1] * m->groups[2];
    if (m->first_group >= m->end_group ||
        l->group_count > m->end_group - m->first_group)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel %s: groups from %" PRIu64 " on, %" PRIu64
                         " of them, in a launch of %" PRIu64,
                         m->p->name, l->first_group, l->group_count, m->end_group);
    if (l->group_count != 0)
        m->end_group = m->first_group + l->group_count;
    return IGPU_OK;
}

/* Does the code reach the surface? Some have an entry only. */
static bool uses(const struct emu_program *p, uint32_t bti)
{
    for (uint32_t i = 0; i < p->code->count; i++) {
        const struct isa_message *msg = &p->code->inst[i].msg;

        if (msg->addr_model == ISA_ADDR_BTI && msg->bti == bti)
            return true;
    }
    return false;
}

/* Bytes of the argument's surface in front of its address: a kernel that is not told
 * where in it the address lies has a surface that begins there. */
static uint64_t before(const struct emu_machine *m, uint32_t arg)
{
    for (uint32_t i = 0; i < m->p->k.payload_count; i++)
        if (m->p->payload[i].kind == EMU_PAYLOAD_BUFFER_OFFSET &&
            m->p->payload[i].arg == arg)
            return m->launch->arg[arg].before;
    return 0;
}

/* A surface of the program's own, at an address in the payload: the mapping there. */
static enum igpu_status bind_base(struct emu_machine *m, const struct emu_surface *s,
                                  struct igpu_err *err)
{
    uint32_t piece = s->arg - EMU_SURFACE_AT_BASE, flags;
    const struct emu_payload *e = &m->p->payload[piece];
    uint64_t va, bytes;
    const void *host;

    if (piece >= m->p->k.payload_count || e->kind != EMU_PAYLOAD_BASE || s->is_image)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: surface %u is none", m->p->name,
                         s->bti);
    for (uint32_t i = 0; emu_mem_mapping(m->mem, i, &va, &host, &bytes, &flags); i++)
        if (va == emu_payload_base(e))
            m->surface[s->bti] =
                (struct emu_bound){.va = va, .bytes = bytes, .bound = true};
    return IGPU_OK;
}

static enum igpu_status bind_surfaces(struct emu_machine *m, struct igpu_err *err)
{
    const struct emu_kernel *k = &m->p->k;

    if (m->launch->arg_count < k->arg_count)
        return igpu_fail(err, IGPU_USAGE, "kernel %s: %u arguments, expected %u",
                         m->p->name, m->launch->arg_count, k->arg_count);
    for (uint32_t i = 0; i < k->surface_count; i++) {
        const struct emu_surface *s = &k->surface[i];
        uint64_t first;

        if (s->arg >= EMU_SURFACE_AT_BASE) {
            enum igpu_status status = bind_base(m, s, err);

            if (status != IGPU_OK)
                return status;
            continue;
        }
        if (s->is_image)
            continue;
        if (s->arg >= m->launch->arg_count ||
            m->launch->arg[s->arg].kind != EMU_ARG_BUFFER)
            return igpu_fail(err, IGPU_USAGE, "kernel %s: argument %u must be a buffer",
                             m->p->name, s->arg);
        first = before(m, s->arg);
        if (m->launch->arg[s->arg].size + first > (uint64_t)1 << 32 &&
            uses(m->p, s->bti))
            return igpu_fail(err, IGPU_USAGE,
                             "kernel %s: argument %u: a buffer of %" PRIu64
                             " bytes; over 4 GB the kernel must be built with "
                             "-cl-intel-greater-than-4GB-buffer-required",
                             m->p->name, s->arg, m->launch->arg[s->arg].size + first);
        m->surface[s->bti].va = m->launch->arg[s->arg].va - first;
        m->surface[s->bti].bytes = m->launch->arg[s->arg].size + first;
        m->surface[s->bti].bound = true;
    }
    return emu_bind_images(m, err);
}

/* Pools that threads resident at a time share out. Slices of scratch are whole KB. */
static enum igpu_status map_pools(struct emu_machine *m, struct igpu_err *err)
{
    const struct emu_kernel *k = &m->p->k;
    uint64_t bytes = (uint64_t)k->private_bytes * k->simd * m->hw_threads;
    enum igpu_status status = IGPU_OK;

    m->scratch_slice = (k->scratch_bytes + 1023) / 1024 * 1024;
    if (m->scratch_slice != 0) {
        uint64_t size = (uint64_t)m->scratch_slice * m->hw_threads;

        m->scratch = calloc(1, size);
        if (m->scratch == NULL)
            return igpu_no_memory(err, "scratch space");
        status = emu_mem_map_at(m->mem, IGPU_VA_SCRATCH + IGPU_VA_SCRATCH_GAP,
                                m->scratch, size, 0, err);
    }
    if (bytes != 0 && status == IGPU_OK) {
        m->private_pool = calloc(1, bytes);
        if (m->private_pool == NULL)
            return igpu_no_memory(err, "private memory");
        status =
            emu_mem_map_at(m->mem, IGPU_VA_PRIVATE, m->private_pool, bytes, 0, err);
    }
    return status;
}

enum igpu_status emu_set_up(struct emu_machine *m, uint32_t least_hw,
                            struct igpu_err *err)
{
    enum igpu_status status = set_sizes(m, err);

    m->spread = m->hw_threads;
    if (m->hw_threads < least_hw)
        m->hw_threads = least_hw;

    if (status == IGPU_OK)
        status = bind_surfaces(m, err);
    if (status == IGPU_OK)
        status = emu_fill_payload(m, err);
    if (status == IGPU_OK)
        status = emu_fill_start(m, err);
    if (status == IGPU_OK)
        status = map_pools(m, err);
    if (status == IGPU_OK)
        status = emu_race_begin(m, err);
    if (status != IGPU_OK)
        return status;
    m->group.thread =
        aligned_alloc(EMU_LINE, m->threads_per_group * sizeof(*m->group.thread));
    m->group.slm = calloc(1, m->slm_bytes + 1u);
    m->turn = m->slm_bytes != 0 ? TURN_SHARED : TURN_ELSE;
    if (m->group.thread == NULL || m->group.slm == NULL)
        return igpu_no_memory(err, "the threads of a group");
    emu_alike_set_up(m);
    return emu_jit_set_up(m, err);
}

void emu_tear_down(struct emu_machine *m)
{
    emu_race_end(m);
    emu_alike_end(m);
    if (m->scratch != NULL)
        (void)emu_mem_unmap(m->mem, IGPU_VA_SCRATCH + IGPU_VA_SCRATCH_GAP);
    if (m->private_pool != NULL)
        (void)emu_mem_unmap(m->mem, IGPU_VA_PRIVATE);
    free(m->scratch);
    free(m->private_pool);
    free(m->payload);
    free(m->start);
    free(m->group.thread);
    free(m->group.slm);
    free(m->places);
    free(m->log);
}

/* ---- running ------------------------------------------------------------ */

static void thread_start(void *ctx, struct emu_machine *m, uint64_t number,
                         uint32_t place)
{
    (void)ctx, (void)place;
    emu_start_group(m, number);
}

static bool over(void *ctx, struct emu_machine *m, uint64_t number, uint32_t place)
{
    (void)ctx, (void)m, (void)number, (void)place;
    return true;
}

/* Groups in order until `limit` instructions were run. Returns the next one's number,
 * after an error the end. */
static uint64_t run_groups(struct emu_machine *m, uint64_t limit)
{
    uint64_t groups = m->end_group - m->first_group;
    uint64_t patience = groups > 1 && !emu_any_order(m->p) ? EMU_PATIENCE : UINT64_MAX;
    const struct emu_room room = {NULL, thread_start, over};
    bool told = false;

    for (uint64_t i = m->first_group; i < m->end_group; i++) {
        enum emu_over how;

        if (!told && m->counts.instructions >= TELLING) {
            emu_jit_expect(m, i - m->first_group, m->end_group - i);
            told = true;
        }
        if (m->counts.instructions >= limit &&
            (i > m->prove_at || m->prove_at == UINT64_MAX))
            return i;
        emu_start_group(m, i);
        if (i == m->prove_at)
            emu_alike_begin(m);
        how = emu_continue_group(m, patience);
        if (m->proves != NULL)
            emu_alike_ended(m);
        if (how == EMU_NOT_OVER)
            emu_run_resident(m, i, &room);
        if (how != EMU_OVER)
            break;
    }
    return m->end_group;
}

static enum igpu_status launch_run(const struct emu_program *program,
                                   struct emu_mem *mem, const struct emu_launch *launch,
                                   struct emu_counts *counts, struct igpu_err *err)
{
    struct emu_machine m = {.p = program, .launch = launch, .mem = mem, .err = err};
    uint32_t workers = 1;
    uint64_t alone = UINT64_MAX, done;

    m.status = emu_set_up(&m, 0, err);
    if (m.status == IGPU_OK) {
        workers = emu_workers(&m);
        if (workers > 1)
            alone = launch->alone ? launch->alone : ALONE;
        done = run_groups(&m, alone);
        if (done < m.end_group)
            emu_run_parallel(&m, workers, done);
    }
    emu_tear_down(&m);
    if (counts != NULL)
        *counts = m.counts;
    return m.status;
}

enum igpu_status emu_run(const struct emu_program *program, struct emu_mem *mem,
                         const struct emu_launch *launch, struct emu_counts *counts,
                         struct igpu_err *err)
{
    struct igpu_floats floats;
    enum igpu_status status;

    igpu_floats_begin(&floats);
    status = launch_run(program, mem, launch, counts, err);
    igpu_floats_end(&floats);
    return status;
}
