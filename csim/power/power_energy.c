/* power_energy.c - events times energies, as docs/contract/power.md, section 3 says. */
#include <math.h>
#include <string.h>

#include "igpu/power.h"

enum plane { GPU, UNCORE, CORES, DRAM };

static const struct {
    enum plane plane;
    const char *name, *text;
} parts[POWER_PARTS] = {
#define POWER_PART(id, plane, name, text) {plane, name, text},
#include "igpu/power_parts.def"
#undef POWER_PART
};

static const char *const class_names[POWER_CLASSES] = {
#define POWER_CLASS(id, name) name,
#include "igpu/power_classes.def"
#undef POWER_CLASS
};

const char *power_class_name(enum power_class cls)
{
    return class_names[cls];
}

const char *power_part_name(enum power_part part)
{
    return parts[part].name;
}

const char *power_part_text(enum power_part part)
{
    return parts[part].text;
}

const char *power_plane_name(enum power_plane plane)
{
    static const char *const names[POWER_PLANES] = {"pkg", "pp0", "pp1", "dram"};

    return names[plane];
}

/* ---- voltage ------------------------------------------------------------- */

double power_volts(const struct igpu_config *c, double hz)
{
    const struct {
        double hz;
        uint64_t mv;
    } point[] = {{300e6, c->power_v_300},   {500e6, c->power_v_500},
                 {700e6, c->power_v_700},   {900e6, c->power_v_900},
                 {1050e6, c->power_v_1050}, {1150e6, c->power_v_1150}};
    enum { POINTS = sizeof(point) / sizeof(point[0]) };
    unsigned i = 1;

    if (hz <= point[0].hz)
        return (double)point[0].mv / 1e3;
    while (i < POINTS && hz > point[i].hz)
        i++;
    if (i == POINTS)
        return (double)point[POINTS - 1].mv / 1e3;
    return ((double)point[i - 1].mv + ((double)point[i].mv - (double)point[i - 1].mv) *
                                          (hz - point[i - 1].hz) /
                                          (point[i].hz - point[i - 1].hz)) /
           1e3;
}

void power_model_init(struct power_model *m, const struct igpu_config *config)
{
    double ratio;

    m->config = *config;
    m->volts = power_volts(config, (double)config->gpu_clock_hz);
    ratio = m->volts * 1e3 / (double)config->power_v_ref;
    m->switching = ratio * ratio;
    m->leakage = pow(ratio, (double)config->power_leak_exponent);
}

/* ---- the EUs' switching -------------------------------------------------- */

/* fJ of a lane's operation at 45 nm. */
static uint64_t operation(const struct igpu_config *c, enum power_class cls)
{
    switch (cls) {
    case POWER_MOVE:
        return c->power_op_move;
    case POWER_INT_ADD:
        return c->power_op_int_add;
    case POWER_INT_MUL:
        return c->power_op_int_mul;
    case POWER_INT_MAD:
        return c->power_op_int_mul + c->power_op_int_add;
    case POWER_INT64:
        return c->power_op_int64;
    case POWER_HALF_ADD:
        return c->power_op_half_add;
    case POWER_HALF_MUL:
        return c->power_op_half_mul;
    case POWER_HALF_MAD:
        return c->power_op_half_mul + c->power_op_half_add;
    case POWER_SINGLE_ADD:
        return c->power_op_single_add;
    case POWER_SINGLE_MUL:
        return c->power_op_single_mul;
    case POWER_SINGLE_MAD:
        return c->power_op_single_mul + c->power_op_single_add;
    case POWER_DOUBLE_ADD:
        return c->power_op_double_add;
    case POWER_DOUBLE_MUL:
        return c->power_op_double_mul;
    case POWER_DOUBLE_MAD:
        return c->power_op_double_mul + c->power_op_double_add;
    case POWER_MATH:
        return c->power_op_math;
    case POWER_MATH2:
        return c->power_op_math2;
    case POWER_INT_DIV:
        return c->power_op_int_div;
    default:
        return 0;
    }
}

/* Of the lanes of all instructions, those that were enabled. */
static double enabled(const struct power_events *e)
{
    uint64_t slots = 0;

    for (unsigned i = 0; i < POWER_CLASSES; i++)
        slots += e->cls[i].slots;
    if (slots == 0 || e->lanes >= slots)
        return 1;
    return (double)e->lanes / (double)slots;
}

