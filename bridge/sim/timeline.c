/* timeline.c - see timeline.h. */
#include "bridge/sim/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/eu_counters.h"
#include "igpu/json.h"
#include "igpu/output.h"
#include "igpu/uop_cycles.h"
#include "traces/feed/uops.h"

enum { NAME_BYTES = 160, TRACKS = 16 /* of an EU: units, then slots */ };

/* A message that was granted and is not answered. */
struct message {
    uint64_t cycle, id;
    uint32_t uop;
};

struct slot {
    bool open;
    uint64_t since;
    uint32_t thread;
    struct message *message; /* oldest first */
    uint32_t messages, capacity;
};

struct timeline {
    struct igpu_output out;
    struct igpu_json json;
    const struct igpu_config *config;
    struct trace_reader *reader;
    struct sim *sim;
    const struct trace_kernel *kernel; /* of uop and name; NULL at first */
    struct uop *uop;
    uint32_t *occ;
    char (*name)[NAME_BYTES]; /* "INDEX: DISASSEMBLY" */
    uint64_t next_id[HOST_MAX_TILES], launch_since, launch_until;
    uint64_t from, to; /* what is shown */
    uint32_t launch;
    bool launch_open, out_of_memory;
    struct slot slot[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
};

/* ---- events as text ------------------------------------------------------ */

/* Rounded down; in steps that stay within 64 bits. */
static uint64_t picoseconds(const struct timeline *t, uint64_t cycle)
{
    const uint64_t hz = t->config->gpu_clock_hz, million = 1000000;
    uint64_t part = cycle % hz * million;

    return (cycle / hz * million + part / hz) * million + part % hz * million / hz;
}

/* The members that every event has; process 0 is the whole GPU. */
static void begin_event(struct timeline *t, const char *phase, unsigned process,
                        unsigned track)
{
    igpu_json_object(&t->json, NULL, IGPU_JSON_ROW);
    igpu_json_text(&t->json, "ph", phase);
    igpu_json_u64(&t->json, "pid", process);
    igpu_json_u64(&t->json, "tid", track);
}

/* The last member, of two numbers (the second's key NULL: of one), and the end. */
static void end_event(struct timeline *t, const char *key, uint64_t value,
                      const char *key2, uint64_t value2)
{
    igpu_json_object(&t->json, "args", IGPU_JSON_ROW);
    igpu_json_u64(&t->json, key, value);
    if (key2 != NULL)
        igpu_json_u64(&t->json, key2, value2);
    igpu_json_end(&t->json);
    igpu_json_end(&t->json);
}

static void slice(struct timeline *t, unsigned process, unsigned track,
                  const char *name, uint64_t from, uint64_t to)
{
    uint64_t start = picoseconds(t, from);

    begin_event(t, "X", process, track);
    igpu_json_text(&t->json, "name", name);
    igpu_json_fixed(&t->json, "ts", start, 6);
    igpu_json_fixed(&t->json, "dur", picoseconds(t, to) - start, 6);
}

static void label(struct timeline *t, const char *what, unsigned process,
                  unsigned track, const char *name)
{
    begin_event(t, "M", process, track);
    igpu_json_text(&t->json, "name", what);
    igpu_json_object(&t->json, "args", IGPU_JSON_ROW);
    igpu_json_text(&t->json, "name", name);
    igpu_json_end(&t->json);
    igpu_json_end(&t->json);
}

static unsigned unit_track(unsigned eu, unsigned unit)
{
    return 1 + eu * TRACKS + unit;
}

static unsigned slot_track(unsigned eu, unsigned slot)
{
    return 1 + eu * TRACKS + EU_UNITS + slot;
}

static void label_tracks(struct timeline *t)
{
    static const char *const units[EU_UNITS] = {"FPU0", "FPU1", "SEND", "BRANCH"};
    const struct igpu_config *c = t->config;
    char name[64];

    label(t, "process_name", 0, 0, "GPU");
    label(t, "thread_name", 0, 1, "launches");
    for (unsigned i = 0; i < c->gpu_subslices; i++) {
        (void)snprintf(name, sizeof(name), "subslice %u", i);
        label(t, "process_name", i + 1, 0, name);
        for (unsigned j = 0; j < c->eu_count; j++) {
            for (unsigned k = 0; k < EU_UNITS; k++) {
                (void)snprintf(name, sizeof(name), "EU %u %s", j, units[k]);
                label(t, "thread_name", i + 1, unit_track(j, k), name);
            }
            for (unsigned k = 0; k < c->eu_threads; k++) {
                (void)snprintf(name, sizeof(name), "EU %u slot %u", j, k);
                label(t, "thread_name", i + 1, slot_track(j, k), name);
            }
        }
    }
}

/* ---- kernels and launches ------------------------------------------------ */

/* Runs of blanks, which line columns up in a listing, become one. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' || (to > text && to[-1] != ' '))
            *to++ = *from;
    *to = '\0';
}

static bool use_kernel(struct timeline *t, const struct trace_kernel *kernel)
{
    uint32_t count = kernel->code.count;

    if (t->kernel == kernel)
        return true;
    free(t->uop);
    free(t->occ);
    free(t->name);
    t->kernel = NULL;
    t->uop = calloc(count, sizeof(*t->uop));
    t->occ = calloc(count, sizeof(*t->occ));
    t->name = calloc(count, sizeof(*t->name));
    if (t->uop == NULL || t->occ == NULL || t->name == NULL)
        return false;
    uops_from_code(&kernel->code, t->config, t->uop);
    for (uint32_t i = 0; i < count; i++) {
        int n = snprintf(t->name[i], NAME_BYTES, "%" PRIu32 ": ", i);

        (void)isa_disasm(&kernel->code.inst[i], t->name[i] + n, NAME_BYTES - (size_t)n);
        squeeze(t->name[i]);
        t->occ[i] = uop_occupancy(t->config, &t->uop[i]);
    }
    t->kernel = kernel;
    return true;
}

static const struct trace_kernel *kernel_of(const struct timeline *t, uint32_t launch)
{
    return trace_kernel(t->reader, trace_launch(t->reader, launch)->kernel);
}

static void end_launch(struct timeline *t)
{
    if (!t->launch_open)
        return;
    slice(t, 0, 1, kernel_of(t, t->launch)->name, t->launch_since, t->launch_until);
    end_event(t, "launch", t->launch, NULL, 0);
    t->launch_open = false;
}

/* ---- events of the sim --------------------------------------------------- */

/* Does something from cycle `from` to `to` belong into the file? */
static bool shown(const struct timeline *t, uint64_t from, uint64_t to)
{
    return from < t->to && to > t->from;
}

static void take_issue(struct timeline *t, const struct sim_event *e)
{
    if (!shown(t, e->cycle, e->cycle + t->occ[e->value]))
        return;
    slice(t, e->tile + 1U, unit_track(e->eu, e->unit), t->name[e->value], e->cycle,
          e->cycle + t->occ[e->value]);
    end_event(t, "slot", e->slot, NULL, 0);
}

static void end_thread(struct timeline *t, const struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];

