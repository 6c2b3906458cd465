/* view_buffers.c - the traffic of a launch's sends by the argument of the kernel whose
 * memory they went to (docs/guide/profile.md, section 3); see view.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "bridge/programs/view/view.h"
#include "igpu/json.h"

/* Of one argument, or of what is none's. */
struct buffer {
    uint32_t sends;
    uint64_t messages, lines, bytes, from[MEM_LINE_LEVELS];
};

/* The argument that holds both ends; nargs: none does. */
static uint32_t argument(const struct trace_launch *l, const struct profile_send *s)
{
    uint32_t i = 0;

    for (; i < l->nargs; i++)
        if (l->args[i].address != 0 && s->low >= l->args[i].address &&
            s->high - l->args[i].address < l->args[i].bytes)
            break;
    return i;
}

/* nargs + 1 sums, the last of what no argument holds; NULL: no message has an address,
 * or no memory. The caller frees. */
static struct buffer *sum(const struct view *v, uint32_t at, uint32_t *count)
{
    const struct profile_result *r = &v->result[at];
    const struct trace_launch *l = trace_launch(v->reader, r->launch);
    struct buffer *all = calloc(l->nargs + 1U, sizeof(*all));
    bool any = false;

    *count = l->nargs + 1U;
    for (uint32_t i = 0; all != NULL && i < r->sends; i++) {
        const struct profile_send *s = &r->send[i];
        struct buffer *b;

        if (s->low > s->high || s->messages == 0)
            continue;
        any = true;
        b = &all[argument(l, s)];
        b->sends++;
        b->messages += s->messages;
        b->lines += s->lines;
        b->bytes += s->bytes;
        for (unsigned k = 0; k < MEM_LINE_LEVELS; k++)
            b->from[k] += s->from[k];
    }
    if (any)
        return all;
    free(all);
    return NULL;
}

void view_text_buffers(FILE *out, const struct view *v, uint32_t at)
{
    static const char *const names[MEM_LINE_LEVELS] = {"L3", "LLC", "eDRAM", "DRAM"};
    uint32_t count;
    struct buffer *b = sum(v, at, &count);

    if (b == NULL)
        return;
    fprintf(out, "\n%-13s  %5s  %10s  %10s  %11s  lines from\n", "traffic of", "sends",
            "messages", "lines", "lanes' bytes");
    for (uint32_t i = 0; i < count; i++) {
        if (b[i].sends == 0)
            continue;
        if (i + 1 < count)
            fprintf(out, "argument %-4" PRIu32, i);
        else
            fprintf(out, "%-13s", "others");
        fprintf(out, "  %5" PRIu32 "  %10" PRIu64 "  %10" PRIu64 "  %12" PRIu64 " ",
                b[i].sends, b[i].messages, b[i].lines, b[i].bytes);
        for (unsigned k = 0; k < MEM_LINE_LEVELS; k++)
            if (b[i].from[k] != 0)
                fprintf(out, " %s %.1f %%", names[k],
                        100.0 * (double)b[i].from[k] / (double)b[i].lines);
        fputc('\n', out);
    }
    free(b);
}

void view_json_buffers(struct igpu_json *j, const struct view *v, uint32_t at)
{
    uint32_t count;
    struct buffer *b = sum(v, at, &count);

    if (b == NULL)
        return;
    igpu_json_array(j, "buffers", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        if (b[i].sends == 0)
            continue;
        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        if (i + 1 < count)
            igpu_json_u64(j, "argument", i);
        igpu_json_u64(j, "sends", b[i].sends);
        igpu_json_u64(j, "messages", b[i].messages);
        igpu_json_u64(j, "lines", b[i].lines);
        igpu_json_u64(j, "bytes", b[i].bytes);
        view_json_from(j, b[i].from);
        igpu_json_end(j);
    }
    igpu_json_end(j);
    free(b);
}
