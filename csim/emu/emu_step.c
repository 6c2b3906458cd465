/* emu_step.c - see igpu/emu_step.h. */
#include "igpu/emu_step.h"

#include <inttypes.h>
#include <stdlib.h>

#include "emu_int.h"
#include "igpu/floats.h"

enum {
    PAYLOAD_GRFS = 31, /* of one message, both sources */
    LANE_BYTES = 256,  /* that a message writes at most at one address */
    FIRST_TRIES = 4,   /* of a thread's state, before another is taken, */
    MOST_TRIES = 256   /* and before it is left alone until something changes */
};

/* A message between its issue and its grant. */
struct message {
    struct message *next;
    const struct emu_op *op;
    uint32_t mask;
    uint16_t addr[4]; /* a0.0 to a0.3: a descriptor in registers */
    uint8_t payload[PAYLOAD_GRFS * ISA_GRF_BYTES];
};

/* A group with a thread. */
struct group {
    struct group *next;
    uint64_t number;
    uint32_t left; /* threads that have not gone, or not come */
    uint32_t running, waiting;
    uint64_t barriers; /* that have opened */
    uint8_t *slm;
};

/* What a thread was like at a branch, for emu_step_stuck(). */
struct mark {
    uint64_t epoch, hash;
    uint32_t at, tries, limit; /* looked at again so often; up to which */
    bool back;                 /* in this epoch it was like that once more */
};

struct emu_step_thread {
    struct emu_thread t;
    struct emu_step_thread *before, *behind; /* those that are there */
    struct emu_step_thread *next;            /* free ones */
    struct group *group;
    struct message *oldest, *youngest;
    uint32_t messages, share, mask;
    uint32_t deferred; /* instructions that have issued, from t.at on */
    bool ended;
    uint64_t arrived; /* 1 + barriers of its group when it came to one; 0: at none */
    struct mark mark;
};

struct emu_step {
    struct emu_machine m;
    struct emu_launch launch;
    struct igpu_err err;
    uint64_t now;
    bool *share; /* taken, of m.hw_threads */
    struct group *groups, *idle_groups;
    struct emu_step_thread *idle, *there;
    struct message *idle_messages;
    struct emu_counts counts; /* of threads that are gone */
    uint64_t issued;
    /* of the message that is sent */
    bool told;
    struct emu_access access;
    uint64_t addr[EMU_LANES];
    /* While it is watched: a number for each state of memory and threads that came to
     * be; what a message is about to write, piece by piece. */
    bool watched;
    uint64_t epoch;
    const struct emu_op *writes;
    struct {
        const uint8_t *host;
        uint32_t bytes;
        uint8_t was[LANE_BYTES];
    } piece[EMU_LANES];
    uint32_t pieces;
};

/* The message writes *host next: what it has there now. */
static void keep_piece(struct emu_step *s, const uint8_t *host, uint32_t bytes)
{
    if (host == NULL || bytes > LANE_BYTES) {
        s->epoch++; /* nobody can tell */
        return;
    }
    s->piece[s->pieces].host = host;
    s->piece[s->pieces].bytes = bytes;
    memcpy(s->piece[s->pieces++].was, host, bytes);
}

static void keep_pieces(struct emu_step *s, const struct emu_access *access)
{
    const struct isa_message *msg = &s->writes->inst->msg;
    uint32_t first = 0, bytes = isa_lane_bytes(msg, &first);

    if (msg->family == ISA_MSG_TYPED_WRITE || msg->family == ISA_MSG_TYPED_ATOMIC) {
        s->epoch++; /* its addresses are those of tiles */
        return;
    }
    for (uint32_t rest = access->mask; rest != 0; rest &= rest - 1) {
        uint64_t at = access->addr[__builtin_ctz(rest)] + first;

        keep_piece(s,
                   access->space == EMU_SPACE_SLM
                       ? s->m.group.slm + at
                       : (const uint8_t *)emu_mem_host(s->m.mem, at, bytes),
                   bytes);
    }
}

/* Has it changed anything? */
static void compare_pieces(struct emu_step *s)
{
    for (uint32_t i = 0; i < s->pieces; i++)
        s->epoch += memcmp(s->piece[i].host, s->piece[i].was, s->piece[i].bytes) != 0;
    s->pieces = 0;
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct emu_step *s = ctx;

    (void)thread;
    memcpy(s->addr, access->addr, sizeof(s->addr));
    s->access = *access;
    s->access.addr = s->addr;
    s->told = true;
    if (s->watched && s->writes->inst->msg.is_write)
        keep_pieces(s, access);
}

