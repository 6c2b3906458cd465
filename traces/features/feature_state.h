/* feature_state.h - inside of traces/features only. */
#ifndef IGPU_FEATURE_STATE_H
#define IGPU_FEATURE_STATE_H
#include "igpu/told.h"
#include "igpu/uop.h"
#include "traces/features/feature_path.h"
#include "traces/features/feature_reuse.h"
#include "traces/features/features.h"

enum {
    RING = 1024,    /* threads that are open, or wait for their window to be complete */
    WINDOW = 168,   /* threads that take turns at touching lines */
    STEPS = 64,     /* sends of a kernel whose last address a thread keeps */
    PATHS = 16,     /* threads whose dependencies are followed */
    BUCKETS = 4096, /* of groups, for imbalance */
    WAYS = 16,      /* patterns of a send that are known, by how far into a line */
    STRIDES = 5,    /* as features stride.*, step.* */
    GROUPS = 256,   /* of sends to SLM that are known */
    SPANS = 256,    /* that are known */
    SPAN_WAYS = 4,  /* places in span_at[] that a span may have */
    SPAN_NEXT = 2,
    SPAN_FIRST = 64,
    SPAN_WORDS = 160,
    SPAN_PIECES = 12,
    SPAN_TOLD = 1 << 14, /* more words are no span */
    SPAN_CREDIT = 256,
    SPAN_ROWS = 8,  /* of a span, to global memory */
    SPAN_LINES = 5, /* of each */
    MAX_LINES = 192 /* distinct lines of a message: 32 lanes of 4 and more */
};

/* A touched line or page, until the threads of its window are in order. */
struct touch {
    uint64_t what;    /* number of the line or page, times 4, with the flags below */
    uint32_t ordinal; /* message of the thread, to global memory */
};
enum { TOUCH_WRITE = 1, TOUCH_PAGE = 2 };

/* One of a window, where they are in order. */
struct ordered {
    uint64_t what; /* as there */
    uint32_t thread;
};

struct touches {
    struct touch *touch;
    uint32_t count, room;
};

/* One hardware thread while it is told. */
struct thread {
    uint64_t number;
    bool ended;
    uint32_t block;               /* the last one, UINT32_MAX: none yet */
    uint32_t ordinal;             /* messages to global memory so far */
    uint64_t page;                /* of the last touch, plus 1 */
    uint64_t last[STEPS];         /* address of each send's last message, plus 1 */
    struct path *path;            /* NULL unless followed */
    struct span *span;            /* the last one, or NULL */
    struct span *next[SPAN_NEXT]; /* as there: what may come */
    struct window *window;
    struct touches touches;
    const struct model
        *like;     /* it touches what that one does, `way` further, or NULL */
    uint64_t *way; /* lines, of each send of the model's */
};

/* What a message does, per static instruction. */
struct send_kind {
    bool memory, slm, write, atomic;
    bool texels;      /* the sampler's: lanes behind its own are lines of theirs */
    uint32_t pattern; /* its place in features.patterns */
    uint8_t step;     /* its place in thread.last, or STEPS */
    uint16_t bytes;   /* of a lane */
    uint32_t first;   /* from this distance to its address on */
    uint8_t lanes;    /* that the message has */
};

/* How the lanes of a send's last message lay, and how often it came so in a row. */
struct pattern {
    uint32_t mask, count; /* lanes that are on */
    bool row;             /* no lane is off below the last, all `step` apart */
    uint64_t into, step;  /* its line: the first lane's address */
    uint64_t delta[TRACE_MAX_LANES], repeats;
    uint32_t lines, partial, serial;
    uint32_t cycles, even; /* in SLM */
    uint32_t stride[STRIDES];
    uint64_t line[MAX_LINES]; /* from the first lane's on */
};

/* Of a pattern that is a row, what tells it: found without a look at the pattern. */
struct row {
    uint64_t step, repeats; /* as there; repeats not yet counted there */
    uint32_t mask, into;    /* as there; mask 0: the pattern is none */
};

/* Reads of shared memory that were told in one group, and how often they came so: rows
 * with these heads and addresses. */
struct group_known {
    uint32_t n; /* 0: none */
    uint64_t repeats, head[TOLD_MOST], at[TOLD_MOST];
};

/* A row to global memory in a span. */
struct span_row {
    uint32_t from, lines; /* word that has its address */
    uint64_t into;        /* a line is that */
    const struct send_kind *send;
    uint64_t line[SPAN_LINES]; /* as in its pattern */
};

/* Words of a span that are to be the same: those from `from` on of what is told, kept
 * from `at` on. */
struct span_piece {
    uint16_t from, words, at;
};

