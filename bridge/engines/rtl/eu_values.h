/* eu_values.h - the RTL of an EU's values (rtl/eu/igpu_eu_values.v) for C: one pipeline
 * for the threads of a whole device. Contract and fields: the module's header. */
#ifndef BRIDGE_EU_VALUES_H
#define BRIDGE_EU_VALUES_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/limits.h"

#ifdef __cplusplus
extern "C" {
#endif

/* THREADS and PW of the class (Makefile). */
enum { EU_VALUES_THREADS = LIMIT_PLACES, EU_VALUES_WORDS = 1 << 17 };

/* IGPU_POKE_ of igpu_values.vh. */
enum eu_poke {
    EU_POKE_FLAG,
    EU_POKE_ADDR,
    EU_POKE_CTRL,
    EU_POKE_STATE,
    EU_POKE_LANES, /* active, live, the lowest waiting pc */
    EU_POKE_PC,    /* eight pcs: row */
    EU_POKE_GRF,
    EU_POKE_ACC
};

/* What it is given in a clock. */
struct eu_values_in {
    bool issue, poke;
    uint16_t issue_thread, poke_thread;
    uint32_t issue_pc; /* in units of 8 bytes */
    uint64_t issue_now;
    uint8_t poke_kind, poke_row;
    uint32_t data[8];
    uint32_t mask; /* GRF: channels of an answer, */
    uint8_t first; /* ... the register's first one */
    bool wide;     /* ... they have 8 bytes */
    bool block;    /* ... or it is written whole; accumulator: always */
};

enum { EU_FILE_NONE, EU_FILE_GRF, EU_FILE_ARF };
enum { EU_ARF_ADDR = 1, EU_ARF_ACC = 2, EU_ARF_FLAG = 3, EU_ARF_CTRL = 8 };

/* What has come out of it. */
struct eu_values_out {
    bool issued, poked; /* what was given was taken */
    bool left, left_over, left_refused, over, pay, pay_last, wrote, wrote_flag;
    uint16_t left_thread, over_thread, pay_thread, wrote_thread;
    uint32_t left_exec, left_at; /* pc in units of 8 bytes */
    uint32_t pay_data[8];
    uint8_t wrote_file, wrote_arf, wrote_row, wrote_freg;
    uint64_t wrote_byte; /* of two registers */
    uint8_t wrote_data[64];
    uint32_t wrote_fmask, wrote_fset;
};

/* After reset; free with eu_values_free(). */
void *eu_values_new(void);
void eu_values_free(void *values); /* NULL is allowed */
/* 8 bytes of code at a pc; nothing is under way. */
void eu_values_store(void *values, uint32_t pc, uint64_t word);
/* One clock. */
void eu_values_clock(void *values, const struct eu_values_in *in,
                     struct eu_values_out *out);

#ifdef __cplusplus
}
#endif
#endif
