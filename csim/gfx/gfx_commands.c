/* gfx_commands.c - the command streamer: batches, state packets, memory commands. */
#include "gfx_commands.h"
#include "gfx_target.h"

#include <inttypes.h>

#include "igpu/floats.h"
#include "igpu/grow.h"

enum { MAX_COMMANDS = 1 << 20, MAX_DWORDS = 514, MAX_DEPTH = 3 };
/* ---- memory commands: of n dwords at p, as all that follow --------------- */

static enum igpu_status nothing(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)p;
    (void)n;
    g->counters.noops++;
    return IGPU_OK;
}

static enum igpu_status predicate(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)n;
    g->counters.predicates++;
    return gfx_predicate(g, p);
}

static enum igpu_status math(struct gfx *g, const uint32_t *p, uint32_t n)
{
    g->counters.math_commands++;
    return gfx_math(g, p, n);
}

/* Two dwords by its bit or its length: Mesa sets no bit where a batch stores the
 * address to which a nested one is to return. */
static enum igpu_status store_data(struct gfx *g, const uint32_t *p, uint32_t n)
{
    bool wide = n > 4 || gfx_part(p, GFX_STORE_DATA_WIDE);

    g->counters.immediate_writes++;
    return gfx_write(g, gfx_part_address(p, GFX_STORE_DATA_ADDRESS), p + 3,
                     wide ? 8 : 4);
}

static enum igpu_status load_immediate(struct gfx *g, const uint32_t *p, uint32_t n)
{
    for (uint32_t i = 1; i + 1 < n; i += 2)
        gfx_set_register(g, gfx_part_offset(p + i - 1, GFX_LOAD_IMMEDIATE_NUMBER),
                         p[i + 1]);
    g->counters.register_immediates += (n - 1) / 2;
    return IGPU_OK;
}

static enum igpu_status store_register(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t value;

    (void)n;
    g->counters.register_stores++;
    if (gfx_part(p, GFX_STORE_REGISTER_PREDICATED) &&
        !(gfx_register(g, GFX_REG_PREDICATE) & 1))
        return IGPU_OK;
    value = gfx_read_register(g, gfx_part_offset(p, GFX_STORE_REGISTER_NUMBER));
    return gfx_write(g, gfx_part_address(p, GFX_STORE_REGISTER_ADDRESS), &value,
                     sizeof(value));
}

static enum igpu_status load_register(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t value;
    enum igpu_status status;

    (void)n;
    g->counters.register_loads++;
    status = gfx_read(g, gfx_part_address(p, GFX_LOAD_REGISTER_ADDRESS), &value,
                      sizeof(value));
    if (status == IGPU_OK)
        gfx_set_register(g, gfx_part_offset(p, GFX_LOAD_REGISTER_NUMBER), value);
    return status;
}

static enum igpu_status move_register(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t value = gfx_read_register(g, gfx_part_offset(p, GFX_MOVE_REGISTER_FROM));

    (void)n;
    g->counters.register_moves++;
    gfx_set_register(g, gfx_part_offset(p, GFX_MOVE_REGISTER_TO), value);
    return IGPU_OK;
}

static enum igpu_status copy_dword(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t value;
    enum igpu_status status;

    (void)n;
    g->counters.memory_copies++;
    status = gfx_read(g, gfx_part_address(p, GFX_COPY_FROM), &value, sizeof(value));
    return status == IGPU_OK
               ? gfx_write(g, gfx_part_address(p, GFX_COPY_TO), &value, sizeof(value))
               : status;
}

/* Without an OA unit: of nothing, with its number and when it was made. */
static uint32_t report_nothing(struct gfx *g, uint32_t id, uint8_t *report)
{
    const uint32_t head[2] = {id, (uint32_t)gfx_look(g)};

    memset(report, 0, GFX_REPORT_BYTES);
    memcpy(report, head, sizeof(head));
    return GFX_REPORT_BYTES;
}

static enum igpu_status report_counters(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t id = gfx_part(p, GFX_REPORT_ID), bytes;
    uint8_t report[GFX_REPORT_BYTES];

    if (n < 4)
        return gfx_refuse(g, "a short MI_REPORT_PERF_COUNT");
    bytes = g->told.on_report != NULL
                ? g->told.on_report(g->told.report_ctx, g->c->id, id, report)
                : report_nothing(g, id, report);
    return gfx_write(g, gfx_part_address(p, GFX_REPORT_ADDRESS), report, bytes);
}

