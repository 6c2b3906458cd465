/* dram_rig.h - DRAM alone with a record of its commands, and a checker of the timing
 * rules that knows nothing of the model's own state. */
#ifndef TESTS_DRAM_RIG_H
#define TESTS_DRAM_RIG_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/dram.h"

enum { DRAM_RIG_ISSUES = 400000, DRAM_RIG_REQUESTS = 4096 };

struct dram_rig {
    struct igpu_config config;
    struct agenda agenda;
    struct dram dram;
    struct mem_stats stats;
    struct dram_issue *issue; /* every command, in the order of its decision */
    uint32_t issues;
};

/* skl-gt2 with `settings` ("key=value", NULL at the end, or NULL for none). */
void dram_rig_build(struct dram_rig *rig, const char *const *settings);
void dram_rig_over(struct dram_rig *rig);
/* Run to `ps` inclusive, or until nothing waits. */
void dram_rig_run_until(struct dram_rig *rig, uint64_t ps);
void dram_rig_run(struct dram_rig *rig);

/* Take the answers that came: how many, and *ps, unless there are none, of the last. */
uint32_t dram_rig_answers(struct dram_rig *rig, uint64_t *ps);

bool dram_rig_column(const struct dram_issue *issue);
uint32_t dram_rig_rank(const struct dram_rig *rig, const struct dram_issue *issue);

/* Two commands that are nearer than a rule permits: the rule's name as in
 * docs/reference/params.md without "dram.", and the later command. */
struct dram_broken {
    const char *rule; /* NULL: none is broken */
    uint32_t at;
};

/* Test what was recorded against the rules of `rules`. *tight, unless NULL, counts
 * pairs exactly at their limit. */
struct dram_broken dram_rig_check(const struct dram_rig *rig,
                                  const struct igpu_config *rules, uint64_t *tight);
#endif
