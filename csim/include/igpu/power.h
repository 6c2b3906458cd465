/* power.h - energy of what a simulation counted: events in, picojoules out. The model
 * and where its numbers come from: docs/contract/power.md. Knows no engine and no
 * trace, only what happened; the same events give the same energies, bit for bit.
 * Tests: tests/csim/test_power.c */
#ifndef IGPU_POWER_H
#define IGPU_POWER_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/dram_command.h"
#include "igpu/err.h"
#include "igpu/isa.h"
#include "igpu/toggles.h"

enum power_class {
#define POWER_CLASS(id, name) POWER_##id,
#include "igpu/power_classes.def"
#undef POWER_CLASS
    POWER_CLASSES
};

enum power_part {
#define POWER_PART(id, plane, name, text) POWER_PART_##id,
#include "igpu/power_parts.def"
#undef POWER_PART
    POWER_PARTS
};

/* Planes as RAPL has them: PKG = PP0 + PP1 + the uncore; the DRAM is by itself. */
enum power_plane { POWER_PKG, POWER_PP0, POWER_PP1, POWER_DRAM, POWER_PLANES };

const char *power_class_name(enum power_class cls);
const char *power_part_name(enum power_part part);
const char *power_part_text(enum power_part part);
const char *power_plane_name(enum power_plane plane); /* "pkg", "pp0", .. */

/* ---- events ------------------------------------------------------------- */

/* What one execution of a static instruction does in its EU. */
struct power_inst {
    uint8_t cls;           /* enum power_class */
    uint8_t slots;         /* lanes, enabled or not */
    uint8_t work;          /* operations: slots, or a multiple (lrp, pln) */
    uint8_t reads, writes; /* GRFs, by the pass */
    uint8_t accs;          /* accumulators, flags, address registers */
    uint8_t regions;       /* of the reads, those that need the crossbar */
    uint8_t bytes;         /* of code */
    uint8_t moved;         /* GRFs of payload and response */
    uint16_t operands;     /* bits that toggle, of random data's, in 1/1024: sources */
    uint16_t results;      /* and results; POWER_RANDOM where it is not known */
};
enum { POWER_RANDOM = 1024 };

void power_inst_from(const struct isa_inst *inst, struct power_inst *out);
/* The toggles that the instruction's data were recorded with. */
void power_inst_toggles(struct power_inst *inst, const struct toggle_count *toggles);

struct power_class_events {
    uint64_t issued, slots, work, reads, writes, accs, regions, bytes, moved;
    /* work, reads and regions times operands, writes times results */
    uint64_t work_data, reads_data, writes_data, regions_data;
};

/* The memory side's counters that grow (igpu/mem_stats.h). */
struct power_mem {
#define MEM_STAT(section, name, unit, text) uint64_t section##_##name;
#define MEM_PEAK(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
};

struct power_events {
    struct power_class_events cls[POWER_CLASSES];
    uint64_t lanes; /* enabled, of all instructions */
    uint64_t flops;
    uint64_t cycles;     /* of the GPU */
    uint64_t eu_cycles;  /* EUs with a thread or a busy unit, summed */
    uint64_t threads;    /* dispatched */
    uint64_t code_lines; /* of 64 B, brought into instruction caches */
    struct power_mem mem;
    uint64_t dram_acts, dram_pres;
    uint64_t dram_open_clocks; /* a rank has a row open, summed over the ranks */
    uint64_t dram_down_clocks; /* a rank is powered down, no row open, the same */
};

/* Add `times` executions. */
void power_count(struct power_events *events, const struct power_inst *inst,
                 uint64_t times);
void power_add(struct power_events *to, const struct power_events *other);

/* ---- DRAM commands ------------------------------------------------------ */

struct power_dram;

/* Counts for *config's DRAM (copied) from clock `start` on. NULL: no memory. */
struct power_dram *power_dram_create(const struct igpu_config *config, uint64_t start);
void power_dram_destroy(struct power_dram *dram);
/* A dram_watch; ctx: struct power_dram. */
void power_dram_command(void *ctx, const struct dram_issue *issue);
/* What came since the call before, up to clock `now`, into *events. A row that is
 * still open counts as open until `now`, or until its idle time's longest; what
 * shows to have been too much is taken off what comes next. IGPU_SIM_ERROR: memory
 * was short. */
