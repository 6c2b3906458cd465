/* gfx_context.h - the state of the hardware: its contexts and registers. */
#ifndef GFX_CONTEXT_H
#define GFX_CONTEXT_H
#include <stdbool.h>
#include <stdint.h>

#include "gfx_packet.h"
#include "igpu/emu_shader.h"

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
    GFX_SAMPLERS = 16, /* states that a stage keeps at a time */
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
    uint64_t curbe, descriptors;        /* of compute shaders: constants, descriptors */
    uint32_t scratch_size;              /* and a thread's scratch space, 1 KB << this */
    uint64_t statistic[GFX_STATISTICS]; /* registers that count draws */
    uint64_t streamed[GFX_STREAMS];     /* primitives that were written, .. */
    uint64_t stream_needed[GFX_STREAMS]; /* ..and those that were to be */
};

/* What the hardware has beside its contexts' state. */
struct gfx_hardware {
    struct gfx_context **context; /* each by itself */
    uint32_t contexts;
    struct {
        uint32_t offset, value;
    } reg[GFX_REGISTERS];
    uint32_t registers;
    uint64_t time; /* of TIMESTAMP: looks, and work, or.. */
    struct {
        uint64_t (*now)(void *ctx);
        void *ctx;
    } clock;          /* ..what this says */
    uint32_t threads; /* that there are at a time */
};
#endif