/* Events whose energy goes with the data, as so many of random data. */
static double with_data(const struct igpu_config *c, uint64_t events, uint64_t data)
{
    double share = (double)c->power_data_share / 1e3;

    return (double)events +
           share * ((double)data / (double)POWER_RANDOM - (double)events);
}

static void eu_parts(const struct power_model *m, const struct power_events *e,
                     struct power_report *r)
{
    const struct igpu_config *c = &m->config;
    double volts = m->switching / 1e3, scale = (double)c->power_eu_scale / 1e3;
    double p45 = volts * (double)c->power_process45 / 1e3;
    double p28 = volts * (double)c->power_process28 / 1e3;
    double lanes = enabled(e);

    for (unsigned i = 0; i < POWER_CLASSES; i++) {
        const struct power_class_events *n = &e->cls[i];
        double fpu = with_data(c, n->work, n->work_data) * lanes * scale * p45 *
                     (double)operation(c, (enum power_class)i);
        double grf =
            scale * p28 *
            (with_data(c, n->reads, n->reads_data) * (double)c->power_grf_read +
             with_data(c, n->writes, n->writes_data) * (double)c->power_grf_write +
             (double)n->accs * (double)c->power_acc +
             with_data(c, n->regions, n->regions_data) * (double)c->power_region);
        double front = (double)n->issued * volts * (double)c->power_front_end;
        double icache = (double)n->bytes / 16 * p45 * (double)c->power_icache;
        double send = (double)n->moved * p28 * (double)c->power_send;

        r->part_pj[POWER_PART_fpu] += fpu;
        r->part_pj[POWER_PART_grf] += grf;
        r->part_pj[POWER_PART_front_end] += front;
        r->part_pj[POWER_PART_icache] += icache;
        r->part_pj[POWER_PART_send] += send;
        r->class_pj[i] = fpu + grf + front + icache + send;
    }
}

/* ---- the rest of the GPU ------------------------------------------------- */

static void clock_parts(const struct power_model *m, const struct power_events *e,
                        struct power_report *r)
{
    const struct igpu_config *c = &m->config;
    double fj = m->switching / 1e3;
    double eus = (double)(c->gpu_subslices * c->eu_count);
    double open = (double)e->eu_cycles, cycles = (double)e->cycles;
    double idle = cycles * eus > open ? cycles * eus - open : 0;
    double uw = m->leakage * r->seconds * 1e6; /* uW for that long, in pJ */

    r->part_pj[POWER_PART_clock_eu] =
        fj * (double)c->power_eu_scale / 1e3 * (double)c->power_clock_eu *
        (open + idle * (double)c->power_clock_gated / 1e3);
    r->part_pj[POWER_PART_clock] =
        fj * cycles *
        ((double)(c->gpu_subslices * c->power_clock_subslice) +
         (double)(c->gpu_slices * c->power_clock_slice) +
         (double)c->power_clock_unslice);
    r->part_pj[POWER_PART_leak_eu] = uw * eus * (double)c->power_leak_eu;
    r->part_pj[POWER_PART_leak] =
        uw *
        ((double)(c->gpu_subslices * c->power_leak_subslice) +
         (double)(c->gpu_slices * c->power_leak_slice) + (double)c->power_leak_unslice);
}

/* fJ at 28 nm of a line's 512 bits over so many um. */
static double line_wires(const struct igpu_config *c, uint64_t um)
{
    return 512.0 * (double)c->power_wire * (double)um / 1e3;
}

static void memory_parts(const struct power_model *m, const struct power_events *e,
                         struct power_report *r)
{
    const struct igpu_config *c = &m->config;
    const struct power_mem *s = &e->mem;
    double p45 = m->switching * (double)c->power_process45 / 1e6;
    double p28 = m->switching * (double)c->power_process28 / 1e6;
    double l3 = (double)(s->l3_accesses + s->l3_fills + s->l3_writebacks +
                         s->l3_flushed + e->code_lines);
    double to_l3 = (double)(s->l3_accesses + e->code_lines);