static enum igpu_status flush_dword(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)n;
    if (gfx_part(p, GFX_FLUSH_WRITES) == 0)
        return IGPU_OK;
    if (gfx_part(p, GFX_FLUSH_WRITES) != 1)
        return gfx_refuse(g, "MI_FLUSH_DW that writes a time");
    return gfx_write(g, gfx_part_address(p, GFX_FLUSH_ADDRESS), p + 3, 8);
}

/* Commands are executed one after the other, and the program waits meanwhile: a wait
 * for what is not there yet would have no end. */
static enum igpu_status semaphore_wait(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint64_t va = gfx_part_address(p, GFX_SEMAPHORE_ADDRESS);
    uint32_t value = 0, wanted = gfx_part(p, GFX_SEMAPHORE_VALUE);
    enum igpu_status status;

    (void)n;
    if (gfx_part(p, GFX_SEMAPHORE_REGISTER))
        return gfx_refuse(g, "a wait for a register");
    status = gfx_read(g, va, &value, sizeof(value));
    const bool holds[8] = {value > wanted,  value >= wanted, value < wanted,
                           value <= wanted, value == wanted, value != wanted};

    if (status != IGPU_OK || holds[gfx_part(p, GFX_SEMAPHORE_COMPARE)])
        return status;
    return gfx_refuse(g,
                      "a wait for what nothing before it wrote: %" PRIu32
                      " at 0x%" PRIx64 " is compared with %" PRIu32
                      " (an event must be set before the wait for it is submitted)",
                      value, va, wanted);
}

static enum igpu_status memory_command(struct gfx *g, const uint32_t *p, uint32_t n)
{
    switch (gfx_part(p, GFX_COMMAND_OPCODE)) {
#define GFX_MEMORY(name, opcode, handler)                                              \
    case GFX_##name:                                                                   \
        return handler(g, p, n);
#include "packets.def"
    default:
        return gfx_refuse(g, "a memory command of this opcode");
    }
}

/* ---- state packets ------------------------------------------------------ */

static enum igpu_status keep(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n > GFX_PACKET_DWORDS)
        return gfx_refuse(g, "a state packet of %u dwords", n);
    memcpy(g->c->state[gfx_kept(gfx_part(p, GFX_COMMAND_HEAD))], p, n * sizeof(*p));
    return IGPU_OK;
}

static enum igpu_status vertex_buffers(struct gfx *g, const uint32_t *p, uint32_t n)
{
    for (uint32_t i = 1; i + 3 < n; i += 4) {
        const uint32_t *b = p + i;
        uint32_t index = gfx_part(b, GFX_BUFFER_INDEX);

        if (index < GFX_VERTEX_BUFFERS)
            g->c->buffer[index] = (struct gfx_vertex_buffer){
                .va = gfx_part_address(b, GFX_BUFFER_ADDRESS),
                .bytes =
                    gfx_part(b, GFX_BUFFER_NULL) ? 0 : gfx_part(b, GFX_BUFFER_BYTES),
                .pitch = gfx_part(b, GFX_BUFFER_PITCH)};
    }
    return IGPU_OK;
}

static enum igpu_status vertex_elements(struct gfx *g, const uint32_t *p, uint32_t n)
{
    g->c->elements = 0;
    for (uint32_t i = 1; i + 1 < n && g->c->elements < GFX_ELEMENTS; i += 2) {
        g->c->element[g->c->elements][0] = p[i];
        g->c->element[g->c->elements++][1] = p[i + 1];
    }
    return IGPU_OK;
}

static enum igpu_status instancing(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t element = gfx_part(p, GFX_INSTANCING_ELEMENT);

    (void)n;
    if (element < GFX_ELEMENTS) {
        g->c->instancing[element].on = gfx_part(p, GFX_INSTANCING_ON);
        g->c->instancing[element].rate = gfx_part(p, GFX_INSTANCING_RATE);
    }
    return IGPU_OK;
}

/* Of pipelined state that nobody asks for. */
static enum igpu_status keep_other(struct gfx *g, const uint32_t *p, uint32_t n)
{
    gfx_count_packet(g, gfx_part(p, GFX_COMMAND_HEAD));
    return keep(g, p, n);
}