enum igpu_status emu_step_new(struct emu_step **step, const struct emu_program *program,
                              struct emu_mem *mem, const struct emu_launch *launch,
                              uint32_t slots, struct igpu_err *err)
{
    struct emu_step *s = calloc(1, sizeof(*s));

    *step = NULL;
    if (s == NULL)
        return igpu_no_memory(err, "a launch");
    s->launch = *launch;
    s->launch.hooks = (struct emu_hooks){.ctx = s, .access = on_access};
    s->m = (struct emu_machine){.p = program,
                                .launch = &s->launch,
                                .mem = mem,
                                .err = &s->err,
                                .clock = &s->now};
    s->m.status = emu_set_up(&s->m, slots, err);
    if (s->m.status == IGPU_OK) {
        s->share = calloc(s->m.hw_threads, sizeof(*s->share));
        if (s->share == NULL)
            s->m.status = igpu_no_memory(err, "a launch");
    }
    *step = s;
    if (s->m.status != IGPU_OK) {
        enum igpu_status status = s->m.status;

        emu_step_free(s);
        *step = NULL;
        return status;
    }
    return IGPU_OK;
}

/* What has issued, and was not computed yet. */
static void compute(struct emu_step *s, struct emu_step_thread *t)
{
    uint32_t count = t->deferred;
    struct igpu_floats floats;

    t->deferred = 0;
    if (count == 0 || s->m.status != IGPU_OK)
        return;
    igpu_floats_begin(&floats);
    emu_thread_steps(&t->t, count);
    igpu_floats_end(&floats);
}

/* ---- lists --------------------------------------------------------------- */

static void free_messages(struct message *list)
{
    while (list != NULL) {
        struct message *next = list->next;

        free(list);
        list = next;
    }
}

static void free_groups(struct group *list)
{
    while (list != NULL) {
        struct group *next = list->next;

        free(list->slm);
        free(list);
        list = next;
    }
}

/* The thread is gone, and with the last one its group. */
static void let_go(struct emu_step *s, struct emu_step_thread *t)
{
    struct group **at = &s->groups;

    s->share[t->share] = false;
    emu_add_counts(&s->counts, &t->t.counts);
    s->epoch++;
    if (t->before != NULL)
        t->before->behind = t->behind;
    else
        s->there = t->behind;
    if (t->behind != NULL)
        t->behind->before = t->before;
    if (--t->group->left == 0) {
        while (*at != t->group)
            at = &(*at)->next;
        *at = t->group->next;
        t->group->next = s->idle_groups;
        s->idle_groups = t->group;
    }
    t->next = s->idle;
    s->idle = t;
}

void emu_step_drop(struct emu_step *s, struct emu_step_thread *t)
{
    if (t->youngest != NULL) {
        t->youngest->next = s->idle_messages;
        s->idle_messages = t->oldest;
    }
    t->oldest = t->youngest = NULL;
    compute(s, t);
    let_go(s, t);
}

void emu_step_free(struct emu_step *s)
{
    if (s == NULL)
        return;
    emu_tear_down(&s->m);
    free_groups(s->groups);
    free_groups(s->idle_groups);
    free_messages(s->idle_messages);
    while (s->idle != NULL) {
        struct emu_step_thread *next = s->idle->next;

        free(s->idle);
        s->idle = next;
    }
    free(s->share);
    free(s);
}

/* ---- a thread's begin ---------------------------------------------------- */

static void step_fail(struct emu_step *s, const char *what)
{
    if (s->m.status == IGPU_OK)
        s->m.status = what == igpu_short_memory
                          ? igpu_no_memory(&s->err, "kernel %s", s->m.p->name)
                          : igpu_fail(&s->err, IGPU_SIM_ERROR, "kernel %s: %s",
                                      s->m.p->name, what);
}

static struct group *begin_group(struct emu_step *s, uint64_t number)
{
    struct group *g = s->idle_groups;

    if (g != NULL) {
        s->idle_groups = g->next;
    } else {
        g = calloc(1, sizeof(*g));
        if (g != NULL)
            g->slm = malloc(s->m.slm_bytes + 1u);
        if (g == NULL || g->slm == NULL) {
            free(g);
            return NULL;
        }
    }
    g->number = number;
    g->left = g->running = s->m.threads_per_group;
    g->waiting = 0;
    g->barriers = 0;
    memset(g->slm, 0xCD, s->m.slm_bytes);
    g->next = s->groups;
    s->groups = g;
    return g;
}

