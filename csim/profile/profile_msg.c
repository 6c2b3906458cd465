/* profile_msg.c - messages and their answers: sums of each send, and when the bits that
 * an answer sets are there. */
#include "csim/profile/profile_int.h"
#include "igpu/order.h"

static void count_address(struct profile_send *s, uint64_t address)
{
    if (address < s->low)
        s->low = address;
    if (address > s->high)
        s->high = address;
}

void profile_sent(struct profile *p, const struct mem_msg *msg)
{
    uint32_t send;

    if (msg->space == MEM_SLM || msg->op > MEM_ATOMIC || msg->lanes == 0)
        return;
    send = p->now.inst[msg->uop].send;
    if (send == PROFILE_NONE)
        return;
    count_address(&p->now.send[send], mem_lane(msg, 0));
    count_address(&p->now.send[send], mem_lane(msg, msg->lanes - 1U));
}

static void count_send(struct profile_send *s, uint64_t cycle, const struct mem_way *d)
{
    uint64_t latency = cycle - d->sent;

    s->messages++;
    s->bytes += d->bytes;
    s->level[d->level]++;
    for (unsigned i = 0; d->level < MEM_LINE_LEVELS && i < MEM_LINE_LEVELS; i++) {
        s->from[i] += d->from[i];
        s->lines += d->from[i];
    }
    s->queued += d->queued;
    s->full += d->full;
    s->latency += latency;
    if (latency > s->latency_most)
        s->latency_most = latency;
    s->bucket[profile_bucket(latency)]++;
}

/* The thread's oldest message of `uop` that is not answered; NULL: none. */
__attribute__((noinline)) static struct profile_msg *
out_of_order(struct profile_thread *th, uint32_t uop)
{
    struct profile_msg *m, *end = th->msg + th->msgs;

    while (th->oldest != end && th->oldest->done != HOST_NEVER)
        th->oldest++;
    for (m = th->oldest; m != end; m++)
        if (m->uop == uop && m->done == HOST_NEVER)
            return m;
    return NULL;
}

static inline void take_answer(struct profile *p, struct profile_eu *eu,
                               const struct mem_done *done, const struct mem_way *way)
{
    const struct profile_uop *u = &p->uop[done->uop];
    struct profile_thread *th = &eu->thread[done->slot];
    struct profile_msg *m = th->oldest;

    eu->response = igpu_later(done->cycle, eu->response) + u->response;
    if (!u->sets)
        return;
    if (m != th->msg + th->msgs && m->uop == done->uop && m->done == HOST_NEVER)
        th->oldest = m + 1; /* mostly: they come in their order */
    else if ((m = out_of_order(th, done->uop)) == NULL)
        return;
    m->done = eu->response;
    m->answered = done->cycle;
    m->granted = way->sent;
    m->level = way->level;
    m->queued = way->queued;
    m->full = way->full;
    if (p->tells != PROFILE_TELLS_WAITS)
        profile_set_bits(p, th, u, m->done << PROFILE_AT | done->uop);
}

void profile_done(struct profile *p, const struct mem_done *done,
                  const struct mem_way *way)
{
    struct profile_tile *tile = &p->tile[done->subslice];
    uint32_t send = p->now.inst[done->uop].send;

    if (send != PROFILE_NONE)
        count_send(&p->now.send[send], done->cycle, way);
    if (done->wb)
        take_answer(p, &tile->eu[done->eu], done, way);
    if (!done->credit)
        return;
    if (!profile_room((void **)&tile->back, tile->backs, &tile->back_room,
                      sizeof(*tile->back)))
        tile->out_of_memory = true;
    else
        tile->back[tile->backs++] = done->cycle;
}
