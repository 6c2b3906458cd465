/* profile.h - where the cycles of a launch's threads go, by static instruction and
 * reason (docs/guide/profile.md). Both engines' events go through this one place: what
 * a thread waited for is found by following fetch, scoreboard and units from them, so
 * profiles of engines differ only where their events do, and events that the contract
 * (docs/contract/model.md, section 4) does not allow are an error. An engine that knows
 * fetches, or operands too, may tell them (profile_tells()): cheaper, and another way
 * to the same profile.
 *
 * An engine may report tiles from host threads of their own; all else is called by one.
 * Tests: tests/csim/test_profile.c, tests/bridge/test_profile.sh */
#ifndef IGPU_PROFILE_H
#define IGPU_PROFILE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/host.h"
#include "igpu/mem.h"
#include "igpu/uop.h"

enum profile_reason {
#define PROFILE_REASON(id, key, text) PROFILE_##id,
#include "igpu/profile.def"
#undef PROFILE_REASON
    PROFILE_REASONS
};
const char *profile_key(enum profile_reason reason);
const char *profile_text(enum profile_reason reason);
/* What answered a message, or where a line came from: "l3", "dram", ... */
const char *profile_level(enum mem_level level);

/* One static instruction. issues + all of wait[] are thread-cycles. */
struct profile_inst {
    uint64_t issues; /* executions; a cycle each */
    uint64_t wait[PROFILE_REASONS];
    uint32_t edge; /* the first of its list in profile_result.edge; PROFILE_NONE */
    uint32_t send; /* in profile_result.send; PROFILE_NONE */
    uint64_t pad[32 - 2 - PROFILE_REASONS]; /* 256 bytes: an index is a shift */
};
#define PROFILE_NONE UINT32_MAX

/* Cycles of an instruction's waits that an earlier one caused. */
struct profile_edge {
    uint32_t producer, next; /* next: of the same instruction; PROFILE_NONE */
    uint32_t reason;
    uint64_t cycles;
};

/* Latencies in cycles, from grant to answer: bucket b has those from
 * profile_bucket_from(b) on; two to each power of two. */
enum { PROFILE_BUCKETS = 40 };
static inline unsigned profile_bucket(uint64_t cycles)
{
    unsigned power, bucket;

    if (cycles < 2)
        return 0;
    power = 63U - (unsigned)__builtin_clzll(cycles);
    bucket = 2 * power + (unsigned)(cycles >> (power - 1) & 1) - 1;
    return bucket < PROFILE_BUCKETS ? bucket : PROFILE_BUCKETS - 1;
}
uint64_t profile_bucket_from(unsigned bucket);

/* What one static send's messages did; those that were answered. */
struct profile_send {
    uint64_t messages, lines, bytes;
    uint64_t from[MEM_LINE_LEVELS]; /* lines, by where they came from */
    uint64_t level[MEM_LEVELS];     /* messages, by what answered them */
    uint64_t queued;                /* cycles at the port before it began them */
    uint64_t latency_most;
    uint64_t full; /* of queued, the ones with the table full */
    uint64_t bucket[PROFILE_BUCKETS];
    uint64_t latency; /* not beside queued: struct host_waits */
    /* The least and the greatest address of the first and last lanes of those to global
     * memory; low > high: none. */
    uint64_t low, high;
};

/* Cycles of thread slots without a thread: with thread_cycles, slots x cycles. */
enum profile_empty {
    PROFILE_EMPTY_START,   /* before the slot's first thread */
    PROFILE_EMPTY_BETWEEN, /* between two threads */
    PROFILE_EMPTY_TAIL,    /* behind its last one */
    PROFILE_EMPTY_NEVER,   /* a slot that got none */
    PROFILE_EMPTIES
};

/* Thread-cycles of the threads of one slot, work-group or stage: issues + all of
 * wait[], as of an instruction. */
struct profile_part {
    uint64_t threads, thread_cycles; /* threads: that ended */
    uint64_t first, last; /* cycles: the first one's open, the last one's end */
    uint64_t issues, wait[PROFILE_REASONS];
    uint8_t subslice; /* where it ran */
};
/* What profiles are told by, beside instructions. */
enum profile_by {
    PROFILE_BY_INST,
    PROFILE_BY_SLOT,
    PROFILE_BY_GROUP,
    PROFILE_BY_STAGE,
    PROFILE_STAGES = 6 /* of the caller's */
};

/* A launch. */
struct profile_result {
    uint32_t launch, count; /* index in the trace; instructions */
    uint64_t start, end;    /* cycles */
    uint64_t thread_cycles; /* from each thread's open to its end, both inclusive */
    uint64_t empty[PROFILE_EMPTIES];
    uint64_t threads;
    bool complete;
    struct profile_inst *inst;
    struct profile_edge *edge;
    struct profile_send *send;
    uint32_t edges, sends;
    /* By slot: (subslice x HOST_EUS + EU) x HOST_SLOTS + slot; by work-group: its
     * number in the launch; by stage: the stage. NULL: by instruction alone. */
    struct profile_part *part;
    uint32_t parts;
};