    r->part_pj[POWER_PART_dispatch] =
        p28 * (double)e->threads * (double)c->power_dispatch;
    r->part_pj[POWER_PART_dataport] =
        p28 * (double)c->power_dp_message *
        (double)(s->mem_requests + s->mem_others + s->gw_arrivals);
    r->part_pj[POWER_PART_slm] =
        p45 * (double)c->power_slm_word * (double)(s->slm_words + s->slm_atomics);
    r->part_pj[POWER_PART_l3] = p45 * (double)c->power_l3_line * l3 +
                                p28 * line_wires(c, c->power_l3_um) * to_l3;
    r->part_pj[POWER_PART_gti] =
        p45 * (double)c->power_tlb * (double)(s->tlb_accesses + s->tlb_misses);
}

/* The uncore's supply is not the GPU's: its energies do not follow the GPU's clock. */
static void uncore_parts(const struct power_model *m, const struct power_events *e,
                         struct power_report *r)
{
    const struct igpu_config *c = &m->config;
    const struct power_mem *s = &e->mem;
    double p45 = (double)c->power_process45 / 1e6;
    double p28 = (double)c->power_process28 / 1e6;
    double us = r->seconds * 1e6;
    uint64_t cpu = s->cpu_llc_hits + s->cpu_llc_misses + s->cpu_llc_merged +
                   s->cpu_prefetches + s->cpu_writebacks;
    uint64_t gpu = s->gti_reads + s->gti_writes;
    uint64_t threads = c->cpu_agent == 0     ? 0
                       : c->cpu_threads != 0 ? c->cpu_threads
                       : c->cpu_agent == 1   ? 1
                                             : c->cpu_cores;

    r->part_pj[POWER_PART_ring] =
        p28 * line_wires(c, c->power_ring_um) * (double)(gpu + cpu);
    r->part_pj[POWER_PART_llc] =
        p45 * (double)c->power_llc_line *
        (double)(s->llc_accesses + s->llc_fills + s->llc_writebacks + cpu);
    r->part_pj[POWER_PART_edram] =
        (double)c->power_edram_line / 1e3 * (double)s->edram_accesses +
        (c->edram_size != 0 ? us * (double)c->power_edram_idle : 0);
    r->part_pj[POWER_PART_mc] =
        (double)c->power_mc_line / 1e3 * (double)(s->dram_reads + s->dram_writes);
    r->part_pj[POWER_PART_uncore] =
        us *
        ((double)c->power_uncore + (double)(c->llc_slices * c->power_uncore_slice));
    r->part_pj[POWER_PART_cores] =
        us * ((double)c->power_cores + (double)(threads * c->power_core_busy)) +
        (double)c->power_core_line / 1e3 * (double)(s->cpu_l2_hits + cpu);
}

/* ---- DRAM ---------------------------------------------------------------- */

/* pJ of `ua` microamperes in every device of a rank, for `clocks`. */
static double dram_pj(const struct igpu_config *c, double ua, uint64_t mv,
                      double clocks)
{
    return (double)c->power_dram_devices * ua * (double)mv * 1e3 * clocks /
           (double)c->dram_clock_hz;
}

/* Above one current that flows anyhow. */
static double above(uint64_t ua, uint64_t base)
{
    return (double)ua - (double)base;
}

/* Ranks with a row open, powered down, and with all rows closed but awake. While it
 * refreshes a rank has rows open, of those that would be closed. */
static double standby(const struct igpu_config *c, double clocks, double open,
                      double down)
{
    double rest = clocks > open ? clocks - open : 0;
    double asleep = rest < down ? rest : down; /* gaps between launches are down's */
    double busy = c->dram_trefi == 0 ? 0 : (double)c->dram_trfc / (double)c->dram_trefi;

    return dram_pj(c, (double)c->power_dram_idd3n, c->power_dram_vdd,
                   open + rest * busy) +
           dram_pj(c, (double)c->power_dram_idd2p, c->power_dram_vdd,
                   asleep * (1 - busy)) +
           dram_pj(c, (double)c->power_dram_idd2n, c->power_dram_vdd,
                   (rest - asleep) * (1 - busy));
}

static double refresh(const struct igpu_config *c, double clocks)
{
    double part = c->dram_trefi == 0 ? 0 : (double)c->dram_trfc / (double)c->dram_trefi;

    return dram_pj(c, above(c->power_dram_idd5, c->power_dram_idd3n), c->power_dram_vdd,
                   clocks * part);
}

