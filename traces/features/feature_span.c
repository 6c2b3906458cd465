/* feature_span.c - what a thread is told in one go, from one wait to the next, and how
 * often the same came: the same blocks and sends with the same lanes, in shared memory
 * at the same addresses, elsewhere as far into a line. Threads of a kernel mostly run
 * such spans again and again, in the same order, so the next one is known by comparing
 * it with the one that followed last time. What follows from a span is counted with the
 * number of its repetitions; only where its messages to global memory go is looked at
 * each time. */
#include "traces/features/feature_state.h"

#include <string.h>

/* A span that is new costs more than one that is not remembered: where new ones are
 * more than one of so many, none is remembered for a while. */
enum { NEW_COSTS = 4, PAUSE = 256 };

static bool is_piece(const struct span *s, const struct span_piece *p,
                     const uint64_t *word)
{
    const uint64_t *known = s->word + p->at, *keep = s->keep + p->at;
    uint64_t other = 0;

    word += p->from;
    if (p->whole)
        return memcmp(word, known, p->words * sizeof(*word)) == 0;
    for (uint32_t i = 0; i < p->words; i++)
        other |= (word[i] ^ known[i]) & keep[i];
    return other == 0;
}

static bool is_span(const struct span *s, uint32_t before, const uint64_t *word,
                    size_t words)
{
    if (s->told != words || s->before != before)
        return false;
    for (uint32_t i = 0; i < s->pieces; i++)
        if (!is_piece(s, &s->piece[i], word))
            return false;
    return true;
}

/* ---- what a span is ---------------------------------------------------------- */

/* So many words of what was told, from there on; of a group much is room that nobody
 * wrote. False: it is too long. */
static bool add_words(struct span *s, const uint64_t *word, uint32_t from, uint32_t n)
{
    struct span_piece *p = &s->piece[s->pieces - (s->pieces > 0)];

    if (s->words + n > SPAN_WORDS)
        return false;
    if (s->pieces == 0 || p->from + p->words != from) {
        if (s->pieces == SPAN_PIECES)
            return false;
        p = &s->piece[s->pieces++];
        *p = (struct span_piece){from, 0, s->words, false};
    }
    for (uint32_t i = 0; i < n; i++) {
        s->word[s->words + i] = word[from + i];
        s->keep[s->words + i] = UINT64_MAX;
    }
    p->words += n;
    s->words += n;
    return true;
}

/* The lines of a row to global memory, whose place is to be looked at each time. */
static bool add_row(struct features *f, struct span *s, uint64_t head, uint32_t from,
                    uint32_t at)
{
    const struct pattern *p = feature_row(f, head, s->word[at], 0);
    struct span_row *row = &s->row[s->rows];

    if (p == NULL) /* no lane is on */
        return true;
    if (s->rows == SPAN_ROWS || p->lines > SPAN_LINES)
        return false;
    s->rows++;
    row->from = from;
    row->send = &f->sends[told_what(head)];
    row->lines = p->lines;
    memcpy(row->line, p->line, p->lines * sizeof(*p->line));
    s->keep[at] = 63;
    return true;
}

/* A send's lanes in shared memory, from that word on. */
static bool add_lanes(const struct features *f, struct span *s, uint64_t head,
                      const uint64_t *word, uint32_t from)
{
    uint32_t at = s->words, lanes = told_count(head);

    if (!f->sends[told_what(head)].slm || !add_words(s, word, from, lanes))
        return false;
    for (uint32_t i = 0; i < lanes; i++)
        if (!(told_mask(head) >> i & 1))
            s->keep[at + i] = 0;
    return true;
}

static bool add_group(struct features *f, struct span *s, const uint64_t *word,
                      uint32_t from)
{
    uint32_t room = told_count(word[from]), n = told_what(word[from]), at;
    const uint64_t *head = word + from + 1;
    bool good = add_words(s, word, from, 1 + n);

    at = s->words;
    good = good && add_words(s, word, from + 1 + room, n);
    for (uint32_t k = 0; k < n && good; k++)
        if ((head[k] & TOLD_KIND) != TOLD_ROW)
            good = add_lanes(f, s, head[k], word, from + (uint32_t)head[room + k]);
        else if (!f->sends[told_what(head[k])].slm)
            good = add_row(f, s, head[k], from + 1 + room + k, at + k);
    return good;
}

static void clear_words(struct span *s)
{
    for (uint32_t i = 0; i < s->words; i++)
        s->word[i] &= s->keep[i];
    for (uint32_t i = 0; i < s->pieces; i++) {
        struct span_piece *p = &s->piece[i];

        p->whole = true;
        for (uint32_t k = 0; k < p->words; k++)
            p->whole = p->whole && s->keep[p->at + k] == UINT64_MAX;
    }
}

