/* message_file.c - see message_file.h. */
#include "bridge/programs/cli/message_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

/* What was granted and is not answered, of a subslice, oldest first: a message has a
 * cycle of its own there. */
struct waiting {
    struct message {
        struct mem_msg msg;
        uint32_t launch;
    } * message;
    uint32_t count, capacity;
};

struct message_file {
    struct igpu_output out;
    struct waiting tile[HOST_MAX_TILES];
    bool out_of_memory;
};

static const char *const ops[] = {
    [MEM_READ] = "read",       [MEM_WRITE] = "write",
    [MEM_ATOMIC] = "atomic",   [MEM_FENCE] = "fence",
    [MEM_BARRIER] = "barrier", [MEM_OTHER] = "other",
    [MEM_PAYLOAD] = "payload", [MEM_INTERPOLATE] = "interpolate",
    [MEM_TEXTURE] = "texture", [MEM_TARGET] = "target",
    [MEM_FLUSH] = "flush"};
static const char *const levels[MEM_LEVELS] = {
    [MEM_AT_L3] = "l3",           [MEM_AT_LLC] = "llc",
    [MEM_AT_EDRAM] = "edram",     [MEM_AT_DRAM] = "dram",
    [MEM_AT_SLM] = "slm",         [MEM_AT_SAMPLER] = "sampler",
    [MEM_AT_TARGET] = "target",   [MEM_AT_PAYLOAD] = "fixed",
    [MEM_AT_GATEWAY] = "gateway", [MEM_AT_PORT] = "port"};

static void on_sent(void *ctx, uint32_t launch, const struct mem_msg *msg)
{
    struct message_file *f = ctx;
    struct waiting *w = &f->tile[msg->subslice];

    if (!IGPU_APPEND(w->message, w->count, w->capacity,
                     (struct message){.launch = launch, .msg = *msg}))
        f->out_of_memory = true;
}

/* Addresses are those of reads, writes and atomics; other messages carry other things.
 */
static void print_addresses(FILE *out, const struct mem_msg *m)
{
    if (m->op > MEM_ATOMIC)
        return;
    for (uint32_t i = 0; i < m->lanes; i++)
        fprintf(out, "%s%" PRIx64, i > 0 ? " " : "", mem_lane(m, i));
}

static void print(FILE *out, const struct message *x, const char *answer,
                  const char *level)
{
    const struct mem_msg *m = &x->msg;

    fprintf(out, "%" PRIu32 ",%" PRIu64 ",%s,%u,%u,%u,%" PRIu32 ",%s,%s,%u,%s,",
            x->launch, m->cycle, answer, m->subslice, m->eu, m->slot, m->uop,
            ops[m->op],
            m->op > MEM_ATOMIC    ? ""
            : m->space == MEM_SLM ? "slm"
                                  : "global",
            m->op > MEM_ATOMIC ? 0 : m->bytes, level);
    print_addresses(out, m);
    fputc('\n', out);
}

static void on_answer(void *ctx, const struct mem_done *done, const struct mem_way *way)
{
    struct message_file *f = ctx;
    struct waiting *w = &f->tile[done->subslice];
    char cycle[24];
    uint32_t i = 0;

    while (i < w->count && w->message[i].msg.cycle != way->sent)
        i++;
    if (i == w->count)
        return;
    (void)snprintf(cycle, sizeof(cycle), "%" PRIu64, done->cycle);
    print(f->out.file, &w->message[i], cycle, levels[way->level]);
    w->count--;
    memmove(w->message + i, w->message + i + 1, (w->count - i) * sizeof(*w->message));
}

enum igpu_status message_file_open(struct message_file **file, const char *path,
                                   struct sim_options *options, struct igpu_err *err)
{
    struct message_file *f = calloc(1, sizeof(*f));
    enum igpu_status status;

    *file = NULL;
    if (f == NULL)
        return igpu_no_memory(err, "%s", path);
    status = igpu_output_open(&f->out, path, err);
    if (status != IGPU_OK) {
        free(f);
        return status;
    }
    fputs("launch,granted,answered,subslice,eu,slot,instruction,operation,space,bytes,"
          "answered_by,addresses\n",
          f->out.file);
    options->messages = (struct sim_messages){f, on_sent, on_answer};
    *file = f;
    return IGPU_OK;
}

enum igpu_status message_file_close(struct message_file *f, struct igpu_err *err)
{
    enum igpu_status status;

    if (f == NULL)
        return IGPU_OK;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        for (uint32_t k = 0; k < f->tile[i].count; k++)
            print(f->out.file, &f->tile[i].message[k], "", "");
    status = f->out_of_memory ? igpu_no_memory(err, "--messages")
                              : igpu_output_close(&f->out, err);
    message_file_abort(f);
    return status;
}

void message_file_abort(struct message_file *f)
{
    if (f == NULL)
        return;
    igpu_output_abort(&f->out);
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        free(f->tile[i].message);
    free(f);
}