/* What a thread was told in one go, and how often that came (feature_span.c). */
struct span {
    uint32_t told;          /* words in all; 0: none */
    uint32_t before, after; /* the thread's last block before and behind it */
    uint16_t words, pieces, rows;
    uint64_t repeats;
    struct span *next[SPAN_NEXT]; /* that came behind it the last times, or NULL */
    struct span_piece piece[SPAN_PIECES];
    /* What was written of it, in the order of feature_span.c. */
    uint64_t word[SPAN_WORDS];
    struct span_row row[SPAN_ROWS];
};

/* Ways from block to block: back, and not to the next one. */
struct went {
    uint64_t back, jumps;
};
static inline void feature_went(struct went *w, uint32_t before, uint32_t block,
                                uint64_t times)
{
    w->back += block <= before ? times : 0;
    w->jumps += block != before + 1 ? times : 0;
}

/* The threads first .. first + WINDOW - 1; what is kept of their touches is of lines
 * and sets that pass the filter `rate`, in messages below `ordinals`. */
struct window {
    uint64_t first;
    unsigned rate;
    uint32_t ordinals;
    uint64_t kept, instructions, ended;
};

struct moments {
    double n, sum, square, most, least;
};

struct features {
    const struct trace_kernel *kernel;
    const struct trace_launch *launch;
    uint64_t told, ended; /* threads that are to be told, that have ended */
    uint64_t less;        /* than the hooks' are the numbers of threads here */
    uint32_t number;
    double value[FEATURE_COUNT];
    /* of the kernel */
    uint64_t *blocks; /* executed, per block */
    struct uop *uops;
    struct send_kind *sends;
    struct pattern *patterns; /* of the sends that access memory, `ways` of each */
    struct row *rows_known;   /* of the same */
    struct group_known group[GROUPS];
    struct feature_alike *alike; /* threads that others are like, or NULL */
    struct span span[SPANS];     /* one behind the other, as they came */
    struct span span_now;        /* that is looked for */
    uint32_t spans;
    uint16_t span_at[SPANS * SPAN_WAYS]; /* by their hash: place in span[] plus 1 */
    struct span *span_first[SPAN_FIRST][SPAN_NEXT]; /* of threads, as next */
    uint32_t span_credit, span_pause; /* spans until new ones are remembered again */
    uint32_t ways;
    uint64_t steps[STRIDES];
    uint32_t steps_kept;    /* of thread.last */
    struct went went;       /* as path.back, path.jumps */
    uint64_t pages_changed; /* as line.pages */
    /* of the threads */
    struct thread ring[RING];
    struct touches spare[RING]; /* of threads that were followed, without a touch */
    uint32_t spares;
    struct window window[RING / WINDOW + 2]; /* by number of the window, modulo */
    uint64_t merged;                         /* threads below have been merged */
    struct path path[PATHS];
    uint32_t paths;
    struct path_inst *path_insts; /* of the kernel */
    struct path_sums path_sums;
    struct moments thread_insts, thread_lanes;
    double bucket[BUCKETS];
    /* of the program */
    uint64_t followed, instructions; /* touches that were; of all windows */
    unsigned rate;                   /* one line, and one set, of 2^rate is looked at */
    struct reuse *lines, *pages;
    struct set_stacks *sets;
    struct ordered *ordered; /* of the window that is followed */
    uint32_t ordered_room;
    uint64_t row; /* of the last touch */
    double rows, same_rows;
    uint64_t line_touches, page_touches; /* of the launch, all of them */
    enum igpu_status status;
    struct igpu_err err;
};

/* features.c */
static inline void features_fault(struct features *f, const char *text)
{
    if (f->status == IGPU_OK)
        f->status = text == igpu_short_memory
                        ? igpu_no_memory(&f->err, "features")
                        : igpu_fail(&f->err, IGPU_BAD_INPUT, "%s", text);
}
struct thread *features_thread_begin(struct features *f, uint64_t number);
void features_block(struct features *f, struct thread *t, uint32_t block);
void features_thread_end(struct features *f, struct thread *t,
                         const struct trace_totals *totals);

/* feature_mix.c: value[] of the mix of instructions, from the counts of blocks. */
void feature_mix(struct features *f);

/* feature_access.c */
/* Returns how many of thread.last the kernel's sends have. */
uint32_t feature_send_kinds(const struct isa_kernel_code *code, struct send_kind *out);
void feature_access(struct features *f, struct thread *t, uint32_t inst, uint32_t mask,
                    const uint64_t *addr);
/* A group of igpu/told.h. */
void feature_group(struct features *f, struct thread *t, const uint64_t *word);

/* How far the thread's send is from the one before, if it is not the first. */
void feature_step(struct features *f, struct thread *t, const struct send_kind *s,
                  uint64_t addr);
/* So many times those lanes of the send, or a row of them; where they are in global
 * memory is not counted. Their pattern, or NULL: no lane is on. */
const struct pattern *feature_lanes(struct features *f, uint32_t inst, uint32_t mask,
                                    const uint64_t *addr, uint64_t times);
