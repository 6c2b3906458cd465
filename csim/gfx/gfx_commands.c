/* gfx_commands.c - the command streamer: batches, state packets, memory commands. */
#include "gfx_int.h"

#include <inttypes.h>

enum { MAX_COMMANDS = 1 << 20, MAX_DWORDS = 514, MAX_DEPTH = 3 };
static uint64_t address(const uint32_t *p)
{
    return ((uint64_t)(p[1] & 0xFFFF) << 32 | p[0]) & ~(uint64_t)3;
}

/* ---- memory commands ---------------------------------------------------- */

static enum igpu_status store_register(struct gfx *g, const uint32_t *p)
{
    uint32_t value = gfx_read_register(g, p[1] & 0x7FFFFC);

    return gfx_write(g, address(p + 2), &value, sizeof(value));
}

static enum igpu_status load_register(struct gfx *g, const uint32_t *p)
{
    uint32_t value;
    enum igpu_status status = gfx_read(g, address(p + 2), &value, sizeof(value));

    if (status == IGPU_OK)
        gfx_set_register(g, p[1] & 0x7FFFFC, value);
    return status;
}

static enum igpu_status copy_dword(struct gfx *g, const uint32_t *p)
{
    uint32_t value;
    enum igpu_status status = gfx_read(g, address(p + 3), &value, sizeof(value));

    return status == IGPU_OK ? gfx_write(g, address(p + 1), &value, sizeof(value))
                             : status;
}

static enum igpu_status flush_dword(struct gfx *g, const uint32_t *p)
{
    if (gfx_bits(p[0], 14, 15) == 0)
        return IGPU_OK;
    if (gfx_bits(p[0], 14, 15) != 1)
        return gfx_refuse(g, "MI_FLUSH_DW that writes a time");
    return gfx_write(g, address(p + 1) & ~(uint64_t)7, p + 3, 8);
}

/* Commands are executed one after the other, and the program waits meanwhile: a wait
 * for what is not there yet would have no end. */
static enum igpu_status semaphore_wait(struct gfx *g, const uint32_t *p)
{
    uint32_t value = 0, wanted = p[1];
    enum igpu_status status = gfx_read(g, address(p + 2), &value, sizeof(value));
    const bool holds[8] = {value > wanted,  value >= wanted, value < wanted,
                           value <= wanted, value == wanted, value != wanted};

    if (status != IGPU_OK || holds[gfx_bits(p[0], 12, 14)])
        return status;
    return gfx_refuse(g,
                      "a wait for what nothing before it wrote: %" PRIu32
                      " at 0x%" PRIx64 " is compared with %" PRIu32
                      " (an event must be set before the wait for it is submitted)",
                      value, address(p + 2), wanted);
}

static enum igpu_status memory_command(struct gfx *g, const uint32_t *p, uint32_t n)
{
    switch (gfx_bits(p[0], 23, 28)) {
    case 0x00: /* MI_NOOP */
    case 0x02: /* MI_USER_INTERRUPT */
    case 0x05: /* MI_ARB_CHECK */
    case 0x07: /* MI_REPORT_HEAD */
    case 0x08: /* MI_ARB_ON_OFF */
        g->counters.noops++;
        return IGPU_OK;
    case 0x0C: /* MI_PREDICATE */
        g->counters.predicates++;
        return gfx_predicate(g, p[0]);
    case 0x1A: /* MI_MATH */
        g->counters.math_commands++;
        return gfx_math(g, p, n);
    case 0x1C: /* MI_SEMAPHORE_WAIT */
        return p[0] >> 16 & 1 ? gfx_refuse(g, "a wait for a register")
                              : semaphore_wait(g, p);
    case 0x20: /* MI_STORE_DATA_IMM */
        g->counters.immediate_writes++;
        /* Two dwords by its bit or its length: Mesa sets no bit where a batch stores
         * the address to which a nested one is to return. */
        return gfx_write(g, address(p + 1), p + 3, n > 4 || p[0] >> 21 & 1 ? 8 : 4);
    case 0x22: /* MI_LOAD_REGISTER_IMM */
        for (uint32_t i = 1; i + 1 < n; i += 2)
            gfx_set_register(g, p[i] & 0x7FFFFC, p[i + 1]);
        g->counters.register_immediates += (n - 1) / 2;
        return IGPU_OK;
    case 0x24: /* MI_STORE_REGISTER_MEM */
        g->counters.register_stores++;
        return p[0] >> 21 & 1 && !(gfx_register(g, GFX_REG_PREDICATE) & 1)
                   ? IGPU_OK
                   : store_register(g, p);
    case 0x26: /* MI_FLUSH_DW */
        return flush_dword(g, p);
    case 0x29: /* MI_LOAD_REGISTER_MEM */
        g->counters.register_loads++;
        return load_register(g, p);
    case 0x2A: /* MI_LOAD_REGISTER_REG */
        g->counters.register_moves++;
        gfx_set_register(g, p[2] & 0x7FFFFC, gfx_read_register(g, p[1] & 0x7FFFFC));
        return IGPU_OK;
    case 0x2E: /* MI_COPY_MEM_MEM */
        g->counters.memory_copies++;
        return copy_dword(g, p);
    default:
        return gfx_refuse(g, "a memory command of this opcode");
    }
}

