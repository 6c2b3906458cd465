/* bench_table.c - see bench_table.h. */
#include "bridge/programs/bench/bench_table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/json.h"

enum { JSON_DECIMALS = 9 }; /* the text's are rounded further */

enum igpu_status bench_table_create(struct bench_table *t,
                                    const struct bench_column *columns, uint32_t rows,
                                    struct igpu_err *err)
{
    memset(t, 0, sizeof(*t));
    t->columns = columns;
    while (columns[t->count].key != NULL)
        t->count++;
    assert(t->count <= BENCH_MAX_COLUMNS);
    t->cell = calloc((size_t)rows * t->count + 1, sizeof(*t->cell));
    if (t->cell == NULL)
        return igpu_no_memory(err, "a table");
    t->rows = rows;
    for (uint32_t i = 0; i < rows * t->count; i++)
        t->cell[i].number = NAN;
    return IGPU_OK;
}

void bench_table_free(struct bench_table *t)
{
    free(t->cell);
    memset(t, 0, sizeof(*t));
}

static uint32_t bench_table_column(const struct bench_table *t, const char *key)
{
    uint32_t i = 0;

    while (i < t->count && strcmp(t->columns[i].key, key) != 0)
        i++;
    assert(i < t->count);
    return i;
}

static struct bench_cell *cell(const struct bench_table *t, uint32_t row,
                               const char *key)
{
    return &t->cell[row * t->count + bench_table_column(t, key)];
}

void bench_table_set(struct bench_table *t, uint32_t row, const char *key, double value)
{
    cell(t, row, key)->number = value;
}

void bench_table_word(struct bench_table *t, uint32_t row, const char *key,
                      const char *word)
{
    cell(t, row, key)->word = word;
}

double bench_table_get(const struct bench_table *t, uint32_t row, const char *key)
{
    return cell(t, row, key)->number;
}

/* The cell as text; "-" when not known. */
static int print_cell(char *text, size_t size, const struct bench_column *column,
                      const struct bench_cell *c)
{
    if (column->decimals < 0)
        return snprintf(text, size, "%s", c->word != NULL ? c->word : "-");
    if (isnan(c->number))
        return snprintf(text, size, "-");
    return snprintf(text, size, "%.*f", column->decimals, c->number);
}

static bool known(const struct bench_table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->rows; i++) {
        const struct bench_cell *c = &t->cell[i * t->count + column];

        if (t->columns[column].decimals < 0 ? c->word != NULL : !isnan(c->number))
            return true;
    }
    return false;
}

static int column_width(const struct bench_table *t, uint32_t column)
{
    char text[64];
    int width = (int)strlen(t->columns[column].key);

    for (uint32_t i = 0; i < t->rows; i++) {
        int n = print_cell(text, sizeof(text), &t->columns[column],
                           &t->cell[i * t->count + column]);

        width = n > width ? n : width;
    }
    return width;
}

void bench_table_text(FILE *out, const struct bench_table *t)
{
    int width[BENCH_MAX_COLUMNS];
    char text[64];

    for (uint32_t j = 0; j < t->count; j++) {
        width[j] = known(t, j) ? column_width(t, j) : 0;
        if (width[j] > 0)
            fprintf(out, "%*s  ", width[j], t->columns[j].key);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < t->rows; i++) {
        for (uint32_t j = 0; j < t->count; j++) {
            (void)print_cell(text, sizeof(text), &t->columns[j],
                             &t->cell[i * t->count + j]);
            if (width[j] > 0)
                fprintf(out, "%*s  ", width[j], text);
        }
        fputc('\n', out);
    }
}

static void json_row(struct igpu_json *json, const struct bench_table *t, uint32_t row)
{
    igpu_json_object(json, NULL, IGPU_JSON_ROW);
    for (uint32_t j = 0; j < t->count; j++) {
        const struct bench_column *column = &t->columns[j];
        const struct bench_cell *c = &t->cell[row * t->count + j];

        if (column->decimals < 0 ? c->word == NULL : isnan(c->number))
            continue;
        if (column->decimals < 0)
            igpu_json_text(json, column->key, c->word);
        else
            igpu_json_real(json, column->key, c->number,
                           column->decimals == 0 ? 0 : JSON_DECIMALS);
    }
    igpu_json_end(json);
}

void bench_table_json(FILE *out, const struct bench_table *t)
{
    struct igpu_json json;

    igpu_json_start(&json, out, false);
    if (t->rows != 1)
        igpu_json_array(&json, NULL, IGPU_JSON_LINES);
    for (uint32_t i = 0; i < t->rows; i++)
        json_row(&json, t, i);
    if (t->rows != 1)
        igpu_json_end(&json);
}