struct profile;

/* *config stays the caller's. IGPU_SIM_ERROR: out of memory. */
enum igpu_status profile_create(struct profile **profile,
                                const struct igpu_config *config, enum profile_by by,
                                struct igpu_err *err);
void profile_destroy(struct profile *p);

/* A launch begins; uops stay the caller's until profile_end(). */
enum igpu_status profile_launch(struct profile *p, uint32_t index,
                                const struct uop *uops, uint32_t count,
                                const struct host_launch *launch, struct igpu_err *err);

/* What the engine's list tells (host.h); what it does not is followed. */
enum profile_tells {
    PROFILE_TELLS_ISSUES,
    PROFILE_TELLS_FETCHES, /* and when the thread wanted to fetch, and did */
    PROFILE_TELLS_WAITS    /* and when its operands were there */
};
/* Before the first launch. */
void profile_tells(struct profile *p, enum profile_tells tells);
/* Who is told each wait: the thread's next instruction, the wait's first cycle, and its
 * cycles by reason; where an engine tells more than issues, nobody is. */
struct profile_watch {
    void *ctx;
    void (*wait)(void *ctx, unsigned tile, unsigned eu, unsigned slot, uint32_t uop,
                 uint64_t from, const uint64_t wait[PROFILE_REASONS]);
};
/* Before the first launch. */
void profile_watch(struct profile *p, struct profile_watch watch);
/* Such an engine's thread, before the profile_end() of a launch that was stopped: as
 * host_engine_ops.thread has it. */
void profile_thread(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                    uint64_t last, uint32_t next);

/* ---- by the engine, while it runs a window (host.h) ---- */
/* stage: below PROFILE_STAGES; heeded only by PROFILE_BY_STAGE. */
void profile_open(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                  uint32_t thread, unsigned stage, uint64_t cycle, struct uop_run run);
/* Each run that the engine asked for, those of length 0 (host.h) too. */
void profile_run(struct profile *p, unsigned tile, unsigned eu, unsigned slot,
                 struct uop_run run);
void profile_issue(struct profile *p, const struct host_issue *issue);
/* For host_calls.list, where profile_issue() is not called. */
struct host_list *profile_list(struct profile *p);
void profile_grant(struct profile *p, const struct host_msg *msg);

/* ---- by the host loop ---- */

/* A message, as the memory side gets it. */
void profile_sent(struct profile *p, const struct mem_msg *msg);
/* An answer, before the engine runs the window in which it takes effect. */
void profile_done(struct profile *p, const struct mem_done *done,
                  const struct mem_way *way);
/* The engine has run to `until`: take what it reported. */
void profile_step(struct profile *p, uint64_t until);
/* The launch is over, or was stopped, at `end`; resident: if complete, its
 * thread-cycles as somebody else has counted them. IGPU_SIM_ERROR: the engine's events
 * contradict the contract (the first of them is named), the sums differ, or memory is
 * short. */
enum igpu_status profile_end(struct profile *p, uint64_t end, bool complete,
                             uint64_t resident, struct igpu_err *err);

/* The launch that runs has so many threads, more than before. IGPU_BAD_INPUT: memory is
 * short. */
enum igpu_status profile_extend(struct profile *p, uint32_t threads,
                                struct igpu_err *err);

/* The launches so far; valid until the next profile_launch(). */
const struct profile_result *profile_results(const struct profile *p, uint32_t *count);

/* ---- results by themselves ---- */

/* Take the last result out of the profile: it is the caller's, to be freed. False:
 * there is none. */
bool profile_take(struct profile *p, struct profile_result *r);
void profile_result_free(struct profile_result *r);
/* Add another simulation of the same kernel: *sum then has the cycles of both. Parts
 * stay as they are. False: memory is short. */
bool profile_result_add(struct profile_result *sum, const struct profile_result *more);
/* A part of a launch as all of it, which takes `cycles` of a machine of `slots` thread
 * slots: executions and messages times `issues`, waits times their reason's. */
void profile_result_scale(struct profile_result *r, double issues,
                          const double wait[PROFILE_REASONS], uint64_t cycles,
                          uint64_t threads, uint64_t slots);
/* To a process of the same program, and from it. False: the file, or memory, is short.
 */
bool profile_result_write(const struct profile_result *r, FILE *file);
bool profile_result_read(struct profile_result *r, FILE *file);

/* Thread-cycles by reason; issues are not among them. */
void profile_sum(const struct profile_result *r, uint64_t sum[PROFILE_REASONS],
                 uint64_t *issues);
/* IGPU_SIM_ERROR names the first place in which two engines' profiles differ. */
enum igpu_status profile_same(const struct profile *a, const struct profile *b,
                              struct igpu_err *err);
#endif
