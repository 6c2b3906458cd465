/* view_load.c - how busy units and levels were; see view.h. */
#include "bridge/programs/view/view.h"

struct sum {
    struct view_load *loads;
    unsigned count;
};

static void sum_add(struct sum *s, const char *key, const char *text, double used,
                    double could)
{
    if (could > 0 && used > 0)
        s->loads[s->count++] = (struct view_load){key, text, used / could};
}

static void add_memory(struct sum *s, const struct igpu_config *c,
                       const struct sim_stats *n, double cycles)
{
    double ports = (double)c->gpu_subslices * cycles;
    double banks = (double)(c->l3_banks * c->gpu_slices) * cycles;
    double seconds = cycles / (double)c->gpu_clock_hz;
    double line = (double)((64 + c->gti_read_bytes - 1) / c->gti_read_bytes);
    double wide = (double)((64 + c->gti_write_bytes - 1) / c->gti_write_bytes);
    uint64_t reads;

    sum_add(s, "table", "data port's table full", (double)n->mem_message_full_cycles,
            ports);
    sum_add(s, "slm", "SLM banks", (double)n->slm_cycles, ports);
    sum_add(s, "lines", "lines from data port to L3", (double)n->mem_lines,
            ports * (double)c->dp_lines);
    sum_add(s, "back", "lines from L3 to data port", (double)n->mem_lines_back, ports);
    sum_add(s, "l3", "L3 banks", (double)n->l3_accesses, banks);
    sum_add(s, "gti_read", "GTI, reads", (double)n->gti_reads * line, cycles);
    sum_add(s, "gti_write", "GTI, writes", (double)n->gti_writes * wide, cycles);
    /* Its directions have a bus each, and nobody waits for what is written. Lines that
     * are written are taken for hits, as what was read before. */
    reads = n->edram_hits > n->edram_writes ? n->edram_hits - n->edram_writes : 0;
    sum_add(s, "edram", "eDRAM bus, reads", (double)(reads * 64),
            (double)c->edram_bus_bytes * (double)c->edram_clock_hz * seconds);
    sum_add(s, "dram", "DRAM bandwidth", (double)n->dram_bytes,
            16.0 * (double)c->dram_channels * (double)c->dram_clock_hz * seconds);
    sum_add(s, "sampler", "samplers", (double)n->tex_busy_cycles, ports);
    sum_add(s, "target", "render targets", (double)n->rt_busy_cycles,
            (double)c->gpu_slices * cycles);
}

unsigned view_loads(const struct view *v, uint32_t at,
                    struct view_load loads[VIEW_LOADS])
{
    const struct igpu_config *c = v->config;
    const struct sim_stats *n = &v->launch[at];
    const struct profile_result *r = &v->result[at];
    double cycles = (double)(r->end - r->start);
    double eus = (double)(c->gpu_subslices * c->eu_count) * cycles;
    struct sum s = {loads, 0};

    sum_add(&s, "fpu0", "FPU0", (double)n->eu_fpu0, eus);
    sum_add(&s, "fpu1", "FPU1", (double)n->eu_fpu1, eus);
    sum_add(&s, "send", "SEND", (double)n->eu_send, eus);
    sum_add(&s, "branch", "BRANCH", (double)n->eu_branch, eus);
    add_memory(&s, c, n, cycles);
    return s.count;
}

void view_room(const struct view *v, uint32_t at, struct view_room *room)
{
    const struct igpu_config *c = v->config;
    const struct trace_launch *l = trace_launch(v->reader, v->result[at].launch);
    const struct trace_kernel *k = view_kernel(v, at);
    uint32_t slots = (uint32_t)(c->eu_count * c->eu_threads), kb;
    uint32_t tpg = l->threads_per_group != 0 ? l->threads_per_group : 1, groups;

    kb = (l->slm_bytes + 1023) / 1024;
    kb = kb != 0 && kb < 4 ? 4 : kb;
    room->by_slots = slots / tpg;
    room->by_slm = kb != 0 ? (uint32_t)c->disp_slm_kb / kb : UINT32_MAX;
    room->by_barriers =
        k->barriers || kb != 0 ? (uint32_t)c->disp_barriers : UINT32_MAX;
    if (!k->barriers && kb == 0) {
        room->threads = slots;
        room->limit = "thread slots";
        return;
    }
    groups = room->by_slots;
    room->limit = "thread slots";
    if (room->by_slm < groups) {
        groups = room->by_slm;
        room->limit = "SLM";
    }
    if (room->by_barriers < groups) {
        groups = room->by_barriers;
        room->limit = "barriers";
    }
    room->threads = groups * tpg;
}
