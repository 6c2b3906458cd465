/* emu_hash.c - all that decides what a thread does next, as a number: threads that go
 * round (igpu/emu_step.h). */
#include "emu_int.h"

#include <stddef.h>

static uint64_t hash_bytes(uint64_t h, const void *data, size_t bytes)
{
    const emu_uq *p = data;

    for (size_t i = 0; i < bytes / sizeof(*p); i++) {
        h = (h ^ p[i]) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    return h;
}

uint64_t emu_thread_hash(const struct emu_thread *t)
{
    const size_t first = offsetof(struct emu_thread, time);
    const size_t next = offsetof(struct emu_thread, notify);
    uint32_t lanes[4] = {t->at, t->active, t->live, t->depth};
    uint64_t h = hash_bytes(1, t->grf, first);

    h = hash_bytes(h, t->notify, offsetof(struct emu_thread, mask) - next);
    h = hash_bytes(h, t->acc_wide, sizeof(t->acc_wide));
    h = hash_bytes(h, lanes, sizeof(lanes));
    h = hash_bytes(h, t->frame, t->depth * sizeof(t->frame[0]));
    for (uint32_t rest = t->live & ~t->active; rest != 0; rest &= rest - 1)
        h = (h ^ t->pc[__builtin_ctz(rest)]) * UINT64_C(0x9E3779B97F4A7C15);
    return h;
}
