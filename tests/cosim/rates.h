/* rates.h - micro-benchmarks of the EU in assembly: loops of a few instructions on
 * the C reference and on the RTL at once, and what their steady state costs.
 * Text is collected first, assembled at once, then run piece by piece. */
#ifndef RATES_H
#define RATES_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/isa.h"
#include "igpu/uop.h"
#include "recorder.h"

enum { RATES_SIDES = 2 /* the C reference, the RTL */ };

/* ---- assembly ---- */

/* A piece of code: `count` instructions from number `first` on. */
struct rates_piece {
    uint32_t first, count;
};

struct rates_code {
    FILE *out; /* collects text */
    char *text;
    size_t bytes;
    uint32_t lines;
    struct isa_kernel_code code;
    struct uop *uops;
};

void rates_code_init(struct rates_code *c);
void rates_code_free(struct rates_code *c);
/* Append lines, one instruction each; a branch may go to the label END. */
struct rates_piece rates_code_add(struct rates_code *c, const char *lines);
/* Assemble and decode all that was added. Fails the test on an error. */
void rates_code_finish(struct rates_code *c);

/* ---- runs ---- */

/* Threads that execute a piece `laps` times and end. */
struct rates_run {
    struct rates_piece piece;
    uint32_t laps, threads;
    uint32_t subslices, eus; /* 0: one */
    uint32_t tpg;            /* 0: no groups; else threads of a group, pinned */
    uint32_t latency;        /* from a message to its DONE; 0: 40 cycles */
};

/* What an engine did, in ascending cycles. */
struct rates_seen {
    struct event *event;
    uint32_t count, capacity;
};

/* Run on both engines: seen[0] of the reference, seen[1] of the RTL. Fails the test
 * when they differ in any event. */
void rates_run(const struct rates_code *c, const struct rates_run *run,
               struct rates_seen seen[RATES_SIDES]);
void rates_seen_free(struct rates_seen seen[RATES_SIDES]);

/* Cycles from one event of `kind` to the next in the middle half of a run, over a
 * multiple of `period` events. */
double rates_cycles_per(const struct rates_seen *s, enum event_kind kind,
                        uint32_t period);

/* ---- tables ---- */

/* Print the tables to `out`, checking each row. */
void rates_print_ops(FILE *out);
void rates_print_rules(FILE *out);
/* A number as the tables show it: at most three decimals. */
const char *rates_number(double value, char text[32]);
/* A row's value lies in low..high, or it is reported and counted. */
void rates_check(const char *row, double value, double low, double high);
/* How many rows did not. */
unsigned rates_failures(void);

#endif
