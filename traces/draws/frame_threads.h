/* frame_threads.h - the threads of draws, kept until they are over, and written to a
 * trace as launches: one for all draws that may be in the pipeline together, each
 * thread a group. */
#ifndef BRIDGE_DRAWS_FRAME_THREADS_H
#define BRIDGE_DRAWS_FRAME_THREADS_H
#include "traces/draws/frame_kernels.h"

/* A growing array; what is in it, by its own struct. */
struct frame_list {
    void *item;
    size_t count, cap;
};

/* A thread that has ended. */
struct frame_thread {
    uint32_t shader; /* index in the launch's */
    uint32_t draw;
    uint8_t stage;        /* enum trace_stage */
    size_t block, access; /* its first; they end where the next one's begin */
    size_t blocks, accesses;
    struct trace_totals totals;
    uint64_t work[TRACE_WORKS]; /* while its draw runs: since that began */
    size_t pages;     /* pixel: tests up to its own touched so many, of the launch */
    uint64_t patches; /* of its draw that came before, its own included */
    uint64_t needed;  /* as struct trace_payload's */
    uint32_t ahead;   /* so many threads that deliver may be ahead of those needed */
};

/* Of a TEXTURE or TARGET message, as struct trace_graphics. */
struct frame_about {
    uint32_t work, read; /* samples; pixels written, read */
    uint8_t how[TRACE_MAX_LANES];
};

struct frame_access {
    uint32_t inst, mask; /* of the shader's code */
    size_t addr;         /* the first of those of the lanes that are on */
    size_t about;        /* what it is about, + 1; 0: it is none of graphics */
};

/* What a thread has done so far. */
struct frame_running {
    struct frame_list block;  /* uint32_t */
    struct frame_list access; /* struct frame_access: addr counts in.. */
    struct frame_list addr;   /* ..uint64_t, and about in.. */
    struct frame_list about;  /* ..struct frame_about */
};

struct frame_threads {
    struct trace_writer *writer;
    struct frame_kernels kernels;
    /* Of the launch that is recorded: */
    struct frame_shaders shaders;
    struct frame_list thread; /* struct frame_thread, as they ended */
    struct frame_list block;  /* uint32_t */
    struct frame_list access; /* struct frame_access */
    struct frame_list addr;   /* uint64_t */
    struct frame_list about;  /* struct frame_about */
    struct frame_list depth;  /* struct gfx_depth_page, as tests touched them */
    struct frame_running running[GFX_MAX_HW_THREADS];
    struct gfx_dispatch dispatch;  /* threads 0: it is one of draws */
    size_t draw;                   /* the first thread of the draw that runs */
    uint64_t delivering;           /* threads before it that are no pixel shaders' */
    struct gfx_draw_begin room;    /* for what the URB has room */
    uint64_t carried[TRACE_WORKS]; /* that no thread has yet */
    bool on, failed;
    uint32_t draws, dispatches, launches; /* of the frame; draws: with dispatches */
    uint64_t messages, cut;               /* with lines; those with more than fit */
    uint64_t depth_cut;  /* runs of lines of tests for which no thread has room */
    struct igpu_err err; /* the first, once failed */
};

/* Have *t told of gfx's threads and draws from now on: those of the frame's draws. */
void frame_threads_watch(struct frame_threads *t, struct gfx *g);
/* What was kept becomes a launch: nothing behind it is in the pipeline beside it. */
void frame_threads_flush(struct frame_threads *t);
/* Lines of tests that no thread has taken: they are counted as left out. */
void frame_threads_forget_depth(struct frame_threads *t);
void frame_threads_free(struct frame_threads *t);

/* frame_tess.c: put the threads of a draw with patches that deliver into the order in
 * which they are dispatched, hull shaders' ahead, and tell what each thread needs, the
 * others of the launch before them included. false: memory is short. */
bool frame_tess_order(const struct frame_threads *t, struct frame_thread *thread,
                      size_t count, const uint64_t all[TRACE_WORKS], uint64_t patches);

/* frame_launch.c: write the launch; the threads stay. */
enum igpu_status frame_launch_write(struct frame_threads *t);
#endif
