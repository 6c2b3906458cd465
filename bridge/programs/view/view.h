/* view.h - a profile (igpu/profile.h) for people and programs: a verdict in words with
 * its evidence, as text, JSON and a page (docs/guide/profile.md).
 * Tests: tests/bridge/test_profile.sh, tests/bridge/test_verdicts.sh */
#ifndef IGPU_VIEW_H
#define IGPU_VIEW_H
#include <stdio.h>

#include "igpu/power.h"
#include "igpu/profile.h"
#include "igpu/stats.h"
#include "traces/format/trace.h"

enum { VIEW_WORDS = 512, VIEW_ASM = 160 };

/* What a profile is told by, beside instructions and lines. */
enum view_by {
    VIEW_BY_NONE,
    VIEW_BY_EU,
    VIEW_BY_SLOT,
    VIEW_BY_GROUP,
    VIEW_BY_STAGE,
    VIEW_BYS
};
const char *view_by_name(enum view_by by);
/* What the profile has to count for it. */
enum profile_by view_by_parts(enum view_by by);

/* Of a launch, where not all are simulated whole. */
struct view_sample {
    bool sampled; /* part of it was simulated: the rest follows from that */
    double half[PROFILE_REASONS]; /* of the 95 % interval of each reason's cycles */
    uint64_t threads;             /* simulated */
    uint32_t stands_for;          /* launches: it, and others that are as it is */
};

/* Results and statistics of the same launches, in the same order. */
struct view {
    const struct igpu_config *config;
    struct trace_reader *reader;
    const char *trace, *engine;
    const struct profile_result *result;
    const struct sim_stats *launch;
    uint32_t count;
    uint32_t top; /* instructions, and work-groups, in a launch's text */
    enum view_by by;
    const struct power_events *energy; /* of the same launches; NULL: not counted */
    const struct view_sample *sample;  /* of the same launches; NULL: each is whole */
    const struct heat *heat;           /* of the same launches; NULL: not asked */
    /* What is asked about the verdict's bound: so much of it less, or each wait for it
     * so many cycles shorter; both 0: nothing. */
    double ease_share;
    uint32_t ease_cycles;
};

/* What holds a launch up. */
struct view_verdict {
    const char *cause;         /* a word of docs/guide/profile.md, section 4 */
    char words[VIEW_WORDS];    /* "the DRAM's bandwidth" */
    char evidence[VIEW_WORDS]; /* "80.1 % of ...; instruction 12 ..." */
    const char *load; /* the load that is used up, as view_loads() has it; or NULL: */
    unsigned reason; /* the waits that are to blame, one of their enum profile_reason */
};
void view_judge(const struct view *v, uint32_t at, struct view_verdict *verdict);
/* The launch if what holds it up cost nothing, or as much less as the view asks. */
struct view_without {
    double part;      /* cycles of the launch that are due to it */
    double floor;     /* what it would take without, by the limit that is next */
    const char *next; /* that */
    double eased;
};
void view_without(const struct view *v, uint32_t at, const struct view_verdict *verdict,
                  struct view_without *without);
/* The launch that takes the most cycles; count is not 0. */
uint32_t view_longest(const struct view *v);

void view_text(FILE *out, const struct view *v);
void view_json(FILE *out, const struct view *v);
/* The same JSON in a page that needs nothing else, whole or not at all at `path`. */
enum igpu_status view_html(const char *path, const struct view *v,
                           struct igpu_err *err);
/* The verdict on the longest launch, as a line of the statistics. */
void view_line(FILE *out, const struct view *v);

/* ---- between its files ---- */
struct igpu_json;

/* A share of an amount that could have been used, from 0 to 1. */
struct view_load {
    const char *key, *text;
    double share;
};
enum { VIEW_LOADS = 16 };
/* Have both enum profile_reason one cause? */
bool view_alike(unsigned a, unsigned b);
/* Units and levels of a launch, those that it has; returns how many. */
unsigned view_loads(const struct view *v, uint32_t at,
                    struct view_load loads[VIEW_LOADS]);
const struct trace_kernel *view_kernel(const struct view *v, uint32_t at);
/* The instruction with blanks squeezed. */
void view_disasm(const struct trace_kernel *k, uint32_t inst, char text[VIEW_ASM]);
/* The source of the instruction, whose line is k->line[inst].line; NULL: not known. */
const struct trace_source *view_source(const struct trace_kernel *k, uint32_t inst);
/* By the argument that messages to global memory go to. */
void view_text_buffers(FILE *out, const struct view *v, uint32_t at);
void view_json_buffers(struct igpu_json *j, const struct view *v, uint32_t at);
/* The EUs' switching energy of each instruction, in pJ; NULL: not counted, or no
 * memory. The caller frees. */
double *view_energy(const struct view *v, uint32_t at);
void view_text_energy(FILE *out, const struct view *v, uint32_t at);
/* Banks and reuse, where they are asked for. */
void view_text_heat(FILE *out, const struct view *v, uint32_t at);
void view_json_heat(struct igpu_json *j, const struct view *v, uint32_t at);
/* By source line, where the trace has them. */
void view_text_lines(FILE *out, const struct view *v, uint32_t at);
/* Issues and waits of one instruction. */
uint64_t view_cycles(const struct profile_inst *inst);

void view_json_from(struct igpu_json *j, const uint64_t from[MEM_LINE_LEVELS]);
void view_json_reasons(struct igpu_json *j, const char *key,
                       const uint64_t wait[PROFILE_REASONS]);
/* By EU, slot, work-group or stage: nothing with VIEW_BY_NONE. */
void view_text_parts(FILE *out, const struct view *v, uint32_t at);
void view_json_parts(struct igpu_json *j, const struct view *v, uint32_t at);

/* What fits into a subslice at once. */
struct view_room {
    uint32_t threads, by_slots, by_slm,
        by_barriers;   /* groups, or threads if unpinned */
    const char *limit; /* "thread slots", "SLM", ... */
};
void view_room(const struct view *v, uint32_t at, struct view_room *room);
#endif
