/* gfx_int.h - the pipeline's state in one, and what the lowest layers offer to all
 * files of csim/gfx; nobody else includes it. */
#ifndef GFX_INT_H
#define GFX_INT_H
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gfx_context.h"
#include "gfx_draw.h"
#include "gfx_hiz.h"
#include "gfx_packet.h"
#include "gfx_surface.h"
#include "igpu/bits.h"
#include "igpu/emu_shader.h"
#include "igpu/gfx.h"

/* The most scratch space that a thread can have. */
enum { GFX_SCRATCH_BYTES = 2 << 20 };
enum { GFX_OVERDRAWS = 8, GFX_LINES = 256 };
struct gfx_overdraw {
    uint64_t va;
    uint32_t level, layer, width, height;
    uint64_t used;   /* by which draw, last */
    bool upward;     /* which had its first row at the bottom */
    uint32_t *count; /* of each pixel; malloc'ed */
    /* While cycles are laid, of each pixel, malloc'ed: */
    uint32_t *shaded; /* how often in the draw at hand.. */
    double *cycles;   /* ..and what lies on it */
    /* Where the draw at hand shaded any; at_x[1], at_y[1] not included. */
    uint32_t at_x[2], at_y[2];
};

/* A thread to run. */
struct gfx_run {
    const struct gfx_shader *shader;
    const uint8_t *grf;
    uint32_t lanes;
    emu_shader_message *answer;
    void *ctx;
};

enum { GFX_PAGES = 256, GFX_PAGE_BYTES = 4096 };
/* Pages of memory that texels and pixels were looked for in, each at its number's place
 * among them. */
struct gfx_page {
    uint64_t number;
    uint8_t *host; /* NULL: none */
};

/* Of a table by open addressing, which a new stamp empties: where a page is. */
struct gfx_depth_slot {
    uint64_t number;
    uint32_t index, stamp;
};

/* What the message that is answered touched, while threads are watched. */
struct gfx_touched {
    uint64_t line[GFX_LINES];
    uint8_t packs[GFX_LINES]; /* of each, GFX_PACKED and GFX_PACKS */
    uint32_t count;
    const struct gfx_surface
        *packed;               /* the message's, if compressed; NULL: it is not */
    uint32_t pixels_read;      /* by a message that reads a target */
    const struct gfx_run *run; /* the thread that runs */
    /* Of tests, until a thread, a message or a draw is told of them: */
    struct gfx_depth_page *page; /* in the order in which they were touched first */
    struct gfx_depth_slot *slot; /* twice as many as pages have room */
    uint32_t pages, page_cap, stamp;
    struct gfx_depth_page *ahead; /* of a late draw's thread: before it runs */
    uint32_t aheads, ahead_cap;
};

/* What the thread or group that runs has to itself. */
struct gfx_thread_space {
    struct emu_shader_machine *machine;
    uint8_t *scratch; /* malloc'ed */
    uint32_t scratch_bytes;
    struct gfx_left left; /* gfx_band.c: of the band that is shaded */
};

/* What was found once, and may be found again. */
struct gfx_caches {
    struct gfx_page page[GFX_PAGES];
    struct gfx_shader **shader; /* each by itself: draws keep pointers to them */
    uint32_t shaders, shader_cap;
    struct {
        uint64_t number;
        uint32_t stamp;
    } line[GFX_LINES]; /* that a sampler message touched; gfx_count_line() */
    uint32_t stamp;
    float srgb[256]; /* of a byte, made linear; gfx_flat.c */
};

/* Room for a draw's vertices, which the next one finds again. */
struct gfx_vertices {
    struct gfx_vertex *v;  /* calloc'ed */
    uint32_t count, slots; /* slots: those of each that may be other than zeros */
};

/* Who is asked and told of what happens, and what is kept for them. */
struct gfx_watchers {
    struct gfx_memory memory; /* gfx_memory.c */
    gfx_on_draw *on_draw;
    void *on_draw_ctx;
    gfx_on_report *on_report;
    void *report_ctx;
    struct gfx_watch threads;
    struct gfx_touched touched;
    bool counts_overdraw;
    struct gfx_overdraw overdraw[GFX_OVERDRAWS], *drawn_over;
    const uint64_t *draw_cycles; /* of each draw, to be laid; NULL: not asked for */
    uint32_t draw_cycles_count, draw_number;
    bool beside; /* somebody executes threads as well */
};

