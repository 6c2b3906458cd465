/* gfx_draw.h - primitives on their way, and what a draw needs of its state. */
#ifndef GFX_DRAW_H
#define GFX_DRAW_H
#include "gfx_context.h"
#include "gfx_hiz.h"
#include "gfx_surface.h"
#include "igpu/emu_shader.h"

/* WM_EARLY_CONTROL: when tests are to be made; 0: where the pixel shader's needs put
 * them. */
enum { GFX_AFTER_PS = 1, GFX_BEFORE_PS };

/* A shader that was met, and its bytes: memory may hold another one there later. */
struct gfx_shader {
    uint64_t va;
    size_t bytes;
    uint32_t simd, slots; /* slots: of a vertex, up to the last that it may write */
    bool has_buffers;
    uint64_t buffers[EMU_SHADER_BINDING_WORDS]; /* entries that it uses as such */
    struct emu_shader_reach reach;
    struct emu_shader *shader;
};

/* A vertex behind the vertex shader: 16-byte slots. 0 header, 1 position. In front of
 * them, where the lines of memory are that are read: */
struct gfx_vertex {
    bool no_edge; /* the polygon's edge from it on is not drawn */
    _Alignas(16) float slot[GFX_SLOTS][4];
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
    int64_t most; /* what the bias and the pixels of a block add to its first one's */
};

/* A primitive on the screen. */
struct gfx_setup {
    const struct gfx_triangle *t;
    uint64_t number; /* of those rasterized, from 1 */
    double x[3], y[3], z[3], inv_w[3];
    double area;  /* twice; the sign is the winding's */
    double width; /* of a line or point: pixels */
    bool front, smooth;
    bool conservative;      /* each pixel that the triangle touches is covered, .. */
    bool thin;              /* ..and it has no area */
    bool simple;            /* blocks are gfx_cover.c's */
    bool later;             /* what shaders need of pixels is found by who shades */
    bool stippled;          /* some pixels are left out; of a line, .. */
    int32_t first;          /* ..its first column or row, and how many.. */
    uint32_t pixels_before; /* ..pixels were drawn of its strip before it */
    int32_t min_x, min_y, max_x, max_y; /* pixels, max not included */
};

/* What gfx_cover.c makes a primitive's pixels with, each number four times; edges as
 * functions of a block's place: sums of whole numbers of 50 bits, exact in any order.
 */
struct gfx_planes {
    struct gfx_slope {
        double a[4], b[4], pixels[4], blocks[4], bias[4];
    } edge[3];
    double area[4], inverse[4], z[3][4], w[3][4]; /* inverse: 1 / area */
};

/* Blocks of 2x2 pixels that wait for a thread: pixel i of block b is bit 4b + i;
 * i: upper left, upper right, lower left, lower right. */
enum { GFX_BLOCKS = 8 };
struct gfx_group {
    uint32_t count;
    int32_t x[GFX_BLOCKS], y[GFX_BLOCKS];
    uint32_t mask;
    double z[GFX_BLOCKS * 4], b1[GFX_BLOCKS * 4], b2[GFX_BLOCKS * 4];
    double w[GFX_BLOCKS * 4]; /* 1 / w, interpolated */
    const float *placed[2]; /* instead of these four: b1 and b2 of 16 pixels, as threads
                               get them; NULL: they are there */
    bool smooth;            /* a smooth line or point, which covers.. */
    double part[GFX_BLOCKS * 4]; /* ..this much of the pixel */
};

/* Blocks of a primitive that tests left, for threads that have at most FRONT each; b:
 * b1 and b2 of their pixels, as these get them. The first has the number FRONT, and
 * behind the last, of `room`, there is room for as many. */
