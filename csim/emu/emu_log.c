/* emu_log.c - what a launch's hooks are told of a thread, kept in the order in which it
 * happened until somebody has time: translated code writes it (igpu/jit.h), and between
 * its blocks the interpreter. The hooks hear of it before any other thread runs. */
#include "emu_int.h"

#include <stdlib.h>

enum {
    ROOM = 1024, /* instructions that a thread runs before the log is looked at */
    LEAST = 2048, /* words that are worth a look */
    WORDS = 1 + EMU_LANES
};

bool emu_log_new(struct emu_machine *m)
{
    const struct isa_block_list *blocks = &m->p->blocks;
    size_t most = 1;

    for (uint32_t i = 0; i < blocks->count; i++)
        most = blocks->block[i].count > most ? blocks->block[i].count : most;
    /* A block is entered once, and each of its instructions tells one thing at most. */
    m->log_words = LEAST + (ROOM + 2 * most + 1) * WORDS;
    m->log = malloc(m->log_words * sizeof(*m->log));
    m->log_head = m->log;
    return m->log != NULL;
}

uint64_t emu_log_bound(const struct emu_thread *t, uint64_t bound)
{
    uint64_t full = t->counts.instructions + ROOM;

    return t->m->log == NULL || bound < full ? bound : full;
}

/* ---- to the hooks ----------------------------------------------------------------- */

static void tell_access(const struct emu_thread *t, uint64_t head, const uint64_t *data)
{
    const struct emu_hooks *hooks = &t->m->launch->hooks;
    uint32_t kind = (uint8_t)head;
    struct emu_access access = {(uint16_t)(head >> JIT_TOLD_WHAT),
                                (uint32_t)(head >> JIT_TOLD_MASK),
                                kind & JIT_TOLD_SLM ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL,
                                data};
    uint64_t row[EMU_LANES];

    if (hooks->access == NULL ||
        (hooks->global_only && access.space == EMU_SPACE_SLM))
        return;
    if ((kind & JIT_TOLD_KIND) == JIT_TOLD_ROW) {
        for (uint32_t i = 0; i < EMU_LANES; i++)
            row[i] = data[0] + i * data[1];
        access.addr = row;
    }
    hooks->access(hooks->ctx, t->number, &access);
}

void emu_log_tell(struct emu_thread *t)
{
    const struct emu_hooks *hooks = &t->m->launch->hooks;
    const uint64_t *at = t->m->log, *end = t->m->log_head;

    t->m->log_head = t->m->log;
    while (at < end) {
        uint64_t head = *at++;

        if ((head & JIT_TOLD_KIND) != JIT_TOLD_BLOCK)
            tell_access(t, head, at);
        else if (hooks->block != NULL)
            hooks->block(hooks->ctx, t->number, (uint16_t)(head >> JIT_TOLD_WHAT));
        at += (uint8_t)(head >> JIT_TOLD_WORDS);
    }
}

void emu_log_look(struct emu_thread *t)
{
    if (t->m->log_head - t->m->log >= LEAST)
        emu_log_tell(t);
}

/* ---- by the interpreter ------------------------------------------------------------ */

static uint64_t *more(struct emu_thread *t, uint64_t kind, uint32_t what, uint32_t mask,
                      uint32_t words)
{
    struct emu_machine *m = t->m;
    uint64_t *at = m->log_head;

    at[0] = kind | (uint64_t)words << JIT_TOLD_WORDS | (uint64_t)what << JIT_TOLD_WHAT |
            (uint64_t)mask << JIT_TOLD_MASK;
    m->log_head = at + 1 + words;
    return at + 1;
}

void emu_log_block(struct emu_thread *t, uint32_t block)
{
    (void)more(t, JIT_TOLD_BLOCK, block, 0, 0);
}

void emu_log_access(struct emu_thread *t, const struct emu_access *access)
{
    uint64_t kind = access->space == EMU_SPACE_SLM ? JIT_TOLD_SLM : 0;
    uint32_t lanes = access->mask ? 32 - (uint32_t)__builtin_clz(access->mask) : 0;
    uint64_t *to =
        more(t, kind | JIT_TOLD_LANES, access->inst, access->mask, lanes);

    memcpy(to, access->addr, lanes * sizeof(*to));
}