    if (shown(t, s->since, e->cycle + 1)) {
        slice(t, e->tile + 1U, slot_track(e->eu, e->slot), t->kernel->name, s->since,
              e->cycle + 1);
        end_event(t, "thread", s->thread, "launch", t->launch);
    }
    s->open = false;
    t->launch_until = e->cycle + 1;
}

static void take_message(struct timeline *t, const struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];

    if (s->messages == s->capacity) {
        uint32_t capacity = s->capacity == 0 ? 16 : 2 * s->capacity;
        void *grown = realloc(s->message, capacity * sizeof(*s->message));

        if (grown == NULL) {
            t->out_of_memory = true;
            return;
        }
        s->message = grown;
        s->capacity = capacity;
    }
    s->message[s->messages++] = (struct message){
        e->cycle, t->next_id[e->tile]++ * HOST_MAX_TILES + e->tile, e->value};
}

/* Both ends of an asynchronous slice; ids make each one of its own. */
static void print_message(struct timeline *t, const struct sim_event *e,
                          const struct message *m)
{
    static const char *const phases[] = {"b", "e"};

    if (!shown(t, m->cycle, e->cycle + 1))
        return;
    for (unsigned i = 0; i < 2; i++) {
        begin_event(t, phases[i], e->tile + 1U, slot_track(e->eu, e->slot));
        igpu_json_text(&t->json, "name", t->name[m->uop]);
        igpu_json_fixed(&t->json, "ts", picoseconds(t, i == 0 ? m->cycle : e->cycle),
                        6);
        igpu_json_text(&t->json, "cat", "message");
        igpu_json_u64(&t->json, "id", m->id);
        if (i == 0)
            end_event(t, "eu", e->eu, "slot", e->slot);
        else
            igpu_json_end(&t->json);
    }
}

/* The answer to the oldest message of the same instruction. */
static void take_answer(struct timeline *t, const struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];
    uint32_t i = 0;

    while (i < s->messages && s->message[i].uop != e->value)
        i++;
    if (i == s->messages)
        return;
    print_message(t, e, &s->message[i]);
    s->messages--;
    memmove(s->message + i, s->message + i + 1,
            (s->messages - i) * sizeof(*s->message));
}

