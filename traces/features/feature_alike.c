/* feature_alike.c - threads that are known to have done what one of the launch's first
 * ones did, but for where (struct emu_alike_hooks of igpu/emu.h). What does not depend
 * on the place is counted of the first one, with the number of those like it; lines and
 * pages are each thread's own. */
#include "traces/features/feature_state.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

enum { MOST_WORDS = 1 << 22 }; /* of a thread: more are told of */

/* A message to global memory: so many lines from line[first] on. */
struct model_message {
    uint32_t inst, first, lines;
    bool write;
    uint64_t at; /* line of its first lane */
};

struct model {
    uint64_t *word; /* what it was told, as igpu/told.h has it: blocks and lanes */
    uint32_t words, room;
    struct model_message *message;
    uint32_t messages, message_room;
    uint64_t *line;
    uint32_t lines, line_room;
    uint64_t steps[STRIDES]; /* that it adds to those of the launch */
    uint64_t times;          /* threads like it, not counted yet */
};

struct feature_alike {
    uint64_t first;
    uint32_t count;
    bool failed, ready; /* ready: all models are whole */
    struct model *model;
    uint64_t *further; /* of each instruction, in bytes */
};

/* ---- models ---------------------------------------------------------------------- */

static void count_model(struct features *f, struct model *m)
{
    uint32_t before = UINT32_MAX;

    for (uint32_t i = 0; i < m->words && m->times > 0;
         i += 1 + told_words(m->word[i])) {
        uint64_t head = m->word[i];
        uint32_t block = told_what(head);

        if ((head & TOLD_KIND) != TOLD_BLOCK) {
            (void)feature_lanes(f, block, told_mask(head), m->word + i + 1, m->times);
            continue;
        }
        f->blocks[block] += m->times;
        if (before != UINT32_MAX)
            feature_went(&f->went, before, block, m->times);
        before = block;
    }
    for (uint32_t i = 0; i < STRIDES; i++)
        f->steps[i] += m->steps[i] * m->times;
    m->times = 0;
}

void feature_alike_done(struct features *f)
{
    struct feature_alike *a = f->alike;

    if (a == NULL)
        return;
    for (uint32_t k = 0; a->ready && k < a->count; k++)
        count_model(f, &a->model[k]);
    feature_alike_free(f);
}

void feature_alike_free(struct features *f)
{
    struct feature_alike *a = f->alike;

    for (uint32_t k = 0; a != NULL && a->model != NULL && k < a->count; k++) {
        free(a->model[k].word);
        free(a->model[k].message);
        free(a->model[k].line);
    }
    if (a != NULL) {
        free(a->model);
        free(a->further);
    }
    free(a);
    f->alike = NULL;
}

void feature_alike_begin(struct features *f, uint64_t first, uint32_t threads)
{
    struct feature_alike *a = calloc(1, sizeof(*a));

    feature_alike_done(f);
    f->alike = a;
    if (a == NULL)
        return;
    a->first = first;
    a->count = threads;
    a->model = calloc(threads, sizeof(*a->model));
    a->further = calloc(f->kernel->code.count + 1u, sizeof(*a->further));
    a->failed = a->model == NULL || a->further == NULL;
}

void feature_alike_told(struct features *f, uint64_t thread, const uint64_t *word,
                        size_t words)
{
    struct feature_alike *a = f->alike;
    struct model *m;

    if (a->ready || a->failed || thread - a->first >= a->count)
        return;
    m = &a->model[thread - a->first];
    a->failed = m->words + words > MOST_WORDS ||
                !IGPU_RESERVE(m->word, m->room, m->words + words);
    for (size_t i = 0; i < words && !a->failed; i += 1 + told_words(word[i]))
        a->failed = (word[i] & TOLD_KIND) == TOLD_GROUP; /* of translated code alone */
    if (a->failed)
        return;
    memcpy(m->word + m->words, word, words * sizeof(*word));
    m->words += (uint32_t)words;
}

static bool add_message(struct features *f, struct model *m, struct thread *t,
                        uint64_t head, const uint64_t *addr)
{
    uint32_t inst = told_what(head), mask = told_mask(head);
    const struct send_kind *s = &f->sends[inst];
    const struct pattern *p = mask == 0 ? NULL : feature_lanes(f, inst, mask, addr, 0);
    uint64_t at;

    if (p == NULL || s->slm)
        return true;
    if (!IGPU_RESERVE(m->message, m->message_room, m->messages + 1) ||
        !IGPU_RESERVE(m->line, m->line_room, m->lines + p->lines))
        return false;
    at = addr[__builtin_ctz(mask)] + s->first;
    m->message[m->messages++] =
        (struct model_message){inst, m->lines, p->lines, s->write, at / 64};
    memcpy(m->line + m->lines, p->line, p->lines * sizeof(*p->line));
    m->lines += p->lines;
    feature_step(f, t, s, at);
    return true;
}

static bool add_messages(struct features *f, struct model *m)
{
    uint64_t steps[STRIDES];
    static const struct thread none;
    struct thread t = none;
    bool good = true;

    memcpy(steps, f->steps, sizeof(steps));
    for (uint32_t i = 0; i < m->words && good; i += 1 + told_words(m->word[i]))
        if ((m->word[i] & TOLD_KIND) == TOLD_LANES)
            good = add_message(f, m, &t, m->word[i], m->word + i + 1);
    for (uint32_t i = 0; i < STRIDES; i++)
        m->steps[i] = f->steps[i] - steps[i];
    memcpy(f->steps, steps, sizeof(steps));
    return good;
}

bool feature_alike_ended(struct features *f, bool proved)
{
    struct feature_alike *a = f->alike;
    bool good = proved && a != NULL && !a->failed;

    for (uint32_t k = 0; good && k < a->count; k++)
        good = a->model[k].words > 0 && add_messages(f, &a->model[k]);
    if (good)
        a->ready = true;
    else
        feature_alike_free(f);
    return good;
}

/* ---- threads like them ----------------------------------------------------------- */

static void tell_lines(struct features *f, struct thread *t, const struct model *m)
{
    for (uint32_t i = 0; i < m->messages; i++) {
        const struct model_message *now = &m->message[i];

        feature_touch(f, t, now->at + f->alike->further[now->inst] / 64,
                      m->line + now->first, now->lines, now->write);
    }
}

bool feature_alike(struct features *f, struct thread *t,
                   const struct emu_alike_thread *like)
{
    struct feature_alike *a = f->alike;
    struct model *m = &a->model[like->like - f->less - a->first];
    uint64_t within = 0; /* a line */

    for (uint32_t i = 0; i < like->sends; i++)
        within |= like->way[i] % 64;
    if (t->path != NULL || within != 0)
        return false;
    for (uint32_t i = 0; i < like->sends; i++)
        a->further[like->inst[i]] = like->way[i];
    m->times++;
    tell_lines(f, t, m);
    for (uint32_t i = 0; i < like->sends; i++)
        a->further[like->inst[i]] = 0;
    return true;
}

uint32_t feature_alike_words(const struct features *f, uint64_t like,
                             const uint64_t **word)
{
    const struct model *m = &f->alike->model[like - f->less - f->alike->first];

    *word = m->word;
    return m->words;
}
