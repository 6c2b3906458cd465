/* gfx.h - Gen9's 3D pipeline, functional: what batches of commands do to memory.
 *
 * Batches are executed command by command; the state that they set stays with their
 * hardware context. Shaders run on the emulator (igpu/emu_shader.h), fixed functions
 * here. It knows nothing of time. What is not executed is an error with the packet, its
 * address and a reason: never a wrong pixel. docs/contract/frames.md has the list.
 *
 * Order   Draws, primitives and groups of pixels one after the other, or on several
 *         host threads as if they were; the same batches give the same memory on every
 *         host.
 * Floats  As the device computes them, whatever the calling thread has set for its own
 *         (igpu/floats.h).
 * Units   Addresses are GPU virtual addresses below 2^47, sizes bytes.
 * Source  docs/develop/sources.md#gen9-graphics     Tests: tests/bridge/test_gfx.sh */
#ifndef IGPU_GFX_H
#define IGPU_GFX_H
#include <stdio.h>

#include "igpu/emu_shader.h"

struct gfx_counters {
#define GFX_GROUP(title)
#define GFX_COUNTER(name, unit, text) uint64_t name;
#include "igpu/gfx_counters.def"
#undef GFX_COUNTER
#undef GFX_GROUP
};

enum { GFX_COUNTER_COUNT = sizeof(struct gfx_counters) / sizeof(uint64_t) };
/* A counter's definition. */
struct gfx_counter {
    const char *name, *unit, *text;
    const char *group; /* that it begins; NULL: it is in that of the one before */
};
/* Of counter `index` below GFX_COUNTER_COUNT, in the order of the structure. */
struct gfx_counter gfx_counter(uint32_t index);
uint64_t gfx_counter_value(const struct gfx_counters *c, uint32_t index);
/* now - before, each. */
struct gfx_counters gfx_counters_since(const struct gfx_counters *now,
                                       const struct gfx_counters *before);

struct gfx;

/* From now on draws do without hierarchical depth (docs/contract/frames.md,
 * "Hierarchical depth"), or with it, as at first: pictures are the same. */
void gfx_ignore_hiz(struct gfx *g, bool ignored);

/* A picture in memory, as 8-bit r g b a rows from the top; malloc'ed. */
struct gfx_picture {
    uint32_t width, height;
    uint8_t *rgba;
};

/* NULL: memory is short. */
struct gfx *gfx_new(void);
void gfx_free(struct gfx *g);

/* A buffer that batches may touch: host[bytes] (the caller's) at address va. */
struct gfx_buffer {
    uint64_t va, bytes;
    uint8_t *host;
};

/* These buffers and no others are there, until the next call. IGPU_SIM_ERROR: two of
 * them overlap, or memory is short; then none is there. */
enum igpu_status gfx_map(struct gfx *g, const struct gfx_buffer *buffer, uint32_t count,
                         struct igpu_err *err);

/* Who knows of buffers that gfx_map() was not told of, and who is told of writes; each
 * may be NULL. */
struct gfx_memory {
    void *ctx; /* the first argument */
    /* No buffer that is there has va. True: *buffer does, and is there from now on, as
     * if gfx_map() had been told of it. */
    bool (*find)(void *ctx, uint64_t va, struct gfx_buffer *buffer);
    /* So many bytes from va on, which lie at host in one buffer, are written next. */
    void (*write)(void *ctx, uint64_t va, uint64_t bytes, const uint8_t *host);
};
/* From now on; *memory is copied, NULL: nobody. */
void gfx_watch_memory(struct gfx *g, const struct gfx_memory *memory);

/* Execute a batch of hardware context `context` from address `start` on, to its end.
 * IGPU_SIM_ERROR: something that is not executed; what was done until then stays. */
enum igpu_status gfx_batch(struct gfx *g, uint32_t context, uint64_t start,
                           struct igpu_err *err);

/* What the pipeline keeps between batches beside their memory, *bytes of it, malloc'ed:
 * state of contexts, registers, notes on depth; not the picture that is shown, nor what
 * was counted but in registers. The pipeline goes on as before. NULL and *err: memory
 * is short, or commands left what a restored state cannot have. */