enum { GFX_FRONT = 4 };
struct gfx_left {
    uint32_t count, room;
    int32_t *x, *y; /* malloc'ed, and what follows */
    uint8_t *mask;
    float *b[2];
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

/* Of stencil: a side's functions and operations, masks and reference. */
struct gfx_stencil {
    uint32_t function, fail, depth_fail, pass, test_mask, write_mask, reference;
};

/* Tests of depth and stencil; gfx_depth.c. */
struct gfx_tests {
    bool known, front; /* front: for those primitives, of these: */
    uint32_t layer, viewport;
    struct gfx_level depth_level, stencil_level;
    uint32_t function; /* of depth */
    bool depth_test, depth_write, stencil_write;
    struct gfx_stencil s;
    float low, high;                     /* of depth */
    bool blocks;                         /* it is tested a block at a time, where.. */
    uint8_t *host;                       /* ..the buffer begins, which lies in one.. */
    uint32_t width, height;              /* ..piece, of so many pixels, whole blocks */
    bool depth_read, stencil_read;       /* what is there matters */
    bool depth_written, stencil_written; /* by the last pixel */
    double value;                        /* of its depth, as the buffer has it */
};

/* Messages of an instruction whose colours go from registers to memory at once;
 * gfx_store.c. */
struct gfx_store {
    const struct isa_inst *inst; /* NULL: none are known */
    uint32_t first, lanes;       /* of the group's pixels */
    uint32_t colour[4];          /* bytes of the registers from which on they are */
};

/* The target that was written last, and how; gfx_target.c. */
struct gfx_target {
    bool known;
    uint32_t binding, number, layer; /* of this one */
    uint32_t blend[3];               /* BLEND_STATE's head, and the target's entry */
    uint32_t off;                    /* channels that stay */
    bool blends, reads;              /* reads: what was there before matters */
    bool second;                     /* a second source is blended */
    bool plain; /* nothing but colours of four bytes, stored as they come or blended */
    float constant[4];
    struct gfx_level level;
    uint32_t width, height;    /* of the level */
    uint32_t row;              /* plain: bytes from a block's first row to its second */
    uint32_t *drawn_over;      /* how often each of its pixels; may be NULL */
    struct gfx_store store[2]; /* of 8 lanes, of 16; where one has an instruction: */
    uint8_t *host;             /* all of the surface lies side by side, so.. */
    uint8_t tiling;
    uint32_t pitch;
    const struct tex_format *format;
};

/* SAMPLER_STATE; gfx_sampler.c. */
struct gfx_sampler {
    uint32_t min_filter, mag_filter, mip, compare;
    uint32_t reduction; /* enum gfx_reduction: of the texels that a filter reads */
    uint32_t wrap[3];
    float bias, min_lod, max_lod;
    float most_probes;           /* of an anisotropic filter */
    bool unnormalized, seamless; /* of cubes: filters go on behind a face's edge */
    uint64_t border;
};

enum { GFX_PLAINS = 16, GFX_PLAIN_LEVELS = 16 };
/* A texture of two dimensions with 8 bits a channel, and a sampler; gfx_plain.c. */
struct gfx_plain {
    uint64_t sampler, binding; /* sampler: 1 more than its address; 0: none */
    bool on;                   /* else messages are not for gfx_bytes.c */
    bool texels, powers[2];    /* coordinates are texels; all widths, heights are powers
                                  of two */
    const uint8_t *host;       /* all of it lies side by side */
    double first[2];           /* from u and v to texels of the first level */
    /* By level; from u and v to 256ths of texels, last columns and rows, and where the
     * level's first ones lie. */
    float scale[2][GFX_PLAIN_LEVELS];
    uint32_t last[2][GFX_PLAIN_LEVELS], corner[2][GFX_PLAIN_LEVELS];
};

enum { GFX_SAMPLINGS = 16 };
/* Messages of a pixel shader's instruction to the sampler, one of which gfx_bytes.c has
 * answered; gfx_sampler.c. */
struct gfx_sampling {
    const struct isa_inst *inst; /* NULL: none is known */
    uint64_t state;              /* of `plain` and `sampler`, by which they are known */
    uint16_t plain, binding, sampler;
    uint16_t from[3], to; /* bytes of registers: u, v, level; answers */
    uint16_t count;       /* the counter of its type, bytes of all */
    uint8_t lanes, channels;
    bool level, blocks, sign; /* level: there is one */
};

/* What a pixel shader's threads begin with; gfx_pixel.c. */
struct gfx_payload {
    bool plain; /* barycentrics of pixels, with perspective, and nothing else; AVX2 */
    bool vector_mask;  /* lanes are whole blocks */
    uint32_t start[3]; /* of constants, in bytes, by SIMD8, 16, 32 */
    uint32_t attributes;
};

/* Registers with which the next thread begins, of pixel shaders by SIMD8, 16, 32, and
 * of vertex shaders. */
enum { GFX_IMAGE_VERTEX = 3, GFX_IMAGES };
struct gfx_registers {
    uint8_t grf[EMU_SHADER_GRF_BYTES];
    uint32_t filled; /* of it; the rest is zeros */
    uint32_t bytes;  /* the payload's, while `kept` */
    uint64_t kept;   /* the primitive whose attributes it has; 0: none's */
};

/* What a draw needs of its state, found once. */
struct gfx_draw {
    /* Of the stage that runs. In front, and bindless behind the others: gfx_pool.c. */
    struct gfx_surface binding[GFX_MAX_BINDINGS];
    uint64_t known[EMU_SHADER_BINDING_WORDS]; /* bindings that were looked up */
    uint64_t table, samplers;
    struct gfx_sampler sampler[GFX_SAMPLERS]; /* by their addresses' low bits */
    uint64_t sampler_at[GFX_SAMPLERS];        /* 1 more than each's; 0: none */
    struct gfx_plain plain[GFX_PLAINS];
    struct gfx_sampling sampling[GFX_SAMPLINGS]; /* by their instructions' addresses */
    /* Surfaces that no table has, by their numbers' low bits. */
    struct gfx_surface bindless[GFX_BINDLESS];
    uint32_t bindless_number[GFX_BINDLESS];
    uint64_t bindless_known;
    struct gfx_shader *ps[3]; /* SIMD8, 16, 32 */
    uint8_t constants[4096];
    uint32_t constant_bytes, vs_constant_bytes;
    struct gfx_surface depth, stencil; /* level and layer: those that are drawn to */
    bool depth_on, stencil_on, late;
    struct gfx_tests tests; /* those made last */
    struct gfx_target target;
    uint32_t passes, fails; /* of the pixels that are tested, by the notes on blocks */
    bool rejected;          /* tests are late, but the block fails before the shader */
    struct gfx_multisample ms;
    const uint8_t *references; /* stencil's, of each pixel; NULL: the state's */
    int32_t clip[4];       /* x0 y0 x1 y1 of scissor, viewport and drawing rectangle */
    bool upward;           /* the viewport has its first row at the bottom */
    uint32_t first_vertex; /* to which vertices' numbers are added */
    uint32_t viewport, layer; /* of the primitive that is drawn */
    bool edge_flags;          /* vertices say which edges of polygons are drawn */
    uint32_t slots;           /* of the draw's vertices, that may be other than zeros */
    uint32_t stipple_pixels;  /* drawn of the strip of lines or polygon.. */
    uint32_t stipple_polygon; /* ..of this number */
    struct gfx_payload pixel;
    struct gfx_registers registers[GFX_IMAGES];
    struct gfx_group blocks; /* of the primitive, that wait for a thread */
    struct gfx_edge edge[3]; /* gfx_place(): of the primitive.. */
    struct gfx_planes planes;
    uint64_t placed; /* ..of this number; 0: of none */
    const struct gfx_group *group;
    const struct gfx_setup *setup; /* of the group */
    bool in_pixels; /* a pixel shader runs: its lanes are blocks of 2x2 */
    bool front;
    uint32_t width;     /* SIMD of the thread that runs */
    uint32_t payload;   /* bytes of registers filled for it, .. */
    uint32_t invariant; /* ..from where on a pixel shader's are the primitive's */
    uint32_t tested;    /* pixels of the group that late tests were made for.. */
    uint32_t passed;    /* ..and which passed */
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
#endif
