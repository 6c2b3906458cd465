/* gfx_int.h - what the files of csim/gfx share; nobody else includes it. */
#ifndef GFX_INT_H
#define GFX_INT_H
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gfx_hiz.h"
#include "gfx_packet.h"
#include "gfx_surface.h"
#include "igpu/emu_shader.h"
#include "igpu/gfx.h"

/* The most scratch space that a thread can have. */
enum { GFX_SCRATCH_BYTES = 2 << 20 };
enum { GFX_MAX_CONTEXTS = 16384, GFX_VERTEX_BUFFERS = 33, GFX_ELEMENTS = 34 };
/* Registers that count what draws do whose packets say so: in the order of their
 * numbers, from GFX_REG_STATISTICS on, each of 64 bits. */
enum {
    GFX_STATISTIC_HS,
    GFX_STATISTIC_DS,
    GFX_STATISTIC_IA_VERTICES,
    GFX_STATISTIC_IA_PRIMITIVES,
    GFX_STATISTIC_VS,
    GFX_STATISTIC_GS,
    GFX_STATISTIC_GS_PRIMITIVES,
    GFX_STATISTIC_CL,
    GFX_STATISTIC_CL_PRIMITIVES,
    GFX_STATISTIC_PS,
    GFX_STATISTIC_DEPTH,
    GFX_STATISTICS
};
enum { GFX_PACKET_DWORDS = 12, GFX_SLOTS = 40, GFX_REGISTERS = 256 };
/* Binding table entries; numbers from 240 on stand for other things. */
enum {
    GFX_MAX_BINDINGS = EMU_SHADER_BINDINGS,
    GFX_BINDLESS = 64,
    GFX_MAX_CLIPPED = 24
};

enum { GFX_STREAMS = 4, GFX_STREAM_DECLS = 128 };
/* Stream output: what is written of vertices, and where. */
struct gfx_stream_state {
    uint32_t buffers[GFX_STREAMS]; /* of a stream, a bit each */
    uint32_t count[GFX_STREAMS];   /* declarations */
    uint16_t decl[GFX_STREAMS][GFX_STREAM_DECLS];
    struct gfx_stream_buffer {
        uint64_t va, bytes, kept; /* kept: where the offset is, between draws.. */
        bool on, keeps;           /* ..if it is */
    } buffer[GFX_STREAMS];
};

/* State of a hardware context: packets as they came, by sub-opcode. gfx_state.c saves
 * all of it. */
struct gfx_context {
    uint32_t id;
    uint32_t state[256][GFX_PACKET_DWORDS]; /* by gfx_kept() */
    uint32_t rectangle[4];                  /* 3DSTATE_DRAWING_RECTANGLE */
    struct gfx_vertex_buffer {
        uint64_t va, bytes;
        uint32_t pitch;
    } buffer[GFX_VERTEX_BUFFERS];
    uint32_t element[GFX_ELEMENTS][2], elements;
    struct {
        bool on;
        uint32_t rate;
    } instancing[GFX_ELEMENTS];
    struct gfx_stream_state stream;
    uint64_t surface_base, dynamic_base, indirect_base;
    uint64_t instruction_base, bindless_base;
    uint32_t pattern[8]; /* 3DSTATE_SAMPLE_PATTERN */
    uint32_t polygon_stipple[32], polygon_stipple_offset[2]; /* x, y */
    uint32_t line_stipple, line_stipple_repeat;
    uint64_t curbe, descriptors; /* of compute shaders: constants, descriptors */
    uint32_t scratch_size;       /* and a thread's scratch space, 1 KB << this */
};

/* WM_EARLY_CONTROL: when tests are to be made; 0: where the pixel shader's needs put
 * them. */
enum { GFX_AFTER_PS = 1, GFX_BEFORE_PS };

/* A shader that was met, and its bytes: memory may hold another one there later. */
struct gfx_shader {
    uint64_t va;
    uint8_t *text;
    size_t bytes;
    uint32_t simd;
    uint64_t buffers[EMU_SHADER_BINDING_WORDS]; /* entries that it uses as such */
    struct emu_shader *shader;
};