static void dram_parts(const struct power_model *m, const struct power_events *e,
                       struct power_report *r)
{
    const struct igpu_config *c = &m->config;
    double ranks = (double)(c->dram_channels * c->dram_ranks);
    double clocks = r->seconds * (double)c->dram_clock_hz * ranks;
    double acts = (double)e->dram_acts * (double)c->dram_tras;
    double pres = (double)e->dram_pres * (double)(c->dram_trp * c->dram_latency_scale);
    double reads = (double)(e->mem.dram_reads * c->dram_burst);
    double writes = (double)(e->mem.dram_writes * c->dram_burst);
    uint64_t vdd = c->power_dram_vdd;

    r->part_pj[POWER_PART_dram_act] =
        dram_pj(c, above(c->power_dram_idd0, c->power_dram_idd3n), vdd, acts) +
        dram_pj(c, above(c->power_dram_idd0, c->power_dram_idd2n), vdd, pres) +
        dram_pj(c, (double)c->power_dram_ipp0, c->power_dram_vpp, acts + pres);
    r->part_pj[POWER_PART_dram_read] =
        dram_pj(c, above(c->power_dram_idd4r, c->power_dram_idd3n), vdd, reads);
    r->part_pj[POWER_PART_dram_write] =
        dram_pj(c, above(c->power_dram_idd4w, c->power_dram_idd3n), vdd, writes);
    r->part_pj[POWER_PART_dram_refresh] = refresh(c, clocks);
    r->part_pj[POWER_PART_dram_standby] =
        standby(c, clocks, (double)e->dram_open_clocks, (double)e->dram_down_clocks);
    r->part_pj[POWER_PART_dram_io] = (double)c->power_dram_io / 1e3 *
                                     (double)(e->mem.dram_reads + e->mem.dram_writes);
}

/* ---- together ------------------------------------------------------------ */

void power_sum_planes(struct power_report *r)
{
    static const enum power_plane of[] = {[GPU] = POWER_PP1,
                                          [UNCORE] = POWER_PKG,
                                          [CORES] = POWER_PP0,
                                          [DRAM] = POWER_DRAM};

    for (unsigned i = 0; i < POWER_PLANES; i++)
        r->plane_pj[i] = 0;
    for (unsigned i = 0; i < POWER_PARTS; i++)
        r->plane_pj[of[parts[i].plane]] += r->part_pj[i];
    r->plane_pj[POWER_PKG] += r->plane_pj[POWER_PP0] + r->plane_pj[POWER_PP1];
}

double power_igpu_pj(const struct power_report *r)
{
    return r->plane_pj[POWER_PKG] - r->plane_pj[POWER_PP0] - r->plane_pj[POWER_DRAM];
}

void power_evaluate(const struct power_model *m, const struct power_events *e,
                    struct power_report *r)
{
    memset(r, 0, sizeof(*r));
    r->seconds = (double)e->cycles / (double)m->config.gpu_clock_hz;
    r->volts = m->volts;
    eu_parts(m, e, r);
    clock_parts(m, e, r);
    memory_parts(m, e, r);
    uncore_parts(m, e, r);
    dram_parts(m, e, r);
    power_sum_planes(r);
    if (e->flops > 0 && power_igpu_pj(r) > 0) {
        r->pj_per_flop = power_igpu_pj(r) / (double)e->flops;
        r->gflops_per_watt = 1e3 / r->pj_per_flop;
    }
}

void power_idle(const struct igpu_config *c, double watts[POWER_PLANES])
{
    double ranks = (double)(c->dram_channels * c->dram_ranks);
    double clocks = (double)c->dram_clock_hz * ranks; /* of a second */

    watts[POWER_PP0] = 0;
    watts[POWER_PP1] = (double)c->power_rc6 / 1e6;
    watts[POWER_PKG] = watts[POWER_PP1] + (double)c->power_uncore_idle / 1e6 +
                       (c->edram_size != 0 ? (double)c->power_edram_idle / 1e6 : 0);
    watts[POWER_DRAM] = (standby(c, clocks, 0, c->power_dram_down != 0 ? clocks : 0) +
                         refresh(c, clocks)) /
                        1e12;
}
