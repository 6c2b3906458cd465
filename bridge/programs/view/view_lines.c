/* view_lines.c - a profile by source line; see view.h. */
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/view/view.h"

const struct trace_source *view_source(const struct trace_kernel *k, uint32_t inst)
{
    if (k->line == NULL || k->line[inst].source == 0 || k->line[inst].line == 0)
        return NULL;
    return &k->source[k->line[inst].source - 1];
}

/* The line's own text; "" when it is not recorded. */
static void view_line_text(const struct trace_source *source, uint32_t line,
                           char text[VIEW_ASM])
{
    const char *from = source->text;
    size_t length;

    for (; line > 1 && from != NULL; line--) {
        from = strchr(from, '\n');
        if (from != NULL)
            from++;
    }
    text[0] = '\0';
    if (from == NULL || line == 0)
        return;
    from += strspn(from, " \t");
    length = strcspn(from, "\r\n");
    (void)snprintf(text, VIEW_ASM, "%.*s", (int)(length < 100 ? length : 100), from);
}

/* A line's cycles, and the waits of its instructions by reason. */
struct sum {
    uint32_t source, line;
    uint64_t cycles, wait[PROFILE_REASONS];
};

static int by_cycles(const void *left, const void *right)
{
    const struct sum *a = left, *b = right;

    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static uint32_t add_up(const struct view *v, uint32_t at, struct sum *sum)
{
    const struct profile_result *r = &v->result[at];
    const struct trace_kernel *k = view_kernel(v, at);
    uint32_t count = 0;

    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t s = 0;

        if (view_source(k, i) == NULL)
            continue;
        while (s < count &&
               (sum[s].source != k->line[i].source || sum[s].line != k->line[i].line))
            s++;
        if (s == count)
            sum[count++] =
                (struct sum){.source = k->line[i].source, .line = k->line[i].line};
        sum[s].cycles += view_cycles(&r->inst[i]);
        for (unsigned n = 0; n < PROFILE_REASONS; n++)
            sum[s].wait[n] += r->inst[i].wait[n];
    }
    return count;
}

static void print_sum(FILE *out, const struct view *v, uint32_t at, const struct sum *s)
{
    const struct trace_source *source = &view_kernel(v, at)->source[s->source - 1];
    double whole = (double)v->result[at].thread_cycles;
    unsigned most = 0;
    char text[VIEW_ASM];

    for (unsigned n = 1; n < PROFILE_REASONS; n++)
        most = s->wait[n] > s->wait[most] ? n : most;
    view_line_text(source, s->line, text);
    fprintf(out, "%5.1f %%  %-13s  %s:%u: %s\n",
            whole > 0 ? 100 * (double)s->cycles / whole : 0,
            profile_key((enum profile_reason)most), source->name, s->line, text);
}

/* Cycles of inlined functions, those that they inline too, by where they are called. */
static void add_up_calls(const struct view *v, uint32_t at, struct sum *sum)
{
    const struct profile_result *r = &v->result[at];
    const struct trace_kernel *k = view_kernel(v, at);

    for (uint32_t i = 0; i < k->calls; i++)
        sum[i] = (struct sum){.source = k->call[i].source, .line = k->call[i].line};
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t c = k->line[i].call; c != 0; c = k->call[c - 1].up) {
            sum[c - 1].cycles += view_cycles(&r->inst[i]);
            for (unsigned n = 0; n < PROFILE_REASONS; n++)
                sum[c - 1].wait[n] += r->inst[i].wait[n];
        }
}

static void print_calls(FILE *out, const struct view *v, uint32_t at)
{
    uint32_t count = view_kernel(v, at)->calls;
    struct sum *sum = count != 0 ? calloc(count, sizeof(*sum)) : NULL;

    if (sum == NULL)
        return;
    add_up_calls(v, at, sum);
    qsort(sum, count, sizeof(*sum), by_cycles);
    fprintf(out, "\n%7s  %-13s  inlined functions, by where they are called\n", "share",
            "most for");
    for (uint32_t i = 0; i < count && i < v->top && sum[i].cycles > 0; i++)
        print_sum(out, v, at, &sum[i]);
    free(sum);
}

void view_text_lines(FILE *out, const struct view *v, uint32_t at)
{
    struct sum *sum = calloc(v->result[at].count, sizeof(*sum));
    uint32_t count;

    if (sum == NULL || view_kernel(v, at)->line == NULL) {
        free(sum);
        return;
    }
    count = add_up(v, at, sum);
    qsort(sum, count, sizeof(*sum), by_cycles);
    fprintf(out, "\n%7s  %-13s  source line\n", "share", "most for");
    for (uint32_t i = 0; i < count && i < v->top && sum[i].cycles > 0; i++)
        print_sum(out, v, at, &sum[i]);
    free(sum);
    print_calls(out, v, at);
}