static struct group *group_of(struct emu_step *s, uint64_t number)
{
    for (struct group *g = s->groups; g != NULL; g = g->next)
        if (g->number == number)
            return g;
    return begin_group(s, number);
}

/* The thread's share of the pools of scratch and private memory: the one that
 * emu_run() gives it, unless a thread that is still there has it. */
static bool take_share(struct emu_step *s, struct emu_step_thread *t, uint64_t number)
{
    uint32_t count = s->m.hw_threads, first = (uint32_t)(number % s->m.spread);

    for (uint32_t i = 0; i < count; i++) {
        t->share = (first + i) % count;
        if (!s->share[t->share]) {
            s->share[t->share] = true;
            return true;
        }
    }
    return false;
}

static struct emu_step_thread *new_thread(struct emu_step *s)
{
    struct emu_step_thread *t = s->idle;

    if (t != NULL)
        s->idle = t->next;
    else
        t = aligned_alloc(EMU_LINE, sizeof(*t));
    return t;
}

struct emu_step_thread *emu_step_begin(struct emu_step *s, uint64_t number)
{
    uint64_t group = number / s->m.threads_per_group;
    struct emu_step_thread *t = new_thread(s);
    struct group *g = t != NULL ? group_of(s, group) : NULL;

    if (g == NULL || !take_share(s, t, number)) {
        step_fail(s, g == NULL ? igpu_short_memory
                               : "more threads than shares of the pools");
        free(t);
        return NULL;
    }
    t->group = g;
    t->oldest = t->youngest = NULL;
    t->messages = t->deferred = 0;
    t->ended = false;
    t->arrived = 0;
    t->mark = (struct mark){.epoch = 0};
    t->before = NULL;
    t->behind = s->there;
    if (s->there != NULL)
        s->there->before = t;
    s->there = t;
    s->epoch++;
    emu_set_group(&s->m, group);
    emu_thread_start_at(&s->m, &t->t, (uint32_t)(number % s->m.threads_per_group),
                        t->share);
    return t;
}

/* ---- its path ------------------------------------------------------------ */

uint32_t emu_step_at(const struct emu_step_thread *t)
{
    return t->t.at + t->deferred;
}

uint32_t emu_step_straight(const struct emu_step *s, uint32_t at, bool *ends)
{
    const struct emu_op *op = &s->m.p->op[at];
    uint32_t last = at, count = s->m.p->code->count;

    while (last + 1 < count && op->kind != EMU_KIND_BRANCH && op->kind != EMU_KIND_EOT)
        op = &s->m.p->op[++last];
    *ends = op->kind == EMU_KIND_EOT;
    return last + 1 - at;
}

/* ---- an instruction ------------------------------------------------------ */

/* Registers of the message's payload from its k-th on that lie one behind the other,
 * at most to its end: how many. */
static uint32_t payload_piece(const struct isa_inst *inst, uint32_t k, uint32_t *reg)
{
    bool split = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF;
    uint32_t first = inst->msg.mlen, second = split ? inst->msg.ext_mlen : 0, n;

    if (inst->src[0].file != ISA_FILE_GRF)
        return 0;
    if (k < first) {
        *reg = inst->src[0].reg + k;
        n = first - k;
    } else {
        *reg = split ? inst->src[1].reg + (k - first) : 0;
        n = first + second - k;
    }
    if (k + n > PAYLOAD_GRFS || *reg + n > ISA_GRF_COUNT) /* nonsense: op->reason */
        return 0;
    return n;
}

static struct message *new_message(struct emu_step *s)
{
    struct message *m = s->idle_messages;

    if (m != NULL)
        s->idle_messages = m->next;
    else
        m = malloc(sizeof(*m));
    return m;
}

static void keep_message(struct emu_step *s, struct emu_step_thread *t,
                         const struct emu_op *op, uint32_t mask)
{
    struct message *m = new_message(s);
    uint32_t k = 0, n, reg = 0;

    if (m == NULL) {
        step_fail(s, igpu_short_memory);
        return;
    }
    m->next = NULL;
    m->op = op;
    m->mask = mask;
    memcpy(m->addr, t->t.addr, sizeof(m->addr));
    for (; (n = payload_piece(op->inst, k, &reg)) != 0; k += n)
        memcpy(m->payload + k * ISA_GRF_BYTES, t->t.grf + reg * ISA_GRF_BYTES,
               (size_t)n * ISA_GRF_BYTES);
    if (t->youngest != NULL)
        t->youngest->next = m;
    else
        t->oldest = m;
    t->youngest = m;
    t->messages++;
}

