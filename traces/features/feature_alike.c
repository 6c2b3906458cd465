/* feature_alike.c - threads that are known to have done what one of the launch's first
 * ones did, but for where (struct emu_alike_hooks of igpu/emu.h). What does not depend
 * on the place is counted of the first one, with the number of those like it; lines and
 * pages are each thread's own. */
#include "traces/features/feature_alike.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

enum { MOST_WORDS = 1 << 22 }; /* of a thread: more are told of */

struct feature_alike {
    uint64_t first;
    uint32_t count;
    bool failed, ready; /* ready: all models are whole */
    struct model *model;
    uint32_t sends;
    uint64_t *way; /* of each place of the ring: lines, of each send */
    struct feature_rows *rows;
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

/* One behind the other, into the thread's list. */
static void touch_lines(struct features *f, struct thread *t)
{
    const struct model *m = t->like;

    for (uint32_t i = 0; m != NULL && i < m->messages; i++) {
        const struct model_message *now = &m->message[i];

        feature_touch(f, t, now->at + t->way[now->send], m->line + now->first,
                      now->lines, now->write);
    }
    t->like = NULL;
}

void feature_alike_done(struct features *f)
{
    struct feature_alike *a = f->alike;

    if (a == NULL)
        return;
    for (uint32_t i = 0; i < RING; i++)
        touch_lines(f, &f->ring[i]);
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
        free(a->way);
        feature_rows_free(a->rows);
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
    for (uint32_t i = 0; i < f->kernel->code.count; i++)
        a->sends += f->sends[i].memory;
    a->model = calloc(threads, sizeof(*a->model));
    a->way = calloc(RING * (a->sends + (size_t)1), sizeof(*a->way));
    a->failed = a->model == NULL || a->way == NULL;
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
        (struct model_message){at / 64, s->pattern, m->lines, p->lines, s->write};
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
        a->rows = feature_rows_new(a->model, a->count, a->sends);
    if (!good || a->rows == NULL) {
        feature_alike_free(f);
        return false;
    }
    a->ready = true;
    return true;
}

/* ---- threads like them ----------------------------------------------------------- */

static void follow_path(struct features *f, struct thread *t, const struct model *m)
{
    for (uint32_t i = 0; i < m->words; i += 1 + told_words(m->word[i]))
        if ((m->word[i] & TOLD_KIND) == TOLD_BLOCK)
            feature_path(f, t, told_what(m->word[i]));
}

bool feature_alike(struct features *f, struct thread *t,
                   const struct emu_alike_thread *like)
{
    struct feature_alike *a = f->alike;
    struct model *m = &a->model[like->like - f->less - a->first];
    uint64_t within = 0; /* a line */

    for (uint32_t i = 0; i < like->sends; i++)
        within |= like->way[i] % 64;
    if (within != 0)
        return false;
    if (t->path != NULL)
        follow_path(f, t, m);
    t->like = m;
    t->way = a->way + (size_t)(t - f->ring) * a->sends;
    memset(t->way, 0, a->sends * sizeof(*t->way));
    for (uint32_t i = 0; i < like->sends; i++)
        t->way[f->sends[like->inst[i]].pattern] = like->way[i] / 64;
    m->times++;
    return true;
}

uint32_t feature_alike_words(const struct features *f, uint64_t like,
                             const uint64_t **word)
{
    const struct model *m = &f->alike->model[like - f->less - f->alike->first];

    *word = m->word;
    return m->words;
}

/* ---- their touches in order -------------------------------------------------------
 */

/* The window's threads as turns of the models; false: some are like none, and what the
 * others touch is listed. */
static bool find_turns(struct features *f, const struct window *w,
                       struct feature_turn *turn, uint32_t *turns)
{
    uint32_t others = 0;

    *turns = 0;
    for (uint64_t n = w->first; n < w->first + WINDOW; n++) {
        const struct thread *t = &f->ring[n % RING];

        if (t->number == n && t->like == NULL)
            others++;
        if (t->number == n && t->like != NULL)
            turn[(*turns)++] = (struct feature_turn){
                (uint32_t)(t->like - f->alike->model), (uint32_t)n, t->way};
    }
    for (uint64_t n = w->first; others > 0 && n < w->first + WINDOW; n++)
        if (f->ring[n % RING].number == n)
            touch_lines(f, &f->ring[n % RING]);
    return others == 0 && *turns > 0;
}

bool feature_alike_order(struct features *f, struct window *w, uint64_t budget,
                         uint32_t *lines, struct ordered **page, uint32_t *pages)
{
    const size_t room = budget + WINDOW * (size_t)MAX_LINES; /* a row more than that */
    struct feature_turn turn[WINDOW];
    struct feature_order o;
    uint32_t turns;

    if (!find_turns(f, w, turn, &turns))
        return false;
    if (!IGPU_RESERVE(f->ordered, f->ordered_room, 2 * room)) {
        features_fault(f, igpu_short_memory);
        return false;
    }
    *page = f->ordered + room;
    for (;;) {
        o = (struct feature_order){.line = f->ordered,
                                   .page = *page,
                                   .rate = w->rate,
                                   .ordinals = w->ordinals,
                                   .most = w->ordinals > 1 ? budget : UINT64_MAX};
        if (feature_rows_order(f->alike->rows, turn, turns, &o))
            break;
        feature_coarser(w, feature_rows_count(f->alike->rows));
    }
    *lines = (uint32_t)(o.line - f->ordered);
    *pages = (uint32_t)(o.page - *page);
    w->kept = *lines + (uint64_t)*pages;
    f->line_touches += o.lines;
    f->page_touches += o.pages;
    f->pages_changed += o.changed;
    return true;
}