static enum igpu_status hz_operation(struct gfx *g, const uint32_t *p, uint32_t n)
{
    enum igpu_status status = keep_other(g, p, n);

    return status == IGPU_OK ? gfx_hz_operation(g) : status;
}

static enum igpu_status base_addresses(struct gfx *g, const uint32_t *p, uint32_t n)
{
    const struct {
        enum gfx_part on, base;
        uint64_t *to;
    } each[] = {
        {GFX_SURFACE_BASE_ON, GFX_SURFACE_BASE, &g->c->surface_base},
        {GFX_DYNAMIC_BASE_ON, GFX_DYNAMIC_BASE, &g->c->dynamic_base},
        {GFX_INDIRECT_BASE_ON, GFX_INDIRECT_BASE, &g->c->indirect_base},
        {GFX_INSTRUCTION_BASE_ON, GFX_INSTRUCTION_BASE, &g->c->instruction_base},
        {GFX_BINDLESS_BASE_ON, GFX_BINDLESS_BASE, &g->c->bindless_base},
    };

    if (n < 19)
        return gfx_refuse(g, "a STATE_BASE_ADDRESS of %u dwords", n);
    for (uint32_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
        if (gfx_part(p, each[i].on))
            *each[i].to = gfx_part_address(p, each[i].base);
    g->counters.base_addresses++;
    return IGPU_OK;
}

static enum igpu_status ignore(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)g;
    (void)p;
    (void)n;
    return IGPU_OK;
}

/* Kept where no pipelined state is. */
static enum igpu_status vertex_statistics(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)n;
    g->c->state[gfx_kept(GFX_3DSTATE_VF_STATISTICS)][0] = p[0];
    return IGPU_OK;
}

static enum igpu_status pipeline_select(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)p;
    (void)n;
    g->counters.pipeline_selects++;
    return IGPU_OK;
}

static enum igpu_status vfe_state(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n > 1)
        g->c->scratch_size = gfx_part(p, GFX_SCRATCH_SIZE);
    return IGPU_OK;
}

static enum igpu_status curbe_load(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n == 4)
        g->c->curbe = g->c->dynamic_base + gfx_part(p, GFX_CURBE_OFFSET);
    return IGPU_OK;
}

static enum igpu_status descriptor_load(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n == 4)
        g->c->descriptors = g->c->dynamic_base + gfx_part(p, GFX_DESCRIPTORS_OFFSET);
    return IGPU_OK;
}

static enum igpu_status drawing_rectangle(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n == 4)
        memcpy(g->c->rectangle, p, sizeof(g->c->rectangle));
    return IGPU_OK;
}

static enum igpu_status stipple_offset(struct gfx *g, const uint32_t *p, uint32_t n)
{
    (void)n;
    g->c->polygon_stipple_offset[0] = gfx_part(p, GFX_STIPPLE_OFFSET_X);
    g->c->polygon_stipple_offset[1] = gfx_part(p, GFX_STIPPLE_OFFSET_Y);
    return IGPU_OK;
}

static enum igpu_status stipple_pattern(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n == 33)
        memcpy(g->c->polygon_stipple, p + 1, sizeof(g->c->polygon_stipple));
    return IGPU_OK;
}

static enum igpu_status line_stipple(struct gfx *g, const uint32_t *p, uint32_t n)
{
    g->c->line_stipple = gfx_part(p, GFX_LINE_STIPPLE);
    g->c->line_stipple_repeat = n == 3 ? gfx_part(p, GFX_LINE_STIPPLE_REPEAT) : 0;
    return IGPU_OK;
}

static enum igpu_status sample_pattern(struct gfx *g, const uint32_t *p, uint32_t n)
{
    if (n == 9)
        memcpy(g->c->pattern, p + 1, sizeof(g->c->pattern));
    return IGPU_OK;
}

static enum igpu_status stream_declare(struct gfx *g, const uint32_t *p, uint32_t n)
{
    gfx_stream_declare(g, p, n);
    return IGPU_OK;
}

static enum igpu_status stream_buffer(struct gfx *g, const uint32_t *p, uint32_t n)
{
    return n >= 8 ? gfx_stream_buffer(g, p)
                  : gfx_refuse(g, "a short 3DSTATE_SO_BUFFER");
}