const struct pattern *feature_row(struct features *f, uint64_t head, uint64_t first,
                                  uint64_t times);
/* A message to global memory: the address of its first lane, and its lines from there
 * on. */
void feature_place(struct features *f, struct thread *t, const struct send_kind *s,
                   uint64_t addr, const uint64_t *line, uint32_t lines);

/* feature_span.c: all that a thread is told in one go, unless false. */
bool feature_span(struct features *f, struct thread *t, const uint64_t *word,
                  size_t words);
/* Count what spans still hold, before anybody asks for it. */
void feature_spans_done(struct features *f);

/* Count what patterns and groups still hold. */
void feature_patterns_done(struct features *f);

/* Which lines, and pages, are followed at a rate: what passes a higher one passes a
 * lower one. */
enum { PAGE_FINER = 2 }; /* pages are fewer: their rate is lower by this */
static inline unsigned feature_page_rate(unsigned rate)
{
    return rate > PAGE_FINER ? rate - PAGE_FINER : 0;
}
static inline uint32_t feature_of_sets(uint64_t line, unsigned rate)
{
    return set_of(line) < (uint32_t)SET_COUNT >> rate;
}
static inline bool feature_line_passes(uint64_t line, unsigned rate)
{
    return feature_of_sets(line, rate) || reuse_in_sample(line, rate);
}

/* feature_touch.c */
/* The window's next coarser filter: of lines, then of the messages that are looked at,
 * of which no thread has more than `longest`. */
void feature_coarser(struct window *w, uint32_t longest);
/* A thread of the window begins. Those before have been followed by the program's rate,
 * which never falls: what would not pass then is not kept at all. */
void feature_window_joined(struct features *f, struct window *w);
void feature_touches_begin(struct features *f, struct thread *t);
/* A message's lines, from the first one's on, and their pages; it is the thread's next
 * message. */
void feature_touch(struct features *f, struct thread *t, uint64_t first,
                   const uint64_t *line, uint32_t lines, bool write);
/* So coarse a filter that no more than `most` touches of the window are kept. */
void feature_keep_less(struct features *f, struct window *w, uint64_t most);
/* The thread's touches have been followed. */
void feature_forget(struct features *f, struct thread *t);

/* feature_window.c */
void feature_windows_done(struct features *f, bool all);

/* feature_follow.c: so many lines of ordered[], and pages. */
void feature_follow(struct features *f, uint32_t lines, const struct ordered *page,
                    uint32_t pages);
void feature_reuse_values(struct features *f);

/* feature_alike.c: the launch's next threads may have others like them; of them, while
 * they run, what they are told; they have ended, and there may be others: false, each
 * has to be told of. */
void feature_alike_begin(struct features *f, uint64_t first, uint32_t threads);
void feature_alike_told(struct features *f, uint64_t thread, const uint64_t *word,
                        size_t words);
bool feature_alike_ended(struct features *f, bool proved);
/* All that thread t did; false: it has to be told of, which feature_alike_words() has
 * of the one that it is like. */
bool feature_alike(struct features *f, struct thread *t,
                   const struct emu_alike_thread *like);
uint32_t feature_alike_words(const struct features *f, uint64_t like,
                             const uint64_t **word);
/* What the window's threads touched, in order, if all are like others: at most `budget`
 * lines and pages by the window's filter, which becomes coarser until they are. So many
 * lines lie in ordered[] then, and pages. False: all touches are in the threads' lists.
 */
bool feature_alike_order(struct features *f, struct window *w, uint64_t budget,
                         uint32_t *lines, struct ordered **page, uint32_t *pages);
/* Count what is left, before anybody asks for it. */
void feature_alike_done(struct features *f);
void feature_alike_free(struct features *f);

/* feature_slm.c: accesses of the fullest bank for these lanes; *even: were they spread
 * evenly. merge: lanes of the same word count once (reads). */
uint32_t feature_slm_cycles(const uint64_t *addr, uint32_t lanes, uint32_t bytes,
                            bool merge, uint32_t *even);

/* The block's part in the thread's dependencies, if they are followed. */
static inline void feature_path(struct features *f, struct thread *t, uint32_t block)
{
    const struct isa_block *b = &f->kernel->blocks.block[block];

    if (t->path != NULL && t->path->insts < PATH_LIMIT)
        path_run(t->path, &f->kernel->code, f->path_insts, b->first, b->count);
}

/* What threads at its place in a group began with the last times. */
static inline struct span **feature_span_first(struct features *f,
                                               const struct thread *t)
{
    return f->span_first[t->number % f->launch->threads_per_group % SPAN_FIRST];
}

static inline struct window *feature_window(struct features *f, uint64_t thread)
{
    return &f->window[thread / WINDOW % (RING / WINDOW + 2)];
}

#endif