static void open_barrier(struct group *g)
{
    g->waiting = 0;
    g->barriers++;
}

/* A barrier that others wait at does not open for them alone, unless the launch is
 * lenient. */
static void end_thread(struct emu_step *s, struct emu_step_thread *t,
                       const struct emu_op *op)
{
    struct group *g = t->group;

    t->ended = true;
    g->running--;
    if (g->waiting != 0 && !s->launch.lenient) {
        t->t.stop = EMU_STOP_NONE;
        emu_error(&t->t, op,
                  "the thread ends while %u of its group's wait at a barrier",
                  g->waiting);
    } else if (g->waiting == g->running) {
        open_barrier(g);
    }
    if (t->oldest == NULL)
        let_go(s, t);
}

/* ---- threads that go round ----------------------------------------------- */

/* At a branch: has the thread been here like this before, memory being the same? */
static void look_back(const struct emu_step *s, struct emu_step_thread *t)
{
    struct mark *m = &t->mark;

    if (m->epoch == s->epoch && (m->back || m->at != t->t.at || m->limit > MOST_TRIES))
        return;
    if (m->epoch == s->epoch && emu_thread_hash(&t->t) == m->hash) {
        m->back = true;
        return;
    }
    if (m->epoch == s->epoch && ++m->tries < m->limit)
        return;
    /* Another one: the one before may lie before the circle. */
    m->limit = m->epoch == s->epoch ? 2 * m->limit : FIRST_TRIES;
    m->epoch = s->epoch;
    m->tries = 0;
    m->at = t->t.at;
    m->hash = emu_thread_hash(&t->t);
}

void emu_step_watch(struct emu_step *s, bool on)
{
    s->watched = on;
    s->epoch++;
    s->pieces = 0;
}

bool emu_step_stuck(const struct emu_step *s)
{
    for (const struct emu_step_thread *t = s->there; t != NULL; t = t->behind) {
        bool waits = t->arrived == 1 + t->group->barriers;
        bool round = t->mark.epoch == s->epoch && t->mark.back;

        if (!t->ended && !waits && !round)
            return false;
    }
    return s->watched && s->there != NULL;
}

/* ---- issue --------------------------------------------------------------- */

bool emu_step_defer(struct emu_step *s, struct emu_step_thread *t, uint32_t at)
{
    const struct emu_op *op = &s->m.p->op[at];

    if (at != t->t.at + t->deferred || op->kind != EMU_KIND_ALU || op->reads_state ||
        s->m.status != IGPU_OK ||
        (s->launch.max_instructions != 0 && s->issued >= s->launch.max_instructions))
        return false;
    t->deferred++;
    s->issued++;
    return true;
}

bool emu_step_issue(struct emu_step *s, struct emu_step_thread *t, uint64_t now)
{
    const struct emu_op *op;
    struct igpu_floats floats;
    uint32_t mask;

    compute(s, t);
    op = &s->m.p->op[t->t.at];
    if (s->m.status != IGPU_OK || t->ended)
        return false;
    if (s->launch.max_instructions != 0 && s->issued >= s->launch.max_instructions) {
        emu_error(&t->t, op,
                  "the launch's limit of instructions, %" PRIu64 ", is reached",
                  s->launch.max_instructions);
        return false;
    }
    s->now = now;
    if (s->watched && op->kind == EMU_KIND_BRANCH)
        look_back(s, t);
    igpu_floats_begin(&floats);
    mask = emu_thread_step(&t->t);
    igpu_floats_end(&floats);
    t->mask = mask;
    if (op->kind == EMU_KIND_SEND)
        keep_message(s, t, op, mask);
    s->issued++;
    if (t->t.stop != EMU_STOP_EOT)
        return false;
    end_thread(s, t, op);
    return true;
}

/* ---- a message ----------------------------------------------------------- */

/* Put the payload where it was when the message issued; *kept gets what is there.
 * False: it is still there. */
static bool swap_in(struct emu_step_thread *t, const struct message *m, uint8_t *kept)
{
    uint32_t n, reg = 0;
    bool other = false;

    for (uint32_t k = 0; (n = payload_piece(m->op->inst, k, &reg)) != 0; k += n) {
        uint8_t *grf = t->t.grf + reg * ISA_GRF_BYTES;
        size_t bytes = (size_t)n * ISA_GRF_BYTES;
        const uint8_t *was = m->payload + k * ISA_GRF_BYTES;

        memcpy(kept + k * ISA_GRF_BYTES, grf, bytes);
        if (memcmp(grf, was, bytes) == 0)
            continue;
        memcpy(grf, was, bytes);
        other = true;
    }
    return other;
}

