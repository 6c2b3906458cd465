/* feature_path.h - what an instruction of a thread waits for: dependencies over GRFs,
 * flags, accumulators and a0, followed along the path of one thread. Knows no
 * latencies but the weights of the heaviest chain (ALU 1, math 2, message 16).
 * Tests: tests/traces/test_features.c */
#ifndef IGPU_FEATURE_PATH_H
#define IGPU_FEATURE_PATH_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/isa.h"

enum {
    PATH_REGS = ISA_GRF_COUNT + 8, /* four flag words, acc, a0, n0, control */
    PATH_LIMIT = 2048,             /* instructions that are followed */
    PATH_DISTS = 7,                /* as features dep.* */
    PATH_USES = 4                  /* as features use.* */
};

struct path_chain {
    uint32_t weight, alu, math, send;
};

struct path_reg {
    uint32_t at;             /* instruction that wrote it last, plus 1; 0: none */
    uint32_t depth;          /* longest chain to it */
    uint32_t short_depth[2]; /* the same inside the window of 16 and of 64 */
    uint32_t answer;         /* message whose answer it is, plus 1; 0: none, or used */
    struct path_chain chain;
};

struct path {
    struct path_reg reg[PATH_REGS];
    uint32_t insts, depth;
    uint32_t window_depth[2], windows_depth[2]; /* of this window, of all before */
    uint32_t dist[PATH_DISTS], dist_sum, dists;
    uint32_t use[PATH_USES];
    uint32_t answers, arrived; /* messages with an answer: sent, and waited for */
    uint32_t waits, alu_waits, under_way;
    uint32_t sent_at[64]; /* instruction of the last answers' messages */
    struct path_chain chain;
};

/* Sums over threads. */
struct path_sums {
    double threads, insts, depth, windows[2], dist[PATH_DISTS], dist_sum, dists;
    double use[PATH_USES], answers, waits, alu_waits, under_way;
    double alu, math, send; /* of whole threads, in proportion to their length */
    double waits_whole, most_waits, alu_waits_whole;
};

/* A set of registers, in the order of path.reg. */
struct path_regs {
    uint64_t grf[2];
    uint8_t rest;
};

/* What is looked at of an instruction, found when it is executed first. */
struct path_inst {
    bool known, answers;
    uint8_t cls; /* enum isa_class */
    struct path_regs reads, writes;
};

void path_begin(struct path *p);
/* The thread executes code->inst[first .. first + count - 1]. insts: of the kernel, one
 * for each instruction, all zero at first. */
void path_run(struct path *p, const struct isa_kernel_code *code,
              struct path_inst *insts, uint32_t first, uint32_t count);
/* Add the thread, of so many instructions, to the sums. */
void path_end(const struct path *p, uint64_t instructions, struct path_sums *sums);

#endif