/* A vertex behind the vertex shader: 16-byte slots. 0 header, 1 position. */
struct gfx_vertex {
    float slot[GFX_SLOTS][4];
    bool no_edge; /* the polygon's edge from it on is not drawn */
};

enum gfx_kind { GFX_TRIANGLE, GFX_RECTANGLE, GFX_LINE, GFX_POINT };

/* A primitive: a line has its first vertex a second time, a point's are all one. */
struct gfx_triangle {
    const struct gfx_vertex *v[3];
    const struct gfx_vertex *provoking;
    enum gfx_kind kind;
    uint32_t hidden; /* bit i: the edge from v[i] on is none of the polygon's */
    uint32_t id;     /* of the primitive in the draw's instance */
    /* Of a polygon's edge or corner that is drawn in its place: */
    bool back;     /* the polygon faces away */
    double offset; /* its depth's */
};

/* An edge: a * x + b * y + c in 1/256 pixel, inside where positive; bias -1 where the
 * line itself does not belong to the triangle. */
struct gfx_edge {
    int64_t a, b, c, bias;
};

/* A primitive on the screen. */
struct gfx_setup {
    const struct gfx_triangle *t;
    double x[3], y[3], z[3], inv_w[3];
    double area;  /* twice; the sign is the winding's */
    double width; /* of a line or point: pixels */
    bool front, smooth;
    bool conservative;      /* each pixel that the triangle touches is covered, .. */
    bool thin;              /* ..and it has no area */
    bool stippled;          /* some pixels are left out; of a line, .. */
    int32_t first;          /* ..its first column or row, and how many.. */
    uint32_t pixels_before; /* ..pixels were drawn of its strip before it */
    int32_t min_x, min_y, max_x, max_y; /* pixels, max not included */
};

/* Blocks of 2x2 pixels that wait for a thread: pixel i of block b is bit 4b + i;
 * i: upper left, upper right, lower left, lower right. */
enum { GFX_BLOCKS = 8 };
struct gfx_group {
    uint32_t count;
    int32_t x[GFX_BLOCKS], y[GFX_BLOCKS];
    uint32_t mask;
    double z[GFX_BLOCKS * 4], b1[GFX_BLOCKS * 4], b2[GFX_BLOCKS * 4];
    double w[GFX_BLOCKS * 4];    /* 1 / w, interpolated */
    bool smooth;                 /* a smooth line or point, which covers.. */
    double part[GFX_BLOCKS * 4]; /* ..this much of the pixel */
};

/* Of a place on the screen: its depth, what two vertices weigh, and 1 / w. */
struct gfx_point {
    double z, b1, b2, w;
};
struct gfx_places {
    double b1[GFX_BLOCKS * 4], b2[GFX_BLOCKS * 4], w[GFX_BLOCKS * 4];
};

enum { GFX_SAMPLES = 16 };
/* Several samples a pixel; the rest counts where `count` is more than 1. */
struct gfx_multisample {
    uint32_t count, all;    /* all: those that the state's mask lets through */
    bool spread, each;      /* they lie apart; the pixel shader runs for each */
    uint32_t sample;        /* that is tested */
    uint8_t x[GFX_SAMPLES]; /* places: 1/16 pixel */
    uint8_t y[GFX_SAMPLES];
    /* Of the group that waits for a thread, by pixel: */
    uint32_t covered[GFX_BLOCKS * 4];
    double z[GFX_SAMPLES][GFX_BLOCKS * 4];
    struct gfx_places centroid, at_sample;
    uint8_t slot[GFX_BLOCKS]; /* the block's sample, where each has a run */
};

