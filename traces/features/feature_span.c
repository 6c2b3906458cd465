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

enum { SHORT = 12 }; /* words that are compared here */

static bool is_piece(const struct span *s, const struct span_piece *p,
                     const uint64_t *word)
{
    const uint64_t *known = s->word + p->at;

    word += p->from;
    if (p->words > SHORT)
        return memcmp(word, known, p->words * sizeof(*word)) == 0;
    for (uint32_t i = 0; i < p->words; i++)
        if (word[i] != known[i])
            return false;
    return true;
}

static bool is_span(const struct span *s, uint32_t before, const uint64_t *word,
                    size_t words)
{
    if (s->told != words || s->before != before)
        return false;
    for (uint32_t i = 0; i < s->pieces; i++)
        if (!is_piece(s, &s->piece[i], word))
            return false;
    for (uint32_t i = 0; i < s->rows; i++)
        if (word[s->row[i].from] % 64 != s->row[i].into)
            return false;
    return true;
}

/* ---- what a span is ---------------------------------------------------------- */

/* So many words of what was told are to be the same, from there on; of a group much is
 * room that nobody wrote. False: it is too long. */
static bool add_words(struct span *s, const uint64_t *word, uint32_t from, uint32_t n)
{
    struct span_piece *p = &s->piece[s->pieces - (s->pieces > 0)];

    if (s->words + n > SPAN_WORDS)
        return false;
    if (s->pieces == 0 || p->from + p->words != from || p->at + p->words != s->words) {
        if (s->pieces == SPAN_PIECES)
            return false;
        p = &s->piece[s->pieces++];
        *p = (struct span_piece){(uint16_t)from, 0, s->words};
    }
    memcpy(s->word + s->words, word + from, n * sizeof(*word));
    p->words = (uint16_t)(p->words + n);
    s->words = (uint16_t)(s->words + n);
    return true;
}

/* One word that is kept as it is here, and looked at in another way or not at all. */
static bool add_other(struct span *s, uint64_t word)
{
    if (s->words == SPAN_WORDS)
        return false;
    s->word[s->words++] = word;
    return true;
}

/* The lines of a row to global memory, whose place is to be looked at each time. */
static bool add_row(struct features *f, struct span *s, uint64_t head,
                    const uint64_t *word, uint32_t from)
{
    const struct pattern *p = feature_row(f, head, word[from], 0);
    struct span_row *row = &s->row[s->rows];

    if (p == NULL) /* no lane is on */
        return add_words(s, word, from, 1);
    if (s->rows == SPAN_ROWS || p->lines > SPAN_LINES)
        return false;
    s->rows++;
    row->from = from;
    row->into = word[from] % 64;
    row->send = &f->sends[told_what(head)];
    row->lines = p->lines;
    memcpy(row->line, p->line, p->lines * sizeof(*p->line));
    return add_other(s, row->into);
}

/* A send's lanes in shared memory, from that word on. */
static bool add_lanes(const struct features *f, struct span *s, uint64_t head,
                      const uint64_t *word, uint32_t from)
{
    bool good = f->sends[told_what(head)].slm;

    for (uint32_t i = 0; i < told_count(head) && good; i++)
        good = told_mask(head) >> i & 1 ? add_words(s, word, from + i, 1)
                                        : add_other(s, 0);
    return good;
}

static bool add_group(struct features *f, struct span *s, const uint64_t *word,
                      uint32_t from)
{
    uint32_t room = told_count(word[from]), n = told_what(word[from]);
    const uint64_t *head = word + from + 1;
    bool good = add_words(s, word, from, 1 + n);

    for (uint32_t k = 0; k < n && good; k++)
        if ((head[k] & TOLD_KIND) == TOLD_ROW && !f->sends[told_what(head[k])].slm)
            good = add_row(f, s, head[k], word, from + 1 + room + k);
        else
            good = add_words(s, word, from + 1 + room + k, 1);
    for (uint32_t k = 0; k < n && good; k++)
        if ((head[k] & TOLD_KIND) != TOLD_ROW)
            good = add_lanes(f, s, head[k], word, from + (uint32_t)head[room + k]);
    return good;
}

/* False: it has what is not remembered. */
static bool describe(struct features *f, struct span *s, uint32_t before,
                     const uint64_t *word, size_t words)
{
    s->told = (uint32_t)words;
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
    return true;
}

/* ---- what its repetitions count ---------------------------------------------- */

static void count_block(struct features *f, uint32_t *before, uint32_t block,
                        uint64_t times)
{
    f->blocks[block] += times;
    if (*before != UINT32_MAX)
        feature_went(&f->went, *before, block, times);
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

/* The span that is like this one: known, or in a place of its own, or in the one of its
 * few that came least. */
static struct span *place_of(struct features *f, const struct span *now,
                             const uint64_t *word)
{
    uint64_t key = now->before;
    struct span *least = NULL;

    for (uint32_t i = 0; i < now->words; i++)
        key = (key ^ now->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < SPAN_WAYS; i++) {
        uint16_t *at = &f->span_at[((key >> 40) + i) % (SPANS * SPAN_WAYS)];
        struct span *s = &f->span[*at - (*at > 0)];

        if (*at == 0 && f->spans == SPANS)
            continue;
        if (*at == 0) {
            *at = (uint16_t)++f->spans;
            least = &f->span[*at - 1];
            break;
        }
        if (is_span(s, now->before, word, now->told))
            return s;
        if (least == NULL || s->repeats < least->repeats)
            least = s;
    }
    if (least == NULL)
        return NULL;
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
        if (s != NULL && s->repeats > 0)
            return s;
    }
    if (f->span_credit < NEW_COSTS)
        f->span_pause = PAUSE;
    else
        f->span_credit -= NEW_COSTS;
    return s;
}

/* The one of them that this is, or NULL. */
static struct span *foreseen(struct span *const *next, uint32_t before,
                             const uint64_t *word, size_t words)
{
    for (uint32_t i = 0; i < SPAN_NEXT; i++)
        if (next[i] != NULL && is_span(next[i], before, word, words))
            return next[i];
    return NULL;
}

/* What comes behind the thread's last span, or begins the thread: remember that. */
static void learn(struct features *f, struct thread *t, struct span *s)
{
    struct span **next = t->span != NULL ? t->span->next : feature_span_first(f, t);

    memmove(next + 1, next, (SPAN_NEXT - 1) * sizeof(*next));
    next[0] = s;
}

bool feature_span(struct features *f, struct thread *t, const uint64_t *word,
                  size_t words)
{
    struct span *s = foreseen(t->next, t->block, word, words);

    if (s == NULL) {
        s = words < SPAN_TOLD ? find(f, t->block, word, words) : NULL;
        if (s == NULL)
            return false;
        learn(f, t, s);
    }
    f->span_credit += f->span_credit < SPAN_CREDIT;
    s->repeats++;
    t->span = s;
    memcpy(t->next, s->next, sizeof(t->next));
    t->block = s->after;
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct span_row *row = &s->row[i];

        feature_place(f, t, row->send, word[row->from] + row->send->first, row->line,
                      row->lines);
    }
    return true;
}
