/* frame_threads.h - the threads of a draw, kept until it is over, and written to a
 * trace as its launches: one of vertex shaders, one of pixel shaders, each thread a
 * group. */
#ifndef BRIDGE_IGPU_FRAME_THREADS_H
#define BRIDGE_IGPU_FRAME_THREADS_H
#include "bridge/igpu/frame_kernels.h"

/* A growing array; what is in it, by its own struct. */
struct frame_list {
    void *item;
    size_t count, cap;
};

struct frame_threads {
    struct trace_writer *writer;
    struct frame_kernels kernels;
    /* Of the draw that runs: */
    struct frame_list thread[2];   /* struct kept, by stage */
    struct frame_list block;       /* uint32_t */
    struct frame_list access;      /* struct kept_access */
    struct frame_list addr;        /* uint64_t */
    size_t blocks, accesses;       /* of threads that have ended */
    uint64_t carried[TRACE_WORKS]; /* of draws without a thread */
    bool on, failed;
    uint32_t draws;         /* of the frame */
    uint64_t messages, cut; /* with lines; those with more than fit */
    struct igpu_err err;    /* the first, once failed */
};

/* Have *t told of gfx's threads and draws from now on: those of the frame's draws. */
void frame_threads_watch(struct frame_threads *t, struct gfx *g);
void frame_threads_free(struct frame_threads *t);
#endif