enum igpu_status power_dram_take(struct power_dram *dram, uint64_t now,
                                 struct power_events *events, struct igpu_err *err);

/* The same without taking it: what a take at `now` would give. */
enum igpu_status power_dram_look(const struct power_dram *dram, uint64_t now,
                                 struct power_events *events, struct igpu_err *err);

/* ---- energies ----------------------------------------------------------- */

/* The parameters of a configuration, resolved for its clock. */
struct power_model {
    struct igpu_config config;
    double volts, switching, leakage; /* factors against power.v_ref */
};

void power_model_init(struct power_model *model, const struct igpu_config *config);
/* The GPU's voltage at a clock, from the table power.v_*. */
double power_volts(const struct igpu_config *config, double hz);

struct power_report {
    double seconds, volts;
    double part_pj[POWER_PARTS];
    double class_pj[POWER_CLASSES]; /* of parts fpu, grf, front_end, icache, send */
    double plane_pj[POWER_PLANES];
    double pj_per_flop, gflops_per_watt; /* of PKG - PP0 - DRAM, as paper 2; 0: none */
};

void power_evaluate(const struct power_model *model, const struct power_events *events,
                    struct power_report *report);
/* The planes from the parts. */
void power_sum_planes(struct power_report *report);
/* PKG - PP0 - DRAM: what paper 2 calls the GPU's. */
double power_igpu_pj(const struct power_report *report);
/* Power of the planes between launches: the GPU in RC6, cores and uncore asleep, DRAM
 * in standby. Watts. */
void power_idle(const struct igpu_config *config, double watts[POWER_PLANES]);

/* ---- energy counters ---------------------------------------------------- */

/* Launches that follow each other again and again, each at even power. */
struct power_load {
    const struct igpu_config *config;
    const double (*plane_pj)[POWER_PLANES]; /* of each launch */
    const double *seconds;
    uint32_t launches; /* 1 or more, of some length */
};

/* What the counter of a plane shows at `seconds`: counts of 2^-power.rapl_unit J, 32
 * bits wide, of the last update before; updates are power.rapl_us apart. */
uint32_t power_rapl(const struct power_load *load, enum power_plane plane,
                    double seconds);
/* The energy itself, in J. */
double power_load_joules(const struct power_load *load, enum power_plane plane,
                         double seconds);

struct power_reading {
    double pkg_w, pp0_w, pp1_w, dram_w, igpu_w; /* medians; igpu = pkg - pp0 - dram */
    double spread_percent; /* of igpu_w: greatest less least reading, of the median */
    double error_percent;  /* what an update and the unit may do to one reading */
    uint32_t readings;
    bool settled;
};
/* Paper 2's method: launches are repeated until over `least` seconds; counters before
 * and after, over the time between. Such readings follow each other until the running
 * median of igpu_w has moved by less than 0.1 % three times in a row, or for
 * POWER_MAX_READINGS. `seed` chooses when, within an update, the first one begins. */
enum { POWER_MAX_READINGS = 101 };
void power_read(const struct power_load *load, double least, uint64_t seed,
                struct power_reading *reading);

/* ---- bands -------------------------------------------------------------- */

/* 5th, 50th and 95th percentile over draws of all parameters of power_bands.def, each
 * uniform (in its logarithm) between its bounds. */
struct power_band {
    double plane_pj[POWER_PLANES][3], gflops_per_watt[3];
};
enum { POWER_MAX_DRAWS = 100000 };
/* Copy *config with its draw number `draw` of `seed`. Draw d is the same whatever else
 * is drawn, so two runs with one seed see the same machines. */
void power_draw(const struct igpu_config *config, uint64_t seed, uint32_t draw,
                struct igpu_config *out);
/* draws: 1..POWER_MAX_DRAWS. IGPU_SIM_ERROR: no memory. */
enum igpu_status power_band(const struct igpu_config *config,
                            const struct power_events *events, uint64_t seed,
                            uint32_t draws, struct power_band *band,
                            struct igpu_err *err);
#endif
