/* trace_lead.c - see trace_lead.h. */
#include "traces/format/trace_lead.h"

#include <string.h>

#include "igpu/told.h"

void lead_begin(struct lead *l, uint32_t kernel)
{
    l->kernel = kernel;
    l->steps = l->kinds = l->heads = l->bases = l->ways = 0;
    l->sends = l->places = 0;
}

/* What is told next, blocks and then a group or none, to the step's parts, which begins
 * so many words before. False: there is anything but rows, or it is long. */
static bool look_at(struct lead_parts *p, struct lead_step *s, const uint64_t *word,
                    const uint64_t *end)
{
    const uint64_t *group = word, *first;
    uint32_t n = 0, heads, behind = 0;

    while (group < end && (*group & TOLD_KIND) == TOLD_BLOCK)
        group++;
    first = group;
    if (group < end) {
        n = told_what(*group);
        behind = told_words(*group);
        first = group + 1 + told_count(*group);
        if ((*group & TOLD_KIND) != TOLD_GROUP || n > TOLD_MOST)
            return false;
        group++;
    }
    heads = (uint32_t)(group - word) + n;
    if (s->heads + heads > LEAD_HEADS)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if ((group[i] & TOLD_KIND) != TOLD_ROW)
            return false;
        p->inst[s->sends] = told_what(group[i]);
        p->addr[s->sends] = first[i];
        if (s->words + (size_t)(first + i - word) < LEAD_SHORT)
            p->place[1][s->sends] = (uint16_t)(s->words + (first + i - word));
        s->sends++;
    }
    for (uint32_t i = 0; i < heads; i++) {
        if (s->words + i < LEAD_SHORT)
            p->place[0][s->heads] = (uint16_t)(s->words + i);
        p->head[s->heads++] = word[i];
    }
    s->addr = (uint32_t)(first - word);
    s->words += (uint32_t)(group - word) + behind;
    return s->words <= LEAD_HEADS;
}

/* Send of the instruction whose first address is `base`, with way `way`, if it is new.
 */
static bool find_send(struct lead *l, uint32_t inst, uint32_t base, uint32_t way,
                      uint32_t *send)
{
    uint32_t s = 0;

    while (s < l->sends && l->inst[s] != inst)
        s++;
    *send = s;
    if (s < l->sends)
        return true;
    if (s == LEAD_SENDS)
        return false;
    l->sends++;
    l->inst[s] = inst;
    l->first[s] = (uint16_t)base;
    l->way[s] = (uint16_t)way;
    return true;
}

static bool new_kind(struct lead *l, const struct lead_parts *p, struct lead_step *s)
{
    uint32_t places = s->apart ? s->heads + s->sends : 0u;

    if (l->kinds == LEAD_KINDS || s->heads > LEAD_HEADS - l->heads ||
        s->sends > LEAD_WAYS - l->ways || places > LEAD_PLACES - l->places)
        return false;
    s->head = (uint16_t)l->heads;
    s->way = (uint16_t)l->ways;
    s->place = (uint16_t)l->places;
    for (uint32_t i = 0; i < s->sends; i++) {
        uint32_t send;

        if (!find_send(l, p->inst[i], l->bases + i, l->ways + i, &send))
            return false;
        l->same[l->ways + i] = l->way[send];
    }
    memcpy(l->head + l->heads, p->head, s->heads * sizeof(*p->head));
    if (s->apart) {
        uint16_t *place = l->place + l->places;

        memcpy(place, p->place[0], s->heads * sizeof(*place));
        memcpy(place + s->heads, p->place[1], s->sends * sizeof(*place));
    }
    l->places += places;
    l->heads += s->heads;
    l->ways += s->sends;
    l->kind[l->kinds++] = *s;
    return true;
}

static bool add_step(struct lead *l, const struct lead_parts *p, struct lead_step *s)
{
    const struct lead_step *kind = l->kind, *end = kind + l->kinds;

    if (l->steps == LEAD_STEPS || s->sends > TRACE_ACCESS_MAX - l->bases)
        return false;
    while (kind < end &&
           !(kind->words == s->words && kind->heads == s->heads &&
             kind->apart == s->apart &&
             memcmp(l->head + kind->head, p->head, s->heads * sizeof(*p->head)) == 0))
        kind++;
    if (kind < end)
        *s = *kind;
    else if (!new_kind(l, p, s))
        return false;
    s->first = kind == end;
    l->step[l->steps++] = *s;
    memcpy(l->base + l->bases, p->addr, s->sends * sizeof(*p->addr));
    l->bases += s->sends;
    return true;
}

bool lead_keep(struct lead *l, struct lead_parts *parts, const uint64_t *word,
               const uint64_t *end)
{
    bool whole = end - word <= LEAD_SHORT;

    while (word < end) {
        struct lead_step s = {0};
        const uint64_t *from = word;

        do {
            s.apart = word > from;
            if (!look_at(parts, &s, word, end))
                return false;
            word = from + s.words;
        } while (whole && word < end);
        if (!add_step(l, parts, &s))
            return false;
    }
    return true;
}