/* False: it has what is not remembered. */
static bool describe(struct features *f, struct span *s, uint32_t before,
                     const uint64_t *word, size_t words)
{
    s->told = words;
    s->before = s->after = before;
    s->words = s->pieces = s->rows = 0;
    s->repeats = 0;
    memset(s->next, 0, sizeof(s->next));
    for (uint32_t from = 0; from < words; from += 1 + told_words(word[from])) {
        uint64_t head = word[from];
        bool good;

        if ((head & TOLD_KIND) == TOLD_GROUP)
            good = add_group(f, s, word, from);
        else
            good = add_words(s, word, from, 1);
        if ((head & TOLD_KIND) == TOLD_LANES)
            good = good && add_lanes(f, s, head, word, from + 1);
        else if ((head & TOLD_KIND) == TOLD_BLOCK)
            s->after = told_what(head);
        if (!good)
            return false;
    }
    clear_words(s);
    return true;
}

/* ---- what its repetitions count ---------------------------------------------- */

static void count_block(struct features *f, uint32_t *before, uint32_t block,
                        uint64_t times)
{
    f->blocks[block] += times;
    if (*before != UINT32_MAX) {
        f->back += block <= *before ? times : 0;
        f->jumps += block != *before + 1 ? times : 0;
    }
    *before = block;
}

/* Returns the words behind it, which add_lanes() added. */
static const uint64_t *count_lanes(struct features *f, uint64_t head,
                                   const uint64_t *word, uint64_t times)
{
    (void)feature_lanes(f, told_what(head), told_mask(head), word, times);
    return word + told_count(head);
}

static const uint64_t *count_sends(struct features *f, const uint64_t *word,
                                   uint64_t times)
{
    uint32_t n = told_what(*word);
    const uint64_t *head = word + 1, *at = head + n, *next = at + n;

    for (uint32_t k = 0; k < n; k++)
        if ((head[k] & TOLD_KIND) == TOLD_ROW)
            (void)feature_row(f, head[k], at[k], times);
        else
            next = count_lanes(f, head[k], next, times);
    return next;
}

static void count_span(struct features *f, struct span *s)
{
    const uint64_t *word = s->word, *end = word + s->words;
    uint32_t before = s->before;

    while (word < end && s->repeats > 0) {
        uint64_t head = *word;

        if ((head & TOLD_KIND) == TOLD_GROUP) {
            word = count_sends(f, word, s->repeats);
        } else if ((head & TOLD_KIND) == TOLD_LANES) {
            word = count_lanes(f, head, word + 1, s->repeats);
        } else {
            count_block(f, &before, told_what(head), s->repeats);
            word++;
        }
    }
    s->repeats = 0;
}

void feature_spans_done(struct features *f)
{
    for (uint32_t i = 0; i < SPANS; i++)
        count_span(f, &f->span[i]);
}

/* ---- each one ---------------------------------------------------------------- */

/* A place for a span that begins like this: the one that has it, or else the one of
 * its few that came least. */
static struct span *place_of(struct features *f, const struct span *now,
                             const uint64_t *word)
{
    uint64_t key = now->before;
    struct span *least = NULL;

    for (uint32_t i = 0; i < now->words; i++)
        key = (key ^ now->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < SPAN_WAYS; i++) {
        struct span *s = &f->span[((key >> 40) + i) % SPANS];

        if (is_span(s, now->before, word, now->told))
            return s;
        if (least == NULL || s->repeats < least->repeats)
            least = s;
    }
    count_span(f, least);
    *least = *now;
    return least;
}

/* One that is known, or is remembered from now on; or NULL. */
static struct span *find(struct features *f, uint32_t before, const uint64_t *word,
                         size_t words)
{
    struct span *s = NULL;

    if (f->span_pause > 0) {
        f->span_pause--;
        return NULL;
    }
    if (describe(f, &f->span_now, before, word, words)) {
        s = place_of(f, &f->span_now, word);
        if (s->repeats > 0)
            return s;
    }
    if (f->span_credit < NEW_COSTS)
        f->span_pause = PAUSE;
    else
        f->span_credit -= NEW_COSTS;
    return s;
}

/* The one of both that this is, or NULL. */
static struct span *foreseen(struct span *const *next, uint32_t before,
                             const uint64_t *word, size_t words)
{
    for (uint32_t i = 0; i < SPAN_NEXT; i++)
        if (next[i] != NULL && is_span(next[i], before, word, words))
            return next[i];
    return NULL;
}

/* What came behind the thread's last span, or began the thread at its place in a group
 * before. */
static struct span **next_of(struct features *f, const struct thread *t)
{
    return t->span != NULL
               ? t->span->next
               : f->span_first[t->number % f->launch->threads_per_group % SPAN_FIRST];
}

bool feature_span(struct features *f, struct thread *t, const uint64_t *word,
                  size_t words)
{
    struct span **next = next_of(f, t), *s = foreseen(next, t->block, word, words);

    if (s == NULL) {
        s = find(f, t->block, word, words);
        if (s == NULL)
            return false;
        memmove(next + 1, next, (SPAN_NEXT - 1) * sizeof(*next));
        next[0] = s;
    }
    f->span_credit += f->span_credit < SPAN_CREDIT;
    s->repeats++;
    t->span = s;
    t->block = s->after;
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct span_row *row = &s->row[i];

        feature_place(f, t, row->send, word[row->from] + row->send->first, row->line,
                      row->lines);
    }
    return true;
}
