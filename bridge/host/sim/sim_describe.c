/* sim_describe.c - what every thread waits for, in words. */
#include <stdio.h>

#include "bridge/host/sim/sim_state.h"

/* Where the engine counts issues it has not told which they were. */
static size_t describe_counted(unsigned tile, unsigned eu, unsigned slot,
                               const struct feeder_where *where, uint32_t responses,
                               char *buf, size_t size)
{
    int n =
        snprintf(buf, size,
                 "  subslice %u EU %u slot %u: thread %u, %llu issued; waits for %u "
                 "response%s\n",
                 tile, eu, slot, where->thread, (unsigned long long)where->issued,
                 responses, responses == 1 ? "" : "s");

    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* One line for a thread that is still there. */
static size_t describe_thread(const struct sim *s, unsigned tile, unsigned eu,
                              unsigned slot, char *buf, size_t size)
{
    const struct isa_kernel_code *code =
        &trace_kernel(s->reader, trace_launch(s->reader, s->launch)->kernel)->code;
    const struct sim_tile *t = &s->tile[tile];
    uint32_t uop = t->eu[eu].slot[slot].last_uop;
    uint32_t responses = t->eu[eu].slot[slot].responses;
    struct feeder_where where;
    char text[160] = "nothing yet";
    int n;

    if (!feeder_where(s->feeder, tile, eu, slot, &where))
        return 0;
    if (s->counted)
        return describe_counted(tile, eu, slot, &where, responses, buf, size);
    if (where.issued > 0 && uop < code->count)
        (void)isa_disasm(&code->inst[uop], text, sizeof(text));
    n = snprintf(buf, size,
                 "  subslice %u EU %u slot %u: thread %u, %llu issued, last #%u %s; "
                 "waits for %u response%s, %llu message%s not granted\n",
                 tile, eu, slot, where.thread, (unsigned long long)where.issued, uop,
                 text, responses, responses == 1 ? "" : "s",
                 (unsigned long long)where.messages_waiting,
                 where.messages_waiting == 1 ? "" : "s");
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

void sim_describe(const struct sim *s, char *buf, uint32_t size)
{
    size_t at = 0;

    buf[0] = '\0';
    for (unsigned i = 0; i < s->config->gpu_subslices; i++)
        for (unsigned j = 0; j < HOST_EUS; j++)
            for (unsigned k = 0; k < HOST_SLOTS; k++)
                at += describe_thread(s, i, j, k, buf + at, size - at);
    if (at + 1 < size)
        mem_describe(s->mem, buf + at, (uint32_t)(size - at));
}
