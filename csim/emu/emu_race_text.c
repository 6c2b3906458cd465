/* emu_race_text.c - a race as a line: where, and both instructions with their place in
 * the source. */
#include "emu_race.h"

#include <inttypes.h>
#include <stdio.h>

/* "argument 2 + 0x40", "SLM offset 0x40", "address 0x..." */
static void place_text(const struct emu_machine *m, const struct race *race, char *text,
                       size_t size)
{
    const struct emu_launch *l = m->launch;

    (void)snprintf(text, size, "%s 0x%" PRIx64,
                   race->space == EMU_SPACE_SLM ? "SLM offset" : "address", race->at);
    for (uint32_t i = 0; race->space == EMU_SPACE_GLOBAL && i < l->arg_count; i++) {
        const struct emu_arg *a = &l->arg[i];
        uint64_t va = a->kind == EMU_ARG_IMAGE ? a->image->va : a->va;
        uint64_t bytes = a->kind == EMU_ARG_IMAGE    ? image_footprint(a->image)
                         : a->kind == EMU_ARG_BUFFER ? a->size
                                                     : 0;

        if (race->at - va < bytes) {
            (void)snprintf(text, size, "argument %u + 0x%" PRIx64, i, race->at - va);
            return;
        }
    }
}

/* "write at pc 0x138, sum.cl:9, by thread 1 of group 0" */
static void access_text(const struct emu_machine *m, const struct race *race,
                        unsigned which, char *text, size_t size)
{
    const struct emu_kernel *k = &m->p->k;
    uint32_t pc = m->p->code->inst[race->inst[which]].pc;
    char place[256] = "";

    if (k->place != NULL)
        k->place(k->place_user, pc, place, sizeof(place));
    (void)snprintf(text, size, "%s at pc 0x%X%s%s, thread %u of group %u",
                   race->atomic[which]  ? "atomic"
                   : race->write[which] ? "write"
                                        : "read",
                   pc, place[0] != '\0' ? ", " : "", place,
                   race->thread[which] % m->threads_per_group,
                   race->thread[which] / m->threads_per_group);
}

void emu_race_text(const struct emu_machine *m, const struct race *race, char *text,
                   size_t size)
{
    char where[64], first[400], second[400];

    place_text(m, race, where, sizeof(where));
    access_text(m, race, 0, first, sizeof(first));
    access_text(m, race, 1, second, sizeof(second));
    if (race->kind == RACE_LANES)
        (void)snprintf(text, size,
                       "race in kernel %s, %s: %s: lanes %u and %u write other values "
                       "(%" PRIu64 " times)",
                       m->p->name, where, first, race->lane[0], race->lane[1],
                       race->times);
    else
        (void)snprintf(
            text, size, "race in kernel %s, %s: %s; %s; %s (%" PRIu64 " times)",
            m->p->name, where, first, second,
            race->kind == RACE_GROUP ? "no barrier between" : "nothing orders groups",
            race->times);
}
