/* emu_log.c - what a launch's hooks are told of a thread, kept in the order in which it
 * happened until somebody has time: translated code writes it (igpu/jit.h), and between
 * its blocks the interpreter. The hooks hear of it before any other thread runs. */
#include "emu_int.h"

#include <stdlib.h>

enum {
    ROOM = 1024,  /* instructions that a thread runs before the log is looked at */
    LEAST = 2048, /* words that are worth a look */
    WORDS = 1 + EMU_LANES + 2 * TOLD_MOST
};

bool emu_log_new(struct emu_machine *m)
{
    const struct isa_block_list *blocks = &m->p->blocks;
    size_t most = 1;

    for (uint32_t i = 0; i < blocks->count; i++)
        most = blocks->block[i].count > most ? blocks->block[i].count : most;
    /* A block is entered once, and each of its instructions tells one thing at most,
     * each perhaps in a group with room for more. */
    m->log_words = LEAST + (ROOM + 2 * most + 1) * WORDS;
    m->log = malloc(m->log_words * sizeof(*m->log));
    m->log_head = m->log;
    return m->log != NULL;
}

uint64_t emu_log_bound(const struct emu_thread *t, uint64_t bound)
{
    uint64_t full = t->counts.instructions + ROOM;

    return bound < full ? bound : full;
}

/* ---- to the hooks -----------------------------------------------------------------
 */

static void tell_access(const struct emu_hooks *hooks, uint64_t thread, uint64_t head,
                        const uint64_t *data)
{
    struct emu_access access = {told_what(head), told_mask(head),
                                head & TOLD_SLM ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL,
                                data};

    if (hooks->access != NULL && !(hooks->global_only && access.space == EMU_SPACE_SLM))
        hooks->access(hooks->ctx, thread, &access);
}

static void tell_group(const struct emu_hooks *hooks, uint64_t thread,
                       const uint64_t *word)
{
    const uint64_t *head = word + 1, *at = head + told_count(*word);
    uint64_t row[EMU_LANES];

    for (uint32_t k = 0; k < told_what(*word); k++) {
        if ((head[k] & TOLD_KIND) != TOLD_ROW) {
            tell_access(hooks, thread, head[k], word + at[k]);
            continue;
        }
        for (uint32_t i = 0; i < EMU_LANES; i++)
            row[i] = at[k] + (uint64_t)i * told_count(head[k]);
        tell_access(hooks, thread, head[k], row);
    }
}

void emu_tell_hooks(const struct emu_hooks *hooks, uint64_t thread,
                    const uint64_t *word, size_t words)
{
    const uint64_t *end = word + words;

    if (hooks->told != NULL) {
        hooks->told(hooks->ctx, thread, word, words);
        return;
    }
    while (word < end) {
        uint64_t head = *word;

        if ((head & TOLD_KIND) == TOLD_GROUP)
            tell_group(hooks, thread, word);
        else if ((head & TOLD_KIND) != TOLD_BLOCK)
            tell_access(hooks, thread, head, word + 1);
        else if (hooks->block != NULL)
            hooks->block(hooks->ctx, thread, told_what(head));
        word += 1 + told_words(head);
    }
}

void emu_log_tell(struct emu_thread *t)
{
    struct emu_machine *m = t->m;
    size_t words = (size_t)(m->log_head - m->log);

    m->log_head = m->log;
    if (words > 0)
        emu_tell_hooks(&m->launch->hooks, t->number, m->log, words);
}

void emu_log_look(struct emu_thread *t)
{
    if (t->m->log_head - t->m->log >= LEAST)
        emu_log_tell(t);
}

/* ---- by the interpreter ------------------------------------------------------------
 */

void emu_log_block(struct emu_thread *t, uint32_t block)
{
    *t->m->log_head++ = told_head(TOLD_BLOCK, 0, block, 0);
}

void emu_log_access(struct emu_thread *t, const struct emu_access *access)
{
    uint32_t kind = access->space == EMU_SPACE_SLM ? TOLD_LANES | TOLD_SLM : TOLD_LANES;
    uint32_t lanes = access->mask ? 32 - (uint32_t)__builtin_clz(access->mask) : 0;
    uint64_t *to = t->m->log_head;

    to[0] = told_head(kind, lanes, access->inst, access->mask);
    memcpy(to + 1, access->addr, lanes * sizeof(*to));
    t->m->log_head = to + 1 + lanes;
}