static void take(struct timeline *t, const struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];

    switch (e->kind) {
    case SIM_ISSUE:
        take_issue(t, e);
        break;
    case SIM_MSG:
        take_message(t, e);
        break;
    case SIM_ANSWER:
        take_answer(t, e);
        break;
    case SIM_OPEN:
        if (!t->launch_open) {
            t->launch_open = true;
            t->launch_since = e->cycle;
        }
        s->open = true;
        s->since = e->cycle;
        s->thread = e->value;
        break;
    default:
        end_thread(t, e);
        break;
    }
}

/* A step's events of one tile in ascending cycles, whatever order the engine makes
 * them in. Tiles follow each other step by step, so engines whose steps differ write
 * the same lines in another order. */
static void take_tile(struct timeline *t, unsigned tile)
{
    uint32_t count;
    const struct sim_event *event = sim_events(t->sim, tile, &count);
    struct sim_event *sorted;

    if (count == 0)
        return;
    sorted = malloc(count * sizeof(*sorted));
    if (sorted == NULL) {
        t->out_of_memory = true;
        return;
    }
    memcpy(sorted, event, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), sim_event_compare);
    for (uint32_t i = 0; i < count; i++)
        take(t, &sorted[i]);
    free(sorted);
}

void timeline_window(struct timeline *t, uint64_t from, uint64_t to)
{
    t->from = from;
    t->to = to;
}

enum sim_state timeline_step(struct timeline *t)
{
    uint32_t launch = sim_launch(t->sim);
    enum sim_state state = sim_step(t->sim);

    if (!use_kernel(t, kernel_of(t, launch))) {
        t->out_of_memory = true;
        return state;
    }
    t->launch = launch;
    for (unsigned i = 0; i < t->config->gpu_subslices; i++)
        take_tile(t, i);
    if (sim_launch(t->sim) != launch)
        end_launch(t);
    return state;
}

void timeline_counter(struct timeline *t, const char *name, uint64_t cycle,
                      double value)
{
    begin_event(t, "C", 0, 0);
    igpu_json_text(&t->json, "name", name);
    igpu_json_fixed(&t->json, "ts", picoseconds(t, cycle), 6);
    igpu_json_object(&t->json, "args", IGPU_JSON_ROW);
    igpu_json_real(&t->json, "value", value, 6);
    igpu_json_end(&t->json);
    igpu_json_end(&t->json);
}

/* ---- the file ------------------------------------------------------------ */

static void release(struct timeline *t)
{
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        for (unsigned j = 0; j < HOST_EUS; j++)
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                free(t->slot[i][j][k].message);
    free(t->uop);
    free(t->occ);
    free(t->name);
    free(t);
}

enum igpu_status timeline_open(struct timeline **timeline, const char *path,
                               const struct igpu_config *config,
                               struct trace_reader *reader, struct sim *sim,
                               struct igpu_err *err)
{
    struct timeline *t = calloc(1, sizeof(*t));
    enum igpu_status status;

    *timeline = NULL;
    if (t == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: out of memory", path);
    status = igpu_output_open(&t->out, path, err);
    if (status != IGPU_OK) {
        release(t);
        return status;
    }
    t->config = config;
    t->reader = reader;
    t->sim = sim;
    t->to = UINT64_MAX;
    igpu_json_start(&t->json, t->out.file, true);
    igpu_json_object(&t->json, NULL, IGPU_JSON_ROW);
    igpu_json_text(&t->json, "displayTimeUnit", "ns");
    igpu_json_array(&t->json, "traceEvents", IGPU_JSON_LINES);
    label_tracks(t);
    *timeline = t;
    return IGPU_OK;
}

/* What a run that stopped early has left: it ends where the run does. */
static void end_slot(struct timeline *t, struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];

    for (uint32_t i = 0; i < s->messages; i++)
        print_message(t, e, &s->message[i]);
    if (s->open)
        end_thread(t, e);
}

enum igpu_status timeline_close(struct timeline *t, struct igpu_err *err)
{
    struct sim_event now = {.cycle = sim_now(t->sim)};
    enum igpu_status status;

    for (now.tile = 0; now.tile < HOST_MAX_TILES; now.tile++)
        for (now.eu = 0; now.eu < HOST_EUS; now.eu++)
            for (now.slot = 0; now.slot < HOST_SLOTS; now.slot++)
                end_slot(t, &now);
    end_launch(t);
    igpu_json_end(&t->json);
    igpu_json_end(&t->json);
    if (t->out_of_memory) {
        igpu_output_abort(&t->out);
        status = igpu_fail(err, IGPU_BAD_INPUT, "timeline: out of memory");
    } else {
        status = igpu_output_close(&t->out, err);
    }
    release(t);
    return status;
}

void timeline_abort(struct timeline *t)
{
    if (t == NULL)
        return;
    igpu_output_abort(&t->out);
    release(t);
}