/* What a draw needs of its state, found once. */
struct gfx_draw {
    /* Of the stage that runs. */
    struct gfx_surface binding[GFX_MAX_BINDINGS];
    uint64_t known[EMU_SHADER_BINDING_WORDS]; /* bindings that were looked up */
    uint64_t table, samplers;
    /* Surfaces that no table has, by their numbers' low bits. */
    struct gfx_surface bindless[GFX_BINDLESS];
    uint32_t bindless_number[GFX_BINDLESS];
    uint64_t bindless_known;
    struct gfx_shader *ps[3]; /* SIMD8, 16, 32 */
    uint8_t constants[4096];
    uint32_t constant_bytes;
    struct gfx_surface depth, stencil; /* level and layer: those that are drawn to */
    bool depth_on, stencil_on, late;
    enum gfx_decision decision; /* of the note on the block that is tested */
    bool rejected; /* tests are late, but that block fails before the shader */
    struct gfx_multisample ms;
    const uint8_t *references; /* stencil's, of each pixel; NULL: the state's */
    int32_t clip[4];       /* x0 y0 x1 y1 of scissor, viewport and drawing rectangle */
    bool upward;           /* the viewport has its first row at the bottom */
    uint32_t first_vertex; /* to which vertices' numbers are added */
    uint32_t viewport, layer; /* of the primitive that is drawn */
    bool edge_flags;          /* vertices say which edges of polygons are drawn */
    uint32_t stipple_pixels;  /* drawn of the strip of lines or polygon.. */
    uint32_t stipple_polygon; /* ..of this number */
    uint8_t grf[EMU_SHADER_GRF_BYTES];
    const struct gfx_group *group;
    const struct gfx_setup *setup; /* of the group */
    bool in_pixels; /* a pixel shader runs: its lanes are blocks of 2x2 */
    bool front;
    uint32_t width;   /* SIMD of the thread that runs */
    uint32_t payload; /* bytes of registers filled for it */
    uint32_t tested;  /* pixels of the group that late tests were made for.. */
    uint32_t passed;  /* ..and which passed */
};

enum { GFX_GS_LANES = 8, GFX_GS_VERTICES = 6, GFX_GS_ENTRY_BYTES = 1 << 15 };
/* Primitives that wait for a thread of the geometry shader. */
struct gfx_waiting {
    const struct gfx_vertex *vertex[GFX_GS_LANES][GFX_GS_VERTICES];
    uint32_t count, vertices; /* primitives, and vertices of each */
    uint32_t first;           /* number of the first one in the draw's instance */
    bool emits;      /* what is assembled comes from the geometry shader, and.. */
    uint32_t stream; /* ..belongs to this stream */
    uint8_t *entry;  /* of each lane; malloc'ed */
};

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
    uint32_t count;
    uint32_t pixels_read;      /* by a message that reads a target */
    const struct gfx_run *run; /* the thread that runs */
    /* Of tests, until a thread, a message or a draw is told of them: */
    struct gfx_depth_page *page; /* in the order in which they were touched first */
    struct gfx_depth_slot *slot; /* twice as many as pages have room */
    uint32_t pages, page_cap, stamp;
    struct gfx_depth_page *ahead; /* of a late draw's thread: before it runs */
    uint32_t aheads, ahead_cap;
};

struct gfx {
    struct emu_mem *mem;
    struct gfx_memory memory; /* who is asked and told; gfx_memory.c */
    uint64_t *mapped;         /* addresses of what is mapped */
    uint32_t mapped_count, mapped_cap;
    struct gfx_page page[GFX_PAGES];
    struct emu_shader_machine *machine;
    uint8_t *scratch; /* space of the thread or group that runs; malloc'ed */
    uint32_t scratch_bytes;
    uint32_t hw_threads;
    struct gfx_context **context, *c; /* each by itself; of the batch */
    uint32_t contexts;
    struct gfx_shader **shader; /* each by itself: draws keep pointers to them */
    uint32_t shaders, shader_cap;
    struct {
        uint32_t offset, value;
    } reg[GFX_REGISTERS];
    uint32_t registers;
    uint64_t statistic[GFX_STATISTICS];  /* registers that count draws */
    uint64_t streamed[GFX_STREAMS];      /* primitives that were written, .. */
    uint64_t stream_needed[GFX_STREAMS]; /* ..and those that were to be */
    uint64_t time;                       /* of TIMESTAMP: looks, and work, or.. */
    struct {
        uint64_t (*now)(void *ctx);
        void *ctx;
    } clock;                              /* ..what this says */
    struct gfx_counters counters, before; /* before: behind the last draw */
    gfx_on_draw *on_draw;
    void *on_draw_ctx;
    struct gfx_overdraw overdraw[GFX_OVERDRAWS], *drawn_over;
    const uint64_t *draw_cycles; /* of each draw, to be laid; NULL: not asked for */
    uint32_t draw_cycles_count, draw_number;
    struct {
        uint64_t number;
        uint32_t stamp;
    } line[GFX_LINES]; /* that a sampler message touched; gfx_count_line() */
    uint32_t stamp;
    float srgb[256]; /* of a byte, made linear; gfx_flat.c */
    struct gfx_watch watch;
    bool apart; /* what is drawn next begins with an empty pipeline */
    struct gfx_touched touched;
    struct gfx_hiz hiz;
    struct gfx_draw d;
    struct gfx_waiting gs;
    struct {
        bool on;     /* what is assembled is a patch's.. */
        uint32_t id; /* ..and this is its number in the draw's instance */
    } tess;
    uint32_t primitive;       /* that is assembled next: its number in the instance */
    struct gfx_surface shown; /* target of the last draw with a vertex shader */
    bool has_shown, drawn;    /* ever, in the last batch */
    uint64_t work, most_work; /* of the batch, and what is allowed */
    uint64_t at;              /* address of the command that is executed */
    uint32_t head;            /* its first dword */
    struct igpu_err *err;
};