uint8_t *gfx_save(struct gfx *g, size_t *bytes, struct igpu_err *err);
/* That state into a pipeline that has executed nothing. IGPU_BAD_INPUT: it is none;
 * then the pipeline is not to be used. */
enum igpu_status gfx_restore(struct gfx *g, const uint8_t *from, size_t bytes,
                             struct igpu_err *err);

/* Batches from now on may each make this much work, at most; more is refused, since a
 * damaged one could go on for ever. Commands, vertices, blocks of 2x2 pixels that are
 * looked at, and threads' instructions are one each. At first: 2^36. */
void gfx_limit_work(struct gfx *g, uint64_t most);

/* The GPU's hardware threads, which groups of a dispatch that wait for each other
 * share; at first GFX_HW_THREADS, and more than GFX_MAX_HW_THREADS are not. */
enum { GFX_HW_THREADS = 168, GFX_MAX_HW_THREADS = 512 };
void gfx_set_threads(struct gfx *g, uint32_t threads);

/* On how many threads of the host draws are shaded, this one included; at first one,
 * and more than 16 are not used. Memory, counters and time are the same. Between
 * batches, before the first one that draws. */
void gfx_use_host_threads(struct gfx *g, uint32_t threads);

const struct gfx_counters *gfx_get_counters(const struct gfx *g);
/* What TIMESTAMP counts, which goes on with work and looks of commands: this is none.
 */
uint64_t gfx_time(const struct gfx *g);
/* Between two batches: it goes on until there, unless it is farther, or a clock is set.
 */
void gfx_pass_time(struct gfx *g, uint64_t until);
/* From now on TIMESTAMP is what this says at each look, unless that goes back; NULL: as
 * before. It may be asked amidst a batch: all that is behind the commands before was
 * told to who watches. */
void gfx_set_clock(struct gfx *g, uint64_t (*now)(void *ctx), void *ctx);

/* Who writes what MI_REPORT_PERF_COUNT of a context asks for, of all that was told
 * until then: a report with this number, of at most GFX_REPORT_BYTES; their number.
 * NULL: one that has counted nothing. */
enum { GFX_REPORT_BYTES = 256 };
typedef uint32_t gfx_on_report(void *ctx, uint32_t context, uint32_t id,
                               uint8_t *report);
void gfx_set_reports(struct gfx *g, gfx_on_report *on_report, void *ctx);

/* Lines of depth and stencil buffers that tests touched, by pages of 4 KB. */
struct gfx_depth_page {
    uint64_t number;        /* address / 4096 */
    uint64_t read, written; /* a bit for each of its 64 lines; some are both */
    bool notes;             /* they are those of hierarchical depth */
};
struct gfx_depth_lines {
    const struct gfx_depth_page *page;
    uint32_t pages;
};

/* Called behind each draw: what was counted since the one before, or since
 * gfx_begin_draws(). */
struct gfx_draw_info {
    uint64_t va;       /* of its 3DPRIMITIVE */
    uint32_t topology; /* as the command streamer numbers them */
    bool driver;       /* a rectangle of the driver's */
    struct gfx_counters counted;
    struct gfx_depth_lines depth; /* that no thread was told of */
};
typedef void gfx_on_draw(void *ctx, const struct gfx_draw_info *info);
void gfx_watch_draws(struct gfx *g, gfx_on_draw *on_draw, void *ctx);
/* A frame begins: what was counted until now belongs to no draw behind. */
void gfx_begin_draws(struct gfx *g);

/* ---- threads ------------------------------------------------------------ */

enum gfx_stage {
    GFX_STAGE_VERTEX,
    GFX_STAGE_PIXEL,
    GFX_STAGE_GEOMETRY,
    GFX_STAGE_HULL,
    GFX_STAGE_DOMAIN,
    GFX_STAGE_COMPUTE
};

/* One line holds the pair of a line of a compressed surface: as the message finds it,
 * as it leaves it (docs/contract/frames.md, "Compressed colour"). */
enum { GFX_PACKED = 1, GFX_PACKS = 2 };

