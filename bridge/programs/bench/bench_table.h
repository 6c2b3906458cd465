/* bench_table.h - results: rows of numbers and words under named columns, written as
 * text or JSON. */
#ifndef BRIDGE_BENCH_TABLE_H
#define BRIDGE_BENCH_TABLE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/err.h"

enum { BENCH_MAX_COLUMNS = 20 };

struct bench_column {
    const char *key; /* tells the unit */
    int decimals;    /* below 0: a word */
};

struct bench_cell {
    double number; /* NaN: not known; left out of JSON */
    const char *word;
};

struct bench_table {
    const struct bench_column *columns;
    uint32_t count; /* of columns */
    struct bench_cell *cell;
    uint32_t rows;
};

enum igpu_status bench_table_create(struct bench_table *t,
                                    const struct bench_column *columns, uint32_t rows,
                                    struct igpu_err *err);
void bench_table_free(struct bench_table *t);

/* A column's key must exist. */
void bench_table_set(struct bench_table *t, uint32_t row, const char *key,
                     double value);
void bench_table_word(struct bench_table *t, uint32_t row, const char *key,
                      const char *word);
double bench_table_get(const struct bench_table *t, uint32_t row, const char *key);

void bench_table_text(FILE *out, const struct bench_table *t);
/* One object for one row, else an array of objects. Numbers have nine decimals,
 * counts none. */
void bench_table_json(FILE *out, const struct bench_table *t);
#endif
