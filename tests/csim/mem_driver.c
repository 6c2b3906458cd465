/* mem_driver.c - see mem_driver.h. */
#include "tests/csim/mem_driver.h"
#include "tests/support/rng.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EUS = 8, SLOTS = 7, PER_SUBSLICE = EUS * SLOTS };

static void must(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "mem_driver: %s\n", what);
        abort();
    }
}

struct mem_msg drive_read(uint64_t cycle, uint64_t addr)
{
    struct mem_msg msg;

    memset(&msg, 0, sizeof(msg));
    msg.cycle = cycle;
    msg.op = MEM_READ;
    msg.rlen = 1;
    msg.lanes = 1;
    msg.bytes = 4;
    msg.credit = msg.wb = true;
    msg.addr[0] = addr;
    return msg;
}

/* ---- messages ---- */

void drive_messages(struct mem_system *mem, const struct igpu_config *config,
                    const struct mem_msg *msg, uint32_t count, struct mem_done *done)
{
    uint64_t window = mem_min_latency(config), now = msg[0].cycle;
    uint32_t sent = 0, taken = 0;

    mem_run(mem, now);
    while (taken < count || !mem_idle(mem)) {
        for (; sent < count && msg[sent].cycle < now + window; sent++)
            mem_send(mem, &msg[sent]);
        now += window;
        mem_run(mem, now);
        while (taken < count && mem_take(mem, now + window, &done[taken]))
            taken++;
        must(now < msg[0].cycle + (UINT64_C(1) << 30), "messages are never answered");
    }
}

/* ---- chases ---- */

/* A random cycle over the region's lines (Sattolo): next[line]. */
static uint32_t *make_cycle(uint32_t lines, uint64_t *random)
{
    uint32_t *next = malloc(lines * sizeof(*next));

    must(next != NULL, "no memory");
    for (uint32_t i = 0; i < lines; i++)
        next[i] = i;
    for (uint32_t i = lines - 1; i > 0; i--) {
        uint32_t j, swap;

        j = lcg_below(random, i);
        swap = next[i];
        next[i] = next[j];
        next[j] = swap;
    }
    return next;
}

struct thread {
    uint64_t at, base, start; /* start: cycle in which the measured steps began */
    uint64_t left;            /* steps */
    uint32_t *next;
};

struct loop {
    const struct drive_chase *chase;
    struct mem_system *mem;
    struct thread thread[6 * PER_SUBSLICE];
    /* Per subslice a ring of messages to grant, ascending cycles: one a cycle. */
    struct {
        uint64_t cycle;
        uint32_t thread;
    } queue[6][128];
    uint32_t head[6], count[6], subslices, running;
    uint64_t free_at[6], end, sum, messages;
};

static void grant_later(struct loop *l, uint32_t s, uint32_t thread, uint64_t cycle)
{
    uint32_t at = (l->head[s] + l->count[s]++) % 128;

    l->queue[s][at].cycle = cycle;
    l->queue[s][at].thread = thread;
}

/* Send what is granted before `until`, in (cycle, subslice) order. */
static void send_until(struct loop *l, uint64_t until)
{
    for (;;) {
        uint32_t best = l->subslices;
        uint64_t at = until;
        struct mem_msg msg;
        struct thread *t;
        uint32_t n;

        for (uint32_t s = 0; s < l->subslices; s++) {
            uint64_t c;

            if (l->count[s] == 0)
                continue;
            c = l->queue[s][l->head[s]].cycle;
            c = c > l->free_at[s] ? c : l->free_at[s];
            if (c < at) {
                at = c;
                best = s;
            }
        }
        if (best == l->subslices)
            return;
        n = l->queue[best][l->head[best]].thread;
        l->head[best] = (l->head[best] + 1) % 128;
        l->count[best]--;
        l->free_at[best] = at + 1;
        t = &l->thread[n];
        msg = drive_read(at, t->base + t->at * 64);
        msg.subslice = (uint8_t)best;
        msg.eu = (uint8_t)(n / l->subslices % EUS);
        msg.slot = (uint8_t)(n / l->subslices / EUS);
        msg.uop = n;
        mem_send(l->mem, &msg);
        l->messages++;
        t->at = t->next[t->at];
    }
}

static void take(struct loop *l, const struct mem_done *done)
{
    struct thread *t = &l->thread[done->uop];

    if (t->left == l->chase->steps)
        t->start = done->cycle;
    if (t->left-- == 0) {
        l->running--;
        l->sum += done->cycle - t->start;
        l->end = done->cycle > l->end ? done->cycle : l->end;
        return;
    }
    grant_later(l, done->subslice, done->uop, done->cycle + l->chase->alu);
}

void drive_chase(const struct igpu_config *config, const struct drive_chase *chase,
                 struct drive_result *result)
{
    uint32_t lines = (uint32_t)(chase->region_bytes / 64);
    uint64_t lap = chase->lap_most && chase->lap_most < lines ? chase->lap_most : lines;
    uint64_t window = chase->window ? chase->window : mem_min_latency(config);
    uint64_t random = chase->seed, now = 0, first = UINT64_MAX;
    struct loop *l = calloc(1, sizeof(*l));
    struct igpu_err err;
    struct mem_done done;
    uint32_t *shared;
    size_t held;

    must(l != NULL && mem_create(&l->mem, config, &err) == IGPU_OK, "create");
    l->chase = chase;
    l->subslices = (uint32_t)config->gpu_subslices;
    shared = make_cycle(lines, &random);
    for (uint32_t i = 0; i < chase->threads; i++) {
        l->thread[i].base = (UINT64_C(1) << 32) + i * chase->region_bytes;
        l->thread[i].left = chase->steps + lap;
        l->thread[i].next = shared;
        l->thread[i].at = lines > 1 ? (i * UINT64_C(7919)) % lines : 0;
        grant_later(l, i % l->subslices, i, i);
    }
    l->running = chase->threads;
    held = mallinfo2().uordblks;
    while (l->running != 0) {
        send_until(l, now + window);
        now += window;
        mem_run(l->mem, now);
        while (mem_take(l->mem, now + window, &done))
            take(l, &done);
    }
    must(mallinfo2().uordblks == held, "memory was allocated while it ran");
    for (uint32_t i = 0; i < chase->threads; i++)
        first = l->thread[i].start < first ? l->thread[i].start : first;
    while (!mem_idle(l->mem))
        mem_run(l->mem, now += window);
    must(mem_check(l->mem, &err) == IGPU_OK, err.text);
    result->cycles = l->end - first;
    result->messages = l->messages;
    result->step_ns = (double)l->sum / (double)chase->threads / (double)chase->steps *
                      1e9 / (double)config->gpu_clock_hz;
    result->stats = *mem_stats(l->mem);
    mem_destroy(l->mem);
    free(shared);
    free(l);
}