/* And back, but for registers that the message has written. */
static void swap_out(struct emu_step_thread *t, const struct message *m,
                     const uint8_t *kept)
{
    const struct isa_inst *inst = m->op->inst;
    uint32_t first = inst->dst.reg, end = first + inst->msg.rlen, n, reg = 0;

    if (inst->dst.file != ISA_FILE_GRF)
        first = end = ISA_GRF_COUNT;
    for (uint32_t k = 0; (n = payload_piece(inst, k, &reg)) != 0; k += n)
        for (uint32_t i = 0; i < n; i++)
            if (reg + i < first || reg + i >= end)
                memcpy(t->t.grf + (reg + i) * ISA_GRF_BYTES,
                       kept + (k + i) * ISA_GRF_BYTES, ISA_GRF_BYTES);
}

static void arrive(struct emu_step *s, struct emu_step_thread *t,
                   const struct message *m)
{
    struct group *g = t->group;
    uint32_t ended = s->m.threads_per_group - g->running;

    if (m->mask == 0)
        return;
    if (ended != 0 && !s->launch.lenient) {
        emu_error(&t->t, m->op,
                  "waits for a barrier that %u of the group's %u threads never reach: "
                  "they have ended",
                  ended, s->m.threads_per_group);
        return;
    }
    s->epoch++;
    t->arrived = 1 + g->barriers;
    if (++g->waiting == g->running)
        open_barrier(g);
}

/* Memory as the message finds it, and its answer into the registers. */
static void take_effect(struct emu_step *s, struct emu_step_thread *t,
                        const struct message *m)
{
    uint8_t kept[PAYLOAD_GRFS * ISA_GRF_BYTES];
    struct igpu_floats floats;
    uint16_t addr[4];
    bool other;

    memcpy(addr, t->t.addr, sizeof(addr));
    memcpy(t->t.addr, m->addr, sizeof(addr));
    other = swap_in(t, m, kept);
    s->m.group.slm = t->group->slm;
    s->writes = m->op;
    igpu_floats_begin(&floats);
    m->op->run(&t->t, m->op, m->mask);
    igpu_floats_end(&floats);
    compare_pieces(s);
    if (other)
        swap_out(t, m, kept);
    memcpy(t->t.addr, addr, sizeof(addr));
}

bool emu_step_send(struct emu_step *s, struct emu_step_thread *t,
                   struct emu_access *access)
{
    struct message *m = t->oldest;
    uint8_t *own = s->m.group.slm;

    if (m == NULL)
        return false;
    t->oldest = m->next;
    if (t->oldest == NULL)
        t->youngest = NULL;
    t->messages--;
    s->told = false;
    compute(s, t);
    if (s->m.status == IGPU_OK && m->op->inst->msg.family == ISA_MSG_BARRIER)
        arrive(s, t, m);
    else if (s->m.status == IGPU_OK)
        take_effect(s, t, m);
    s->m.group.slm = own;
    m->next = s->idle_messages;
    s->idle_messages = m;
    *access = s->access;
    if (t->ended && t->oldest == NULL)
        let_go(s, t);
    return s->told && s->m.status == IGPU_OK;
}

void emu_step_look(const struct emu_step_thread *t, struct emu_step_state *state)
{
    emu_thread_look(&t->t, t->mask, state);
}

bool emu_step_oldest(const struct emu_step_thread *t, uint32_t *at, uint32_t *mask)
{
    if (t->oldest == NULL)
        return false;
    *at = t->oldest->op->index;
    *mask = t->oldest->mask;
    return true;
}

uint32_t emu_step_waiting(const struct emu_step_thread *t)
{
    return t->messages;
}

enum igpu_status emu_step_status(const struct emu_step *s, struct igpu_err *err)
{
    if (s->m.status != IGPU_OK && err != NULL)
        *err = s->err;
    return s->m.status;
}

struct emu_counts emu_step_counts(struct emu_step *s)
{
    struct emu_counts sum = s->counts;

    for (struct emu_step_thread *t = s->there; t != NULL; t = t->behind) {
        compute(s, t);
        emu_add_counts(&sum, &t->t.counts);
    }
    return sum;
}