/* ---- state packets ------------------------------------------------------ */

static void vertex_buffers(struct gfx *g, const uint32_t *p, uint32_t n)
{
    for (uint32_t i = 1; i + 3 < n; i += 4) {
        uint32_t index = p[i] >> 26;

        if (index >= GFX_VERTEX_BUFFERS)
            continue;
        g->c->buffer[index] =
            (struct gfx_vertex_buffer){(uint64_t)(p[i + 2] & 0xFFFF) << 32 | p[i + 1],
                                       p[i] >> 13 & 1 ? 0 : p[i + 3], p[i] & 0xFFF};
    }
}

static void vertex_elements(struct gfx *g, const uint32_t *p, uint32_t n)
{
    g->c->elements = 0;
    for (uint32_t i = 1; i + 1 < n && g->c->elements < GFX_ELEMENTS; i += 2) {
        g->c->element[g->c->elements][0] = p[i];
        g->c->element[g->c->elements++][1] = p[i + 1];
    }
}

static enum igpu_status state_packet(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t sub = gfx_bits(p[0], 16, 23);

    gfx_count_packet(g, sub);

    if (sub == 0x08) {
        vertex_buffers(g, p, n);
    } else if (sub == 0x09) {
        vertex_elements(g, p, n);
    } else if (sub == 0x49) { /* 3DSTATE_VF_INSTANCING */
        if ((p[1] & 63) < GFX_ELEMENTS) {
            g->c->instancing[p[1] & 63].on = p[1] >> 8 & 1;
            g->c->instancing[p[1] & 63].rate = p[2];
        }
    } else if (n <= GFX_PACKET_DWORDS) {
        memcpy(g->c->state[sub], p, n * sizeof(*p));
    } else {
        return gfx_refuse(g, "a state packet of %u dwords", n);
    }
    return sub == 0x52 ? gfx_hz_operation(g) : IGPU_OK;
}

static void base_addresses(struct gfx *g, const uint32_t *p)
{
    const uint64_t page = ~(uint64_t)4095;

    if (p[4] & 1)
        g->c->surface_base = address(p + 4) & page;
    if (p[6] & 1)
        g->c->dynamic_base = address(p + 6) & page;
    if (p[8] & 1)
        g->c->indirect_base = address(p + 8) & page;
    if (p[10] & 1)
        g->c->instruction_base = address(p + 10) & page;
    if (p[16] & 1)
        g->c->bindless_base = address(p + 16) & page;
}

/* Bits of PIPE_CONTROL that wait for what was drawn: flushes of depth (0), data (5) and
 * render target caches (12), stalls at pixels (1), depth (13) and commands (20). */
#define EMPTIES (1u << 0 | 1u << 1 | 1u << 5 | 1u << 12 | 1u << 13 | 1u << 20)

static enum igpu_status pipe_control(struct gfx *g, const uint32_t *p)
{
    uint64_t value;

    g->counters.pipe_controls++;
    g->counters.pipe_control_stalls += p[1] >> 20 & 1;
    g->counters.pipe_control_writes += gfx_bits(p[1], 14, 15) != 0;
    g->apart |= (p[1] & EMPTIES) != 0;
    switch (gfx_bits(p[1], 14, 15)) {
    case 0:
        return IGPU_OK;
    case 1:
        return gfx_write(g, address(p + 2), p + 4, 8);
    case 2:
        value = g->statistic[GFX_STATISTIC_DEPTH];
        break;
    default:
        value = gfx_look(g);
        break;
    }
    return gfx_write(g, address(p + 2), &value, sizeof(value));
}