/* The batch that is executed. */
struct gfx_batch_state {
    uint64_t *mapped; /* addresses of what is mapped */
    uint32_t mapped_count, mapped_cap;
    uint64_t work, most_work; /* and what is allowed */
    uint64_t at;              /* address of the command that is executed */
    uint32_t head;            /* its first dword */
    bool drawn;
    bool apart; /* what is drawn next begins with an empty pipeline */
    struct igpu_err *err;
};

struct gfx {
    struct gfx_hardware hw;
    struct gfx_context *c; /* the batch's, of hw.context */
    struct gfx_batch_state batch;
    struct emu_mem *mem;
    struct gfx_thread_space thread;
    uint32_t host_threads;
    struct gfx_pool *pool;    /* gfx_pool.c; NULL: none yet */
    struct gfx_queue *queue;  /* gfx_queue.c; the same */
    bool pieces;              /* what is added there are pieces, not groups */
    struct gfx_bands *bands;  /* gfx_band.c; the same */
    struct gfx_turn *turn;    /* of the group that is shaded; NULL: none waits */
    pthread_mutex_t *finding; /* held while told.memory.find is asked; NULL: one asks */
    struct gfx_caches cache;
    struct gfx_counters counters, before; /* before: behind the last draw */
    struct gfx_watchers told;
    /* The draw. */
    struct gfx_draw d;
    struct gfx_hiz hiz;
    struct gfx_vertices vertices;
    /* gfx_ahead.c: the vertices that are shaded while primitives are drawn, NULL: all
     * are; those before ahead_of are. Room for what is found of triangles. */
    struct gfx_ahead *ahead;
    const struct gfx_vertex *ahead_of;
    struct gfx_ready *ready;
    uint32_t readies;
    struct gfx_waiting gs;
    struct {
        bool on;     /* what is assembled is a patch's.. */
        uint32_t id; /* ..and this is its number in the draw's instance */
    } tess;
    uint32_t primitive;       /* that is assembled next: its number in the instance */
    struct gfx_surface shown; /* target of the last draw with a vertex shader */
    bool has_shown;           /* ever */
};

/* ---- gfx_core.c, gfx_memory.c, gfx_shader.c ------------------------------ */