/* A message to sampler, render target or URB. */
struct gfx_message {
    const struct isa_inst *inst;
    uint32_t index; /* of it in the shader's code */
    uint32_t work;  /* sampler: bilinear samples of 32 bits; target: pixels written */
    uint32_t read;  /* target: pixels read for blending, logic operations, masks, or by
                       the message itself, which writes none then */
    uint32_t lines;
    const uint64_t *line; /* address / 64 of the lines that it touched, each once */
    const uint8_t *packs; /* of each line, GFX_PACKED and GFX_PACKS */
    struct gfx_depth_lines depth; /* target: of its late tests */
};

/* A hardware thread that has ended. */
struct gfx_thread {
    enum gfx_stage stage;
    uint32_t number; /* as `thread` of struct gfx_watch */
    bool last;       /* of its group */
    const struct emu_shader *shader;
    uint32_t simd;
    uint32_t payload; /* registers that were filled before it began */
    struct emu_counts counts;
    struct gfx_counters counted;  /* since the draw before, this thread's included */
    struct gfx_depth_lines depth; /* pixel: of early tests since the thread before */
};

/* A draw that begins. */
struct gfx_draw_begin {
    bool apart; /* commands since the one before have the pipeline be empty first */
    uint32_t vertices, patches;   /* that the URB has room for */
    struct gfx_depth_lines depth; /* of clears and resolves before it */
};
/* A dispatch of a compute shader that begins: groups of `threads` with shared memory.
 */
struct gfx_dispatch {
    uint32_t threads, slm_bytes;
};

/* Who is told what threads do. `thread`: the one that runs, in its group, or 0; where
 * groups that wait for each other run together, behind those of the groups in places
 * before it, and always below GFX_MAX_HW_THREADS. They take turns, and all of a group
 * are said to end when it is over, in order. The pointers are valid during the call. */
struct gfx_watch {
    void *ctx;
    void (*draw)(void *ctx, const struct gfx_draw_begin *draw);
    void (*dispatch)(void *ctx, const struct gfx_dispatch *dispatch);
    void (*block)(void *ctx, uint32_t thread, uint32_t block); /* emu_shader_blocks() */
    /* Of messages to the data port. */
    void (*access)(void *ctx, uint32_t thread, const struct emu_access *access);
    void (*message)(void *ctx, uint32_t thread, const struct gfx_message *message);
    void (*end)(void *ctx, const struct gfx_thread *thread);
};
/* From now on; *watch is copied, NULL: nobody. */
void gfx_watch_threads(struct gfx *g, const struct gfx_watch *watch);

/* Threads from now on are executed beside by whom this tells, who outlives the
 * pipeline; NULL: by nobody. */
void gfx_step_beside(struct gfx *g, const struct emu_shader_beside *beside);

/* ---- overdraw and pictures ---------------------------------------------- */

/* What happened to each pixel of a target since gfx_forget_overdraw(). Rows as in
 * memory, the pipeline's. */
struct gfx_map {
    uint32_t width, height;
    const uint32_t *count; /* how often it was written */
    const double *cycles;  /* see gfx_lay_cycles(); NULL: no shader ran for any, or
                              memory is short */
    bool turned; /* its last draw had its first row at the bottom, unlike the last one
                    of the target that is shown */
};
/* Of the target that gfx_get_picture() shows, or of the one that most pixels were
 * written of. False: there is none. Targets are told apart by address and size; eight
 * are kept at a time, those drawn last. */
bool gfx_get_map(const struct gfx *g, bool busiest, struct gfx_map *map);
/* From now on; at first nothing is counted, and there are no maps. */
void gfx_count_overdraw(struct gfx *g, bool counted);
void gfx_forget_overdraw(struct gfx *g);

/* From now on lay cycles[i] of draw i (from 0, since gfx_forget_overdraw()) over the
 * pixels of its targets: each pixel gets as much for each time that the draw's pixel
 * shader ran for it, where overdraw is counted. cycles[count] is the caller's and
 * stays; draws behind have none. */
void gfx_lay_cycles(struct gfx *g, const uint64_t *cycles, uint32_t count);

/* Did the last batch draw with a vertex shader? */
bool gfx_has_drawn(const struct gfx *g);
/* The first colour target of the last draw that had a vertex shader, as its memory is
 * now. IGPU_SIM_ERROR: nothing was drawn yet, or no buffer has its memory any more. */
enum igpu_status gfx_get_picture(struct gfx *g, struct gfx_picture *picture,
                                 struct igpu_err *err);

#endif