/* State that is not pipelined waits for the pipeline to be empty. */
static bool is_pipelined(const uint32_t *p)
{
    uint32_t command = p[0] >> 16;

    return command != 0x6101 && command != 0x6904 && p[0] >> 24 != 0x79;
}

static enum igpu_status state_command(struct gfx *g, const uint32_t *p, uint32_t n)
{
    g->apart |= !is_pipelined(p);
    switch (p[0] >> 16) {
    case 0x6101: /* STATE_BASE_ADDRESS */
        if (n < 19)
            return gfx_refuse(g, "a STATE_BASE_ADDRESS of %u dwords", n);
        base_addresses(g, p);
        g->counters.base_addresses++;
        return IGPU_OK;
    case 0x6102: /* STATE_SIP */
    case 0x680B: /* 3DSTATE_VF_STATISTICS, kept where no packet of 0x78 is */
        g->c->state[0x0B][0] = p[0];
        return IGPU_OK;
    case 0x6904: /* PIPELINE_SELECT */
        g->counters.pipeline_selects += p[0] >> 16 == 0x6904;
        return IGPU_OK;
    case 0x7000: /* MEDIA_VFE_STATE */
        if (n > 1)
            g->c->scratch_size = p[1] & 15;
        return IGPU_OK;
    case 0x7004: /* MEDIA_STATE_FLUSH */
        return IGPU_OK;
    case 0x7001: /* MEDIA_CURBE_LOAD */
        if (n == 4)
            g->c->curbe = g->c->dynamic_base + p[3];
        return IGPU_OK;
    case 0x7002: /* MEDIA_INTERFACE_DESCRIPTOR_LOAD */
        if (n == 4)
            g->c->descriptors = g->c->dynamic_base + p[3];
        return IGPU_OK;
    case 0x7900: /* 3DSTATE_DRAWING_RECTANGLE */
        if (n == 4)
            memcpy(g->c->rectangle, p, sizeof(g->c->rectangle));
        return IGPU_OK;
    case 0x7906: /* 3DSTATE_POLY_STIPPLE_OFFSET */
        g->c->polygon_stipple_offset[0] = gfx_bits(p[1], 8, 12);
        g->c->polygon_stipple_offset[1] = gfx_bits(p[1], 0, 4);
        return IGPU_OK;
    case 0x7907: /* 3DSTATE_POLY_STIPPLE_PATTERN */
        if (n == 33)
            memcpy(g->c->polygon_stipple, p + 1, sizeof(g->c->polygon_stipple));
        return IGPU_OK;
    case 0x7908: /* 3DSTATE_LINE_STIPPLE */
        g->c->line_stipple = p[1] & 0xFFFF;
        g->c->line_stipple_repeat = n == 3 ? p[2] & 0x1FF : 0;
        return IGPU_OK;
    case 0x791C: /* 3DSTATE_SAMPLE_PATTERN */
        if (n == 9)
            memcpy(g->c->pattern, p + 1, sizeof(g->c->pattern));
        return IGPU_OK;
    case 0x7917: /* 3DSTATE_SO_DECL_LIST */
        gfx_stream_declare(g, p, n);
        return IGPU_OK;
    case 0x7918: /* 3DSTATE_SO_BUFFER */
        return n >= 8 ? gfx_stream_buffer(g, p)
                      : gfx_refuse(g, "a short 3DSTATE_SO_BUFFER");
    case 0x7A00:
        return n >= 6 ? pipe_control(g, p) : gfx_refuse(g, "a short PIPE_CONTROL");
    case 0x7B00:
        return n >= 7 ? gfx_draw(g, p) : gfx_refuse(g, "a short 3DPRIMITIVE");
    case 0x7105:
        return n >= 15 ? gfx_compute(g, p) : gfx_refuse(g, "a short GPGPU_WALKER");
    default:
        break;
    }
    if (p[0] >> 24 == 0x78)
        return state_packet(g, p, n);
    if (p[0] >> 24 == 0x79) /* what else such packets set is not used here */
        return IGPU_OK;
    return gfx_refuse(g, "a command of this opcode");
}