/* ---- gfx.c: memory, state, errors --------------------------------------- */

/* "PACKET at ADDRESS: reason" into the batch's error; IGPU_SIM_ERROR. */
enum igpu_status gfx_refuse(struct gfx *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A look at TIMESTAMP. */
uint64_t gfx_look(struct gfx *g);
/* So much work more; a refusal where it is too much. Threads from now on have what is
 * left. */
enum igpu_status gfx_spend(struct gfx *g, uint64_t work);
static inline uint32_t gfx_get(const struct gfx *g, enum gfx_field field);
float gfx_get_float(const struct gfx *g, enum gfx_field field);
uint64_t gfx_get_address(const struct gfx *g, enum gfx_field field);
/* Where bytes at va are, NULL: outside of the batch's buffers. gfx_host() asks only for
 * a page that it has not met. */
uint8_t *gfx_find_host(struct gfx *g, uint64_t va, uint32_t bytes);
static inline uint8_t *gfx_host(struct gfx *g, uint64_t va, uint32_t bytes)
{
    const struct gfx_page *p = &g->page[va / GFX_PAGE_BYTES % GFX_PAGES];
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
    if (g->memory.write != NULL)
        g->memory.write(g->memory.ctx, va, bytes, host);
}
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
 * counted on; NULL: memory is short. */
uint32_t *gfx_count_pixels(struct gfx *g, const struct gfx_surface *s);
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

/* gfx_commands.c: one more, without state. NULL: memory is short. */
struct gfx_context *gfx_add_context(struct gfx *g);

/* gfx_registers.c: those that commands know by number; commands of n dwords. */
uint32_t gfx_read_register(struct gfx *g, uint32_t offset);
enum igpu_status gfx_predicate(struct gfx *g, const uint32_t *p);
enum igpu_status gfx_math(struct gfx *g, const uint32_t *p, uint32_t n);

/* gfx_draw.c, gfx_vertex.c, gfx_clip.c, gfx_raster.c, gfx_pixel.c */
enum igpu_status gfx_draw(struct gfx *g, const uint32_t *packet);
/* What may be drawn to with viewport g->d.viewport. */
enum igpu_status gfx_find_clip(struct gfx *g);
/* Vertices `index[count]`, at most 8, of an instance through fetch and shader. */
enum igpu_status gfx_vertices(struct gfx *g, const uint32_t *index, uint32_t count,
                              uint32_t instance, uint32_t first_instance,
                              struct gfx_vertex *out);
enum igpu_status gfx_clip(struct gfx *g, const struct gfx_triangle *t);
enum igpu_status gfx_rasterize(struct gfx *g, const struct gfx_triangle *t);
void gfx_make_edges(const struct gfx_setup *s, struct gfx_edge e[3]);
enum igpu_status gfx_shade(struct gfx *g, const struct gfx_setup *s,
                           struct gfx_group *group);
/* gfx_line.c: the width of t's line or point, and how much of the pixel at x, y it
 * covers: 0, 1, or between where it is smooth. weight: of its vertices there. */
double gfx_width(const struct gfx *g, const struct gfx_triangle *t);
bool gfx_is_smooth(const struct gfx *g, const struct gfx_triangle *t);
double gfx_covers(const struct gfx_setup *s, double cx, double cy, double weight[3]);
/* Of any place on the screen, and whole: lines are rectangles, as of several samples.
 */
bool gfx_covers_wide(const struct gfx_setup *s, double x, double y, double weight[3]);
/* The column, or of a steep line the row, of its first pixel; how many pixels it has
 * along itself. */
uint32_t gfx_line_pixels(const struct gfx_setup *s, int32_t *first);
/* gfx_stipple.c: whether s is stippled, and a line where in its pattern. Is the pixel
 * drawn? Of a line that is a rectangle, is the place, by what its second vertex weighs;
 * how much of a pixel's length around that, at most 1? */
void gfx_find_stipple(struct gfx *g, struct gfx_setup *s);
bool gfx_stipple(const struct gfx *g, const struct gfx_setup *s, int32_t x, int32_t y);
bool gfx_stipple_place(const struct gfx *g, const struct gfx_setup *s, double along);
double gfx_stipple_part(const struct gfx *g, const struct gfx_setup *s, double along);
/* What depth offset adds to a triangle's depth. */
double gfx_depth_offset(const struct gfx *g, const struct gfx_setup *s);
/* gfx_assemble.c: primitives of n vertices of the draw's topology, or of one that a
 * stage in front of it made; of `size` vertices each, by n numbers of them. */
enum igpu_status gfx_assemble(struct gfx *g, const struct gfx_vertex *v, uint32_t n);
typedef enum igpu_status gfx_assembler(struct gfx *g, uint32_t topology,
                                       const struct gfx_vertex *v, uint32_t n);
typedef enum igpu_status gfx_patch_assembler(struct gfx *g, uint32_t size,
                                             const struct gfx_vertex *v,
                                             const uint16_t *index, uint32_t n);
/* gfx_tess.c: patches of n vertices, some corners each; each is assembled at once. */
enum igpu_status gfx_patches(struct gfx *g, uint32_t corners,
                             const struct gfx_vertex *v, uint32_t n,
                             gfx_patch_assembler *assemble);
/* gfx_stream.c: state packets of n dwords; registers that count; a primitive of n
 * vertices to the buffers of its stream; behind each draw. */
void gfx_stream_declare(struct gfx *g, const uint32_t *p, uint32_t n);
enum igpu_status gfx_stream_buffer(struct gfx *g, const uint32_t *p);
bool gfx_stream_counts(const struct gfx *g, uint32_t offset, uint64_t *value);
enum igpu_status gfx_stream_out(struct gfx *g, const struct gfx_vertex *const *v,
                                uint32_t n);
enum igpu_status gfx_stream_end(struct gfx *g);
/* gfx_geometry.c: a primitive of n vertices for the geometry shader, which stay until
 * the flush that runs it for all that wait. */
enum igpu_status gfx_geometry(struct gfx *g, const struct gfx_vertex *const *v,
                              uint32_t n, gfx_assembler *assemble);
enum igpu_status gfx_geometry_flush(struct gfx *g, gfx_assembler *assemble);
/* gfx_binding.c: from here on the bindings are those of this stage, which is none of
 * compute. An entry of its table; NULL after a refusal. */
void gfx_bind_stage(struct gfx *g, enum gfx_stage stage);
/* No binding is known any more. */
void gfx_forget_bindings(struct gfx *g);
const struct gfx_surface *gfx_binding(struct gfx *g, uint32_t index);
/* The surface of a message, in the table or not; as above, until the next one. */
const struct gfx_surface *gfx_surface_of(struct gfx *g, const struct isa_message *m);
/* The stage's buffers that a shader reaches through the data port; entry `index` of
 * struct gfx *ctx, as an emu_shader_binder. */
enum igpu_status gfx_bind_buffer(void *ctx, uint32_t index);
enum igpu_status gfx_bind_buffers(struct gfx *g, const struct gfx_shader *s);
/* gfx_conservative.c: whether s is rasterized so; then which of the block's pixels it
 * touches, and which lie in it as a whole. */
bool gfx_is_conservative(const struct gfx *g, const struct gfx_triangle *t);
uint32_t gfx_touches(const struct gfx_setup *s, const struct gfx_edge e[3], int32_t x,
                     int32_t y);
uint32_t gfx_encloses(const struct gfx_setup *s, int32_t x, int32_t y);
/* gfx_multisample.c: instead of the rasterizer's blocks; late tests of the group's
 * pixels, which lose samples: those left that have any. own: depths of pixels that the
 * shader computed, or NULL. */
void gfx_find_samples(struct gfx *g);
enum igpu_status gfx_multisample_blocks(struct gfx *g, const struct gfx_setup *s,
                                        const struct gfx_edge e[3]);
uint32_t gfx_multisample_late(struct gfx *g, uint32_t pixels, const double *own,
                              enum igpu_status *status);
/* gfx_interpolate.c: a message to the pixel interpolator. */
enum igpu_status gfx_interpolate(struct gfx *g, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask);
/* gfx_target_read.c */
enum igpu_status gfx_target_read(struct gfx *g, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask);
/* gfx_depth.c: the pixels of mask that pass depth and stencil; buffers are written. */
uint32_t gfx_depth_stencil(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                           const double *z, bool front, enum igpu_status *status);
/* Before the shader of a draw whose tests are late: those of mask that are left, which
 * are all unless d.rejected, and else those whose depth does not fail all the same.
 * Nothing is written. */
uint32_t gfx_depth_reject(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                          const double *z, enum igpu_status *status);
/* As the buffer holds it. */
void gfx_store_depth(const struct gfx_surface *s, double z, uint8_t *at);
float gfx_depth_value(const struct gfx_surface *s, double z);
/* Depths of pixels become such as the draw's buffer would hold. */
enum igpu_status gfx_depth_range(struct gfx *g, double z[2]);
/* Nothing is written to stencil where a pixel fails. */
bool gfx_stencil_keeps(const struct gfx *g);
/* Does the draw's buffer have in this block what the note says? */
bool gfx_depth_is_within(struct gfx *g, const struct gfx_notes *n, uint32_t x,
                         uint32_t y, const struct gfx_note *note);
/* All lines of the block of s are written. False, as below: memory is short. */
bool gfx_touch_depth_block(struct gfx *g, const struct gfx_surface *s,
                           const struct gfx_notes *n, uint32_t x, uint32_t y);
/* The block's pixels; x, y, in pixels, of the first one, x1, y1 behind the last. */
struct gfx_note_pixels {
    uint32_t x, y, x1, y1;
};
struct gfx_note_pixels gfx_note_pixels(const struct gfx_notes *n, uint32_t x,
                                       uint32_t y);
/* Of a pixel of one sample, or one of its samples. */
uint64_t gfx_note_va(const struct gfx_surface *s, const struct gfx_level *level,
                     uint32_t log2, uint32_t sample, uint32_t x, uint32_t y);
/* gfx_notes.c, gfx_hiz.c: the notes on a layer of a depth buffer, made if there are
 * none; NULL: none can be. Behind what finds a draw's state; before a primitive's
 * pixels, and behind them. */
struct gfx_notes *gfx_hiz_find(struct gfx *g, const struct gfx_surface *s,
                               uint32_t layer, uint32_t samples_log2);
void gfx_hiz_draw(struct gfx *g);
void gfx_hiz_primitive(struct gfx *g, const struct gfx_setup *s);
enum igpu_status gfx_hiz_finish(struct gfx *g);
/* What the block's note says of the primitive's pixel x, y, into d.decision; rows of
 * blocks come one after the other. Of a draw whose tests are late: into d.rejected. */
enum igpu_status gfx_hiz_test(struct gfx *g, const struct gfx_setup *s,
                              const struct gfx_edge e[3], int32_t x, int32_t y);
/* Are the depths around pixel x, y those of a clear alone? */
bool gfx_hiz_is_clear(const struct gfx *g, uint32_t x, uint32_t y);
/* Depth v was written there. */
bool gfx_hiz_written(struct gfx *g, uint32_t x, uint32_t y, float v);
/* The note's line is read, and perhaps written. */
bool gfx_hiz_touch(struct gfx *g, const struct gfx_notes *n, uint32_t x, uint32_t y,
                   bool written);
/* A clear, a resolve of depth (or of the notes) of pixels from at[0], at[1] to before
 * at[2], at[3]. */
void gfx_hiz_cleared(struct gfx *g, const struct gfx_surface *s, const uint32_t at[4],
                     bool all_samples, float v);
enum igpu_status gfx_hiz_resolve(struct gfx *g, const struct gfx_surface *s,
                                 const uint32_t at[4], bool depth);
void gfx_hiz_free(struct gfx *g);
/* gfx_draw.c: the buffers of the state's packets. */
enum igpu_status gfx_find_depth_buffer(struct gfx *g, struct gfx_surface *s);
void gfx_find_stencil_buffer(const struct gfx *g, struct gfx_surface *s);
/* gfx_clear.c: 3DSTATE_WM_HZ_OP as it is set; what pixel x, y of a fast clear's
 * rectangle stands for. */
enum igpu_status gfx_hz_operation(struct gfx *g);
enum igpu_status gfx_fast_clear(struct gfx *g, const struct gfx_surface *s, uint32_t x,
                                uint32_t y);
/* gfx_target.c, gfx_sampler.c: messages. */
enum igpu_status gfx_target_write(struct gfx *g, const struct isa_inst *inst,
                                  const uint8_t *grf, uint32_t mask);
enum igpu_status gfx_sample(struct gfx *g, const struct isa_inst *inst, uint8_t *grf,
                            uint32_t mask);

/* gfx_compute.c: GPGPU_WALKER */
enum igpu_status gfx_compute(struct gfx *g, const uint32_t *packet);
/* gfx_image.c: typed messages, whose lanes are the lowest eight of mask. */
bool gfx_is_image_message(const struct isa_inst *inst);
enum igpu_status gfx_media_message(struct gfx *g, const struct isa_inst *inst,
                                   uint8_t *grf);
enum igpu_status gfx_image_message(struct gfx *g, const struct isa_inst *inst,
                                   uint8_t *grf, uint32_t mask);

/* What the vertices' weights e make at a place. */
static inline struct gfx_point gfx_weigh(const struct gfx_setup *s, const double e[3])
{
    double w = e[0] * s->inv_w[0] + e[1] * s->inv_w[1] + e[2] * s->inv_w[2];

    if (s->t->kind == GFX_POINT) /* from the upper left corner, for sprites */
        return (struct gfx_point){s->z[0], e[1], e[2], s->inv_w[0]};
    /* So that where the three agree all of the triangle does. */
    return (struct gfx_point){s->z[0] + e[1] * (s->z[1] - s->z[0]) +
                                  e[2] * (s->z[2] - s->z[0]),
                              e[1] * s->inv_w[1] / w, e[2] * s->inv_w[2] / w, w};
}

/* Blocks of 2x2 pixels in each of its rows of them. */
static inline uint32_t gfx_row_blocks(const struct gfx_setup *s)
{
    return (uint32_t)(s->max_x - (s->min_x & ~1) + 1) / 2;
}

/* Blocks that a thread of the pixel shader takes. */
static inline uint32_t gfx_group_room(const struct gfx *g)
{
    return g->d.ps[2] != NULL && g->d.ps[1] == NULL ? 8 : g->d.ps[1] != NULL ? 4 : 2;
}

enum { GFX_PAYLOAD_BYTES = 32 * (15 + 15) };
/* A message's payload, source 0 and then source 1, in one piece; the rest of `to` is
 * zeros. Returns how many registers. */
static inline uint32_t gfx_payload(const struct isa_inst *inst, const uint8_t *grf,
                                   uint8_t to[GFX_PAYLOAD_BYTES])
{
    const uint32_t part[2] = {inst->msg.mlen, inst->msg.ext_mlen};
    uint32_t n = 0;

    memset(to, 0, GFX_PAYLOAD_BYTES);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < part[k] && i < 15; i++, n++)
            if (inst->src[k].reg + i < ISA_GRF_COUNT)
                memcpy(to + n * ISA_GRF_BYTES,
                       grf + (inst->src[k].reg + i) * ISA_GRF_BYTES, ISA_GRF_BYTES);
    return n;
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

static inline float gfx_float(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

#endif
