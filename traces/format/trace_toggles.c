/* trace_toggles.c - a launch's toggles of data (igpu/toggles.h) as columns of its
 * message, and back. */
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_toggles.h"

enum { COLUMNS = 4 };

static uint64_t *column_of(struct toggle_count *t, unsigned column)
{
    uint64_t *of[COLUMNS] = {&t->operand_bits, &t->operand_toggles, &t->result_bits,
                             &t->result_toggles};

    return of[column];
}

bool trace_toggles_copy(struct trace_launch *launch, const struct toggle_count *from,
                        uint32_t count)
{
    struct toggle_count *copy = NULL;

    if (from != NULL) {
        copy = malloc((count + 1u) * sizeof(*copy));
        if (copy == NULL)
            return false;
        memcpy(copy, from, count * sizeof(*copy));
    }
    launch->toggles = copy;
    launch->toggle_count = from != NULL ? count : 0;
    return true;
}

bool trace_toggles_pack(const struct trace_launch *launch,
                        Vigpu__Trace__Toggles *message)
{
    uint64_t **column[COLUMNS] = {&message->operand_bits, &message->operand_toggles,
                                  &message->result_bits, &message->result_toggles};
    size_t n = launch->toggle_count;
    uint64_t *all = malloc((COLUMNS * n + 1) * sizeof(*all));

    vigpu__trace__toggles__init(message);
    if (all == NULL)
        return false;
    for (unsigned c = 0; c < COLUMNS; c++) {
        *column[c] = all + c * n;
        for (size_t i = 0; i < n; i++) {
            struct toggle_count t = launch->toggles[i];

            (*column[c])[i] = *column_of(&t, c);
        }
    }
    message->n_operand_bits = message->n_operand_toggles = n;
    message->n_result_bits = message->n_result_toggles = n;
    return true;
}

void trace_toggles_pack_free(Vigpu__Trace__Toggles *message)
{
    free(message->operand_bits); /* the first of all four */
}

const char *trace_toggles_read(const Vigpu__Trace__Toggles *from,
                               struct trace_launch *launch)
{
    const uint64_t *column[COLUMNS] = {from->operand_bits, from->operand_toggles,
                                       from->result_bits, from->result_toggles};
    size_t n = from->n_operand_bits;
    struct toggle_count *to;

    if (n > TRACE_MAX_INSTS || from->n_operand_toggles != n ||
        from->n_result_bits != n || from->n_result_toggles != n)
        return "its columns of toggles have different lengths";
    to = calloc(n + 1u, sizeof(*to));
    if (to == NULL)
        return igpu_short_memory;
    for (size_t i = 0; i < n; i++)
        for (unsigned c = 0; c < COLUMNS; c++)
            *column_of(&to[i], c) = column[c][i];
    launch->toggles = to;
    launch->toggle_count = (uint32_t)n;
    return NULL;
}

const char *trace_toggles_fault(const struct trace_launch *launch, uint32_t insts)
{
    if (launch->toggles != NULL && launch->toggle_count != insts)
        return "its toggles are not one entry for each instruction";
    for (uint32_t i = 0; i < launch->toggle_count; i++) {
        const struct toggle_count *t = &launch->toggles[i];

        if (t->operand_toggles > t->operand_bits || t->result_toggles > t->result_bits)
            return "more bits toggle than there are";
    }
    return NULL;
}