/* ---- batches ------------------------------------------------------------ */

static uint32_t length_of(uint32_t head)
{
    if (head >> 29 == 0)
        return gfx_bits(head, 23, 28) < 0x10 ? 1 : (head & 0xFF) + 2;
    if (head >> 16 == 0x6904 || head >> 16 == 0x680B)
        return 1;
    if (head >> 16 == 0x7917) /* the only one of nine bits */
        return (head & 0x1FF) + 2;
    return (head & 0xFF) + 2;
}

static enum igpu_status one(struct gfx *g, const uint32_t *p, uint32_t n)
{
    enum igpu_status status = gfx_spend(g, 1);

    if (status != IGPU_OK)
        return status;
    g->counters.commands++;
    if (p[0] >> 29 == 0)
        return memory_command(g, p, n);
    if (p[0] >> 29 == 3)
        return state_command(g, p, n);
    return gfx_refuse(g, "a command of the blitter");
}

static enum igpu_status run(struct gfx *g, uint64_t at)
{
    uint64_t back[MAX_DEPTH];
    uint32_t depth = 0, p[MAX_DWORDS] = {0}; /* a damaged command may be short */
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < MAX_COMMANDS && status == IGPU_OK; i++) {
        uint32_t n;

        g->at = at;
        g->head = 0;
        status = gfx_read(g, at, &g->head, sizeof(g->head));
        if (status != IGPU_OK)
            return status;
        n = length_of(g->head);
        status = gfx_read(g, at, p, n * sizeof(*p));
        if (status != IGPU_OK)
            return status;
        at += n * sizeof(*p);
        g->counters.command_dwords += n;
        if (g->head >> 23 == 0x0A) { /* MI_BATCH_BUFFER_END */
            if (depth == 0)
                return IGPU_OK;
            at = back[--depth];
        } else if (g->head >> 23 == 0x31) { /* MI_BATCH_BUFFER_START */
            g->counters.nested_batches++;
            if (g->head >> 15 & 1)
                return gfx_refuse(g, "a predicated MI_BATCH_BUFFER_START");
            if (g->head >> 22 & 1) {
                if (depth == MAX_DEPTH)
                    return gfx_refuse(g, "batches nested %d deep", MAX_DEPTH + 1);
                back[depth++] = at;
            }
            at = address(p + 1);
        } else {
            status = one(g, p, n);
        }
    }
    return status != IGPU_OK
               ? status
               : gfx_refuse(g, "a batch of more than %d commands", MAX_COMMANDS);
}

struct gfx_context *gfx_add_context(struct gfx *g)
{
    struct gfx_context **more =
        realloc(g->context, (g->contexts + (size_t)1) * sizeof(*more));
    struct gfx_context *c = more != NULL ? calloc(1, sizeof(*c)) : NULL;

    if (more != NULL)
        g->context = more;
    if (c != NULL)
        g->context[g->contexts++] = c;
    return c;
}

/* The state of that context is the batch's; one that is new has none. */
static enum igpu_status choose_context(struct gfx *g, uint32_t id)
{
    for (uint32_t i = g->contexts; i > 0; i--)
        if (g->context[i - 1]->id == id) {
            g->c = g->context[i - 1];
            return IGPU_OK;
        }
    if (g->contexts == GFX_MAX_CONTEXTS)
        return igpu_fail(g->err, IGPU_SIM_ERROR, "more than %d hardware contexts",
                         GFX_MAX_CONTEXTS);
    g->c = gfx_add_context(g);
    if (g->c == NULL)
        return igpu_fail(g->err, IGPU_SIM_ERROR, "out of memory for a context");
    g->c->id = id;
    return IGPU_OK;
}

enum igpu_status gfx_batch(struct gfx *g, uint32_t context, uint64_t start,
                           struct igpu_err *err)
{
    enum igpu_status status;

    g->err = err;
    g->drawn = false;
    g->work = 0;
    g->apart = true;
    emu_shader_machine_forget(g->machine);
    status = choose_context(g, context);
    if (status != IGPU_OK)
        return status;
    g->counters.batches++;
    return run(g, start);
}