/* What waits for what was drawn: flushes and stalls. */
static bool empties(const uint32_t *p)
{
    return gfx_part(p, GFX_CONTROL_DEPTH_FLUSH) ||
           gfx_part(p, GFX_CONTROL_DATA_FLUSH) ||
           gfx_part(p, GFX_CONTROL_TARGET_FLUSH) ||
           gfx_part(p, GFX_CONTROL_STALL_AT_PIXELS) ||
           gfx_part(p, GFX_CONTROL_DEPTH_STALL) || gfx_part(p, GFX_CONTROL_STALL);
}

static enum igpu_status pipe_control(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint64_t va = gfx_part_address(p, GFX_CONTROL_ADDRESS), value;

    if (n < 6)
        return gfx_refuse(g, "a short PIPE_CONTROL");
    g->counters.pipe_controls++;
    g->counters.pipe_control_stalls += gfx_part(p, GFX_CONTROL_STALL);
    g->counters.pipe_control_writes += gfx_part(p, GFX_CONTROL_WRITES) != 0;
    g->batch.apart |= empties(p);
    switch (gfx_part(p, GFX_CONTROL_WRITES)) {
    case 0:
        return IGPU_OK;
    case 1:
        return gfx_write(g, va, p + 4, 8);
    case 2:
        value = g->c->statistic[GFX_STATISTIC_DEPTH];
        break;
    default:
        value = gfx_look(g);
        break;
    }
    return gfx_write(g, va, &value, sizeof(value));
}

static enum igpu_status primitive(struct gfx *g, const uint32_t *p, uint32_t n)
{
    return n >= 7 ? gfx_draw(g, p) : gfx_refuse(g, "a short 3DPRIMITIVE");
}

static enum igpu_status walker(struct gfx *g, const uint32_t *p, uint32_t n)
{
    return n >= 15 ? gfx_compute(g, p) : gfx_refuse(g, "a short GPGPU_WALKER");
}

/* State that is not pipelined waits for the pipeline to be empty. */
static bool is_pipelined(const uint32_t *p)
{
    uint32_t head = gfx_part(p, GFX_COMMAND_HEAD);

    return head != GFX_STATE_BASE_ADDRESS && head != GFX_PIPELINE_SELECT &&
           head >> 8 != GFX_3DSTATE_NONPIPELINED;
}

static enum igpu_status state_command(struct gfx *g, const uint32_t *p, uint32_t n)
{
    uint32_t head = gfx_part(p, GFX_COMMAND_HEAD);

    g->batch.apart |= !is_pipelined(p);
    switch (head) {
#define GFX_PACKET(name, head, handler)                                                \
    case GFX_##name:                                                                   \
        return handler(g, p, n);
#define GFX_STATE(name, head, handler, counter)                                        \
    case GFX_##name:                                                                   \
        gfx_count_packet(g, GFX_##name);                                               \
        return handler(g, p, n);
#include "packets.def"
    default:
        break;
    }
    if (head >> 8 == GFX_3DSTATE_PIPELINED)
        return keep_other(g, p, n);
    if (head >> 8 == GFX_3DSTATE_NONPIPELINED) /* what others set is not used here */
        return IGPU_OK;
    return gfx_refuse(g, "a command of this opcode");
}

/* ---- batches ------------------------------------------------------------ */

enum { TYPE_MEMORY = 0, TYPE_RENDER = 3 }; /* GFX_COMMAND_TYPE */

static uint32_t length_of(const uint32_t *p)
{
    enum { FIRST_WITH_LENGTH = 16 };
    uint32_t head = gfx_part(p, GFX_COMMAND_HEAD);

    if (gfx_part(p, GFX_COMMAND_TYPE) == TYPE_MEMORY &&
        gfx_part(p, GFX_COMMAND_OPCODE) < FIRST_WITH_LENGTH)
        return 1;
    if (head == GFX_PIPELINE_SELECT || head == GFX_3DSTATE_VF_STATISTICS)
        return 1;
    if (head == GFX_3DSTATE_SO_DECL_LIST) /* the only one of nine bits */
        return gfx_part(p, GFX_SO_LIST_DWORDS) + 2;
    return gfx_part(p, GFX_COMMAND_DWORDS) + 2;
}

static enum igpu_status one(struct gfx *g, const uint32_t *p, uint32_t n)
{
    enum igpu_status status = gfx_spend(g, 1);

