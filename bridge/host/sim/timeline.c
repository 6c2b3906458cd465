/* timeline.c - see timeline.h. */
#include "bridge/host/sim/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sim/timeline_out.h"
#include "igpu/eu_counters.h"
#include "igpu/grow.h"
#include "igpu/uop_cycles.h"
#include "traces/feed/uops.h"

enum { NAME_BYTES = 160, TRACKS = 24 /* of an EU: units, slots, their waits */ };

/* A message that was granted and is not answered. */
struct message {
    uint64_t cycle, id;
    uint32_t uop;
    unsigned lane;
};

struct slot {
    bool open;
    uint64_t since;
    uint32_t thread;
    struct message *message; /* oldest first */
    uint32_t messages, capacity;
    uint64_t lanes; /* those of its messages, a bit each */
};

struct timeline {
    struct timeline_out *out;
    const struct igpu_config *config;
    struct trace_reader *reader;
    struct sim *sim;
    const struct trace_kernel *kernel; /* of uop and name; NULL at first */
    struct uop *uop;
    uint32_t *occ;
    char (*name)[NAME_BYTES];   /* "INDEX: DISASSEMBLY" */
    uint32_t first_name, names; /* ids: of instruction 0, and how many are given */
    uint64_t next_id[HOST_MAX_TILES], launch_since, launch_until;
    struct timeline_window window; /* what is shown */
    uint32_t launch;
    bool launch_open, out_of_memory;
    struct slot slot[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
};

/* ---- times and tracks ---- */

/* Rounded down; in steps that stay within 64 bits. */
static uint64_t picoseconds(const struct timeline *t, uint64_t cycle)
{
    const uint64_t hz = t->config->gpu_clock_hz, million = 1000000;
    uint64_t part = cycle % hz * million;

    return (cycle / hz * million + part / hz) * million + part % hz * million / hz;
}

static struct timeline_track unit_track(unsigned tile, unsigned eu, unsigned unit)
{
    return (struct timeline_track){tile + 1, 1 + eu * TRACKS + unit};
}

static struct timeline_track slot_track(unsigned tile, unsigned eu, unsigned slot)
{
    return (struct timeline_track){tile + 1, 1 + eu * TRACKS + EU_UNITS + slot};
}

static struct timeline_track wait_track(unsigned tile, unsigned eu, unsigned slot)
{
    return (struct timeline_track){tile + 1,
                                   1 + eu * TRACKS + EU_UNITS + HOST_SLOTS + slot};
}

static const struct timeline_track launches = {0, 1};
static const struct timeline_arg no_arg = {.key = NULL};

static struct timeline_arg arg_number(const char *key, uint64_t value)
{
    return (struct timeline_arg){key, value, NULL};
}

static void slice(struct timeline *t, struct timeline_track track, const char *name,
                  uint32_t id, uint64_t from, uint64_t to, struct timeline_arg first,
                  struct timeline_arg second)
{
    timeline_out_slice(t->out, track, (struct timeline_name){name, id},
                       picoseconds(t, from), picoseconds(t, to), first, second);
}

static void label_tracks(struct timeline *t)
{
    static const char *const units[EU_UNITS] = {"FPU0", "FPU1", "SEND", "BRANCH"};
    const struct igpu_config *c = t->config;
    char name[64];

    timeline_out_process(t->out, 0, "GPU");
    timeline_out_track(t->out, launches, "launches");
    for (unsigned i = 0; i < c->gpu_subslices; i++) {
        (void)snprintf(name, sizeof(name), "subslice %u", i);
        timeline_out_process(t->out, i + 1, name);
        for (unsigned j = 0; j < c->eu_count; j++) {
            for (unsigned k = 0; k < EU_UNITS; k++) {
                (void)snprintf(name, sizeof(name), "EU %u %s", j, units[k]);
                timeline_out_track(t->out, unit_track(i, j, k), name);
            }
            for (unsigned k = 0; k < c->eu_threads; k++) {
                (void)snprintf(name, sizeof(name), "EU %u slot %u", j, k);
                timeline_out_track(t->out, slot_track(i, j, k), name);
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
    t->first_name = t->names + 1;
    t->names += count + 1; /* the last is the kernel's own */
    return true;
}

static struct timeline_name name_of(const struct timeline *t, uint32_t uop)
{
    return (struct timeline_name){t->name[uop], t->first_name + uop};
}

static const struct trace_kernel *kernel_of(const struct timeline *t, uint32_t launch)
{
    return trace_kernel(t->reader, trace_launch(t->reader, launch)->kernel);
}

static void end_launch(struct timeline *t)
{
    if (!t->launch_open)
        return;
    slice(t, launches, kernel_of(t, t->launch)->name, t->names, t->launch_since,
          t->launch_until, arg_number("launch", t->launch), no_arg);
    t->launch_open = false;
}

/* ---- events of the sim --------------------------------------------------- */

/* Does something of an EU from cycle `from` to `to` belong into the file? */
static bool shown(const struct timeline *t, unsigned tile, unsigned eu, uint64_t from,
                  uint64_t to)
{
    const struct timeline_window *w = &t->window;
    uint32_t number_of = (uint32_t)(tile * t->config->eu_count + eu);

    return from < w->to && to > w->from && t->launch >= w->first_launch &&
           t->launch <= w->last_launch && number_of >= w->first_eu &&
           number_of <= w->last_eu;
}

static void take_issue(struct timeline *t, const struct sim_event *e)
{
    if (!shown(t, e->tile, e->eu, e->cycle, e->cycle + t->occ[e->value]))
        return;
    slice(t, unit_track(e->tile, e->eu, e->unit), t->name[e->value],
          name_of(t, e->value).id, e->cycle, e->cycle + t->occ[e->value],
          arg_number("slot", e->slot), no_arg);
}

static void end_thread(struct timeline *t, const struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];

    if (shown(t, e->tile, e->eu, s->since, e->cycle + 1)) {
        slice(t, slot_track(e->tile, e->eu, e->slot), t->kernel->name, t->names,
              s->since, e->cycle + 1, arg_number("thread", s->thread),
              arg_number("launch", t->launch));
    }
    s->open = false;
    t->launch_until = e->cycle + 1;
}

static void take_message(struct timeline *t, const struct sim_event *e)
{
    struct slot *s = &t->slot[e->tile][e->eu][e->slot];
    unsigned lane;

    if (!IGPU_RESERVE(s->message, s->capacity, (size_t)s->messages + 1)) {
        t->out_of_memory = true;
        return;
    }
    lane = s->lanes != UINT64_MAX ? (unsigned)__builtin_ctzll(~s->lanes) : 0;
    s->lanes |= UINT64_C(1) << lane;
    s->message[s->messages++] = (struct message){
        e->cycle, t->next_id[e->tile]++ * HOST_MAX_TILES + e->tile, e->value, lane};
}

/* A message is over: at most 64 of a slot are under way (dp.queue), so each has a lane
 * of its own. */
static void print_message(struct timeline *t, const struct sim_event *e,
                          const struct message *m)
{
    const char *answered_by =
        e->kind == SIM_ANSWER ? profile_level((enum mem_level)e->unit) : "nobody yet";

    t->slot[e->tile][e->eu][e->slot].lanes &= ~(UINT64_C(1) << m->lane);
    if (shown(t, e->tile, e->eu, m->cycle, e->cycle + 1))
        timeline_out_async(t->out, slot_track(e->tile, e->eu, e->slot),
                           name_of(t, m->uop), m->lane, m->id, picoseconds(t, m->cycle),
                           picoseconds(t, e->cycle),
                           (struct timeline_arg){"answered_by", 0, answered_by},
                           arg_number("slot", e->slot));
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

static void timeline_take(struct timeline *t, const struct sim_event *e)
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
        timeline_take(t, &sorted[i]);
    free(sorted);
}

void timeline_window(struct timeline *t, const struct timeline_window *window)
{
    t->window = *window;
}

/* Reasons follow each other in the order of a wait (docs/guide/profile.md, section 2);
 * those that take turns are put together. */
static void on_wait(void *ctx, unsigned tile, unsigned eu, unsigned slot, uint32_t uop,
                    uint64_t from, const uint64_t wait[PROFILE_REASONS])
{
    struct timeline *t = ctx;

    for (unsigned k = 0; k < PROFILE_REASONS; k++) {
        uint64_t to = from + wait[k];

        if (wait[k] != 0 && shown(t, tile, eu, from, to))
            slice(t, wait_track(tile, eu, slot), profile_key((enum profile_reason)k),
                  k + 1, from, to, arg_number("before", uop), no_arg);
        from = to;
    }
}

void timeline_waits(struct timeline *t, struct profile *profile)
{
    char name[64];

    profile_watch(profile, (struct profile_watch){t, on_wait});
    for (unsigned i = 0; i < t->config->gpu_subslices; i++)
        for (unsigned j = 0; j < t->config->eu_count; j++)
            for (unsigned k = 0; k < t->config->eu_threads; k++) {
                (void)snprintf(name, sizeof(name), "EU %u slot %u waits", j, k);
                timeline_out_track(t->out, wait_track(i, j, k), name);
            }
}

enum sim_state timeline_step(struct timeline *t)
{
    uint32_t launch = sim_launch(t->sim);
    enum sim_state state;

    t->launch = launch; /* the profile tells of it */
    state = sim_step(t->sim);
    if (!use_kernel(t, kernel_of(t, launch))) {
        t->out_of_memory = true;
        return state;
    }
    for (unsigned i = 0; i < t->config->gpu_subslices; i++)
        take_tile(t, i);
    if (sim_launch(t->sim) != launch)
        end_launch(t);
    return state;
}

void timeline_counter(struct timeline *t, const char *name, uint64_t cycle,
                      double value)
{
    timeline_out_counter(t->out, name, picoseconds(t, cycle), value);
}

/* ---- the file ------------------------------------------------------------ */

static void timeline_release(struct timeline *t)
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
        return igpu_no_memory(err, "%s", path);
    status = timeline_out_open(&t->out, path, err);
    if (status != IGPU_OK) {
        timeline_release(t);
        return status;
    }
    t->config = config;
    t->reader = reader;
    t->sim = sim;
    t->window = (struct timeline_window){0, UINT64_MAX, 0, UINT32_MAX, 0, UINT32_MAX};
    t->names = PROFILE_REASONS; /* the first are theirs */
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
    if (t->out_of_memory) {
        timeline_out_abort(t->out);
        status = igpu_no_memory(err, "timeline");
    } else {
        status = timeline_out_close(t->out, err);
    }
    timeline_release(t);
    return status;
}

void timeline_abort(struct timeline *t)
{
    if (t == NULL)
        return;
    timeline_out_abort(t->out);
    timeline_release(t);
}