/* "PACKET at ADDRESS: reason" into the batch's error; IGPU_SIM_ERROR. */
enum igpu_status gfx_refuse(struct gfx *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A look at TIMESTAMP. */
uint64_t gfx_look(struct gfx *g);
/* So much work more; a refusal where it is too much. Threads from now on have what is
 * left. */
enum igpu_status gfx_spend(struct gfx *g, uint64_t work);
/* Is the message one of the code of the draw's pixel shaders, and no other has its
 * address? What registers make of one is not. */
bool gfx_is_lasting(const struct gfx *g, const struct isa_inst *inst);
static inline uint32_t gfx_get(const struct gfx *g, enum gfx_field field);
float gfx_get_float(const struct gfx *g, enum gfx_field field);
uint64_t gfx_get_address(const struct gfx *g, enum gfx_field field);
/* Where bytes at va are, NULL: outside of the batch's buffers. gfx_host() asks only for
 * a page that it has not met. */
uint8_t *gfx_find_host(struct gfx *g, uint64_t va, uint32_t bytes);
static inline uint8_t *gfx_host(struct gfx *g, uint64_t va, uint32_t bytes)
{
    const struct gfx_page *p = &g->cache.page[va / GFX_PAGE_BYTES % GFX_PAGES];
    uint32_t at = va % GFX_PAGE_BYTES;

    if (p->host != NULL && p->number == va / GFX_PAGE_BYTES &&
        at + bytes <= GFX_PAGE_BYTES)
        return p->host + at;
    return gfx_find_host(g, va, bytes);
}
/* bytes at va into to; what is not mapped is a refusal. */
enum igpu_status gfx_read(struct gfx *g, uint64_t va, void *to, size_t bytes);
enum igpu_status gfx_write(struct gfx *g, uint64_t va, const void *from, size_t bytes);
/* So many bytes at va, which lie at host, are written next. */
static inline void gfx_tell_write(const struct gfx *g, uint64_t va, uint64_t bytes,
                                  const uint8_t *host)
{
    if (g->told.memory.write != NULL)
        g->told.memory.write(g->told.memory.ctx, va, bytes, host);
}
/* Zeros, in large pages where the host has them for who asks; NULL: memory is short. */
void *gfx_new_array(size_t count, size_t bytes);
/* The shader at va; NULL after a refusal. */
struct gfx_shader *gfx_find_shader(struct gfx *g, uint64_t va, uint32_t simd,
                                   const char *name);
/* The push constants of a packet 3DSTATE_CONSTANT_*. */
enum igpu_status gfx_constants(struct gfx *g, enum gfx_packet packet, uint8_t *to,
                               uint32_t room, uint32_t *bytes);
/* Where the stage's samplers and a thread's scratch space are, into its register 0. */
void gfx_put_pointers(const struct gfx *g, uint8_t *grf);
/* The latter of a group's threads, each with 1 KB << size of its own: they take turns.
 */
enum igpu_status gfx_share_scratch(struct gfx *g, uint8_t *grf, uint32_t threads,
                                   uint32_t size);
/* Bytes of a thread's; room for so many threads. */
uint32_t gfx_scratch_of(uint32_t size);
enum igpu_status gfx_make_scratch(struct gfx *g, uint32_t threads, uint32_t size);
uint64_t gfx_register(struct gfx *g, uint32_t offset);
void gfx_set_register(struct gfx *g, uint32_t offset, uint32_t value);

/* gfx_count.c. gfx_count: `more` to the counter at this offset of the structure. */
void gfx_count(struct gfx *g, size_t counter, uint64_t more);
/* A packet of pipelined state: bits 16 to 31 of its head. */
void gfx_count_packet(struct gfx *g, uint32_t head);
void gfx_count_texels(struct gfx *g, const struct tex_format *format, uint64_t count);
void gfx_count_draw(struct gfx *g, const uint32_t *packet);
/* gfx_registers.c: what a draw counted, into the registers of the stages that its
 * packets have counted. */
void gfx_count_statistics(struct gfx *g, const struct gfx_counters *counted);
/* Into the counters from `first` on, in the order of emu_shader.h. */
void gfx_count_classes(uint64_t *first, const struct emu_shader_classes *n);
/* The message touches a line. False: its table of lines is full of others. */
bool gfx_count_line(struct gfx *g, uint64_t line);
/* A draw is over. */
void gfx_drawn(struct gfx *g);

/* gfx_overdraw.c. How often each pixel of the target was written, row by row, to be
 * counted on; NULL: nobody wants to know, or memory is short. */
uint32_t *gfx_count_pixels(struct gfx *g, const struct gfx_surface *s);
/* Is there nothing to be made before they are? */
bool gfx_counts_pixels(const struct gfx *g, const struct gfx_surface *s);
/* A shader ran for these pixels of the group that is drawn, for the target's sake. */
void gfx_count_shaded(struct gfx *g, const struct gfx_surface *s, uint32_t pixels);
/* A fast clear cleared those from at[0], at[1] to before at[2], at[3]. */
void gfx_count_cleared(struct gfx *g, const struct gfx_surface *s,
                       const uint32_t at[4]);
/* Lay the cycles of the draw that is over. */
void gfx_spread_cycles(struct gfx *g);

/* gfx_thread.c: run a thread, and tell who watches of it. */
enum igpu_status gfx_run_thread(struct gfx *g, const struct gfx_run *run,
                                struct emu_counts *counts,
                                struct emu_shader_classes *classes);
/* The same with a group of threads, which run->shader, run->answer and run->ctx are
 * of. */
enum igpu_status gfx_run_group(struct gfx *g, const struct gfx_run *run,
                               const struct emu_shader_group *group,
                               struct emu_counts *counts);
/* The same with all groups of a dispatch; *groups has no shader yet. */
enum igpu_status gfx_run_groups(struct gfx *g, const struct gfx_run *run,
                                const struct emu_shader_groups *groups);
/* Is somebody told of threads or of what they write, or are cycles laid? */
bool gfx_is_watched(const struct gfx *g);
/* A draw, a dispatch begins: whoever watches threads is told. */
void gfx_draw_begins(struct gfx *g);
void gfx_dispatch_begins(struct gfx *g, uint32_t threads, uint32_t slm_bytes);
/* A thread, a group of threads is over, and counted. */
void gfx_thread_ended(struct gfx *g, enum gfx_stage stage, const struct gfx_shader *s,
                      const struct emu_counts *counts);
void gfx_group_ended(struct gfx *g, enum gfx_stage stage, const struct gfx_shader *s,
                     uint32_t threads, const struct emu_counts *each);
/* The same of one of a dispatch's, whose first thread had this number. */
void gfx_dispatched_ended(struct gfx *g, const struct gfx_shader *s, uint32_t first,
                          uint32_t threads, const struct emu_counts *each);
/* A test touches this byte of a depth or stencil buffer. False: memory is short. */
bool gfx_touch_depth(struct gfx *g, uint64_t va, bool read, bool written);
/* The same of a note of hierarchical depth. */
bool gfx_touch_note(struct gfx *g, uint64_t va, bool read, bool written);
/* Was the line written, and not read, since they were last taken? */
bool gfx_wrote_depth(const struct gfx *g, uint64_t va);
/* The thread that runs next, of a draw whose blocks are rejected, is told of what was
 * touched until now; its messages are of what is touched from now on. False: memory is
 * short. */
bool gfx_put_ahead(struct gfx *g);
/* What they touched, which is then forgotten but stays there until the next one. */
struct gfx_depth_lines gfx_take_depth(struct gfx *g);
/* The message that is answered touches this line, perhaps again. */
void gfx_touch_line(struct gfx *g, uint64_t line);
/* gfx_pack.c: the lines that it touches from now on are the surface's, whose pairs are
 * looked at where it is compressed. */
void gfx_touch_pairs(struct gfx *g, const struct gfx_surface *s);
/* Does one line hold the pair of this line of *s, a compressed surface? */
bool gfx_pair_fits(struct gfx *g, const struct gfx_surface *s, uint64_t line);

/* gfx_surface.c: texels of the level from at[0], at[1] to before at[2], at[3] become
 * those of `texels`, whole ones of 16 bytes, but for bits that `kept` has. False: they
 * do not lie side by side, or writes are told of; or some lie outside of the buffers,
 * and others may be written. */
bool gfx_fill_texels(struct gfx *g, const struct gfx_surface *s,
                     const struct gfx_level *level, const uint32_t at[4],
                     const uint8_t texels[GFX_SIDE_BY_SIDE],
                     const uint8_t kept[GFX_SIDE_BY_SIDE]);

/* gfx_commands.c: one more, without state. NULL: memory is short. */
struct gfx_context *gfx_add_context(struct gfx *g);

enum { GFX_PAYLOAD_BYTES = 32 * (15 + 15) };
/* A message's payload, source 0 and then source 1, in one piece; the rest of `to` is
 * zeros. Returns how many registers. */
static inline uint32_t gfx_payload(const struct isa_inst *inst, const uint8_t *grf,
                                   uint8_t to[GFX_PAYLOAD_BYTES])
{
    const uint32_t part[2] = {inst->msg.mlen, inst->msg.ext_mlen};
    uint8_t *at = to;

    for (uint32_t k = 0; k < 2; k++) {
        uint32_t wanted = part[k] < 15 ? part[k] : 15, reg = inst->src[k].reg;
        uint32_t room = reg < ISA_GRF_COUNT ? ISA_GRF_COUNT - reg : 0;
        uint32_t there = wanted < room ? wanted : room;

        memcpy(at, grf + reg * ISA_GRF_BYTES, there * ISA_GRF_BYTES);
        memset(at + there * ISA_GRF_BYTES, 0, (wanted - there) * ISA_GRF_BYTES);
        at += wanted * ISA_GRF_BYTES;
    }
    memset(at, 0, (size_t)(to + GFX_PAYLOAD_BYTES - at));
    return (uint32_t)(at - to) / ISA_GRF_BYTES;
}

static inline uint32_t gfx_get(const struct gfx *g, enum gfx_field field)
{
    return gfx_bits(g->c->state[gfx_fields[field].packet][gfx_fields[field].dword],
                    gfx_fields[field].low, gfx_fields[field].high);
}

/* The same in its place, whose low bits are zeros: an offset from a base address. */
static inline uint32_t gfx_get_offset(const struct gfx *g, enum gfx_field field)
{
    return gfx_get(g, field) << gfx_fields[field].low;
}

#endif