    if (status != IGPU_OK)
        return status;
    g->counters.commands++;
    if (gfx_part(p, GFX_COMMAND_TYPE) == TYPE_MEMORY)
        return memory_command(g, p, n);
    if (gfx_part(p, GFX_COMMAND_TYPE) == TYPE_RENDER)
        return state_command(g, p, n);
    return gfx_refuse(g, "a command of the blitter");
}

/* The batches that were left for others, and where the one that runs goes on. */
struct place {
    uint64_t back[MAX_DEPTH], at;
    uint32_t depth;
};

static enum igpu_status batch_start(struct gfx *g, const uint32_t *p, struct place *to)
{
    g->counters.nested_batches++;
    if (gfx_part(p, GFX_BATCH_PREDICATED))
        return gfx_refuse(g, "a predicated MI_BATCH_BUFFER_START");
    if (gfx_part(p, GFX_BATCH_NESTED)) {
        if (to->depth == MAX_DEPTH)
            return gfx_refuse(g, "batches nested %d deep", MAX_DEPTH + 1);
        to->back[to->depth++] = to->at;
    }
    to->at = gfx_part_address(p, GFX_BATCH_ADDRESS);
    return IGPU_OK;
}

static enum igpu_status batch_run(struct gfx *g, uint64_t start)
{
    struct place to = {.at = start};
    uint32_t p[MAX_DWORDS] = {0}; /* a damaged command may be short */
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < MAX_COMMANDS && status == IGPU_OK; i++) {
        uint32_t n, opcode;

        g->batch.at = to.at;
        g->batch.head = 0;
        status = gfx_read(g, to.at, &g->batch.head, sizeof(g->batch.head));
        if (status != IGPU_OK)
            return status;
        n = length_of(&g->batch.head);
        status = gfx_read(g, to.at, p, n * sizeof(*p));
        if (status != IGPU_OK)
            return status;
        to.at += n * sizeof(*p);
        g->counters.command_dwords += n;
        opcode = gfx_part(p, GFX_COMMAND_TYPE) == TYPE_MEMORY
                     ? gfx_part(p, GFX_COMMAND_OPCODE)
                     : GFX_MI_NOOP;
        if (opcode == GFX_MI_BATCH_BUFFER_END) {
            if (to.depth == 0)
                return IGPU_OK;
            to.at = to.back[--to.depth];
        } else if (opcode == GFX_MI_BATCH_BUFFER_START) {
            status = batch_start(g, p, &to);
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
    struct gfx_context *c = NULL;

    if (IGPU_RESIZE(g->hw.context, (size_t)g->hw.contexts + 1))
        c = calloc(1, sizeof(*c));
    if (c != NULL)
        g->hw.context[g->hw.contexts++] = c;
    return c;
}

/* The state of that context is the batch's; one that is new has none. */
static enum igpu_status choose_context(struct gfx *g, uint32_t id)
{
    for (uint32_t i = g->hw.contexts; i > 0; i--)
        if (g->hw.context[i - 1]->id == id) {
            g->c = g->hw.context[i - 1];
            return IGPU_OK;
        }
    if (g->hw.contexts == GFX_MAX_CONTEXTS)
        return igpu_fail(g->batch.err, IGPU_SIM_ERROR, "more than %d hardware contexts",
                         GFX_MAX_CONTEXTS);
    g->c = gfx_add_context(g);
    if (g->c == NULL)
        return igpu_no_memory(g->batch.err, "a context");
    g->c->id = id;
    return IGPU_OK;
}

enum igpu_status gfx_batch(struct gfx *g, uint32_t context, uint64_t start,
                           struct igpu_err *err)
{
    struct igpu_floats floats;
    enum igpu_status status;

    g->batch.err = err;
    g->batch.drawn = false;
    g->batch.work = 0;
    g->batch.apart = true;
    emu_shader_machine_forget(g->thread.machine);
    status = choose_context(g, context);
    if (status != IGPU_OK)
        return status;
    g->counters.batches++;
    igpu_floats_begin(&floats);
    status = batch_run(g, start);
    igpu_floats_end(&floats);
    return status;
}
