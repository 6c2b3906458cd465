/* gfx.c - what every stage needs: state, memory, shaders, refusals. */
#include "gfx_sample.h"

#include <inttypes.h>
#include <stdarg.h>

#include "igpu/va.h"

/* The most that a thread can have. */
enum { SCRATCH_BYTES = 2 << 20 };
/* Time is not modelled, but it goes on where something is done: TIMESTAMP counts one
 * for so much of what gfx_spend() is told of. An estimate: some 24 EUs' instructions in
 * 1/12 microsecond. */
enum { WORK_A_TICK = 2048 };
/* Hours of this model's time. */
#define MOST_WORK ((uint64_t)1 << 36)

struct gfx *gfx_new(void)
{
    struct gfx *g = calloc(1, sizeof(*g));

    if (g == NULL)
        return NULL;
    g->mem = emu_mem_new();
    g->machine = g->mem != NULL ? emu_shader_machine_new(g->mem) : NULL;
    g->scratch = calloc(1, SCRATCH_BYTES);
    g->scratch_bytes = SCRATCH_BYTES;
    g->most_work = MOST_WORK;
    gfx_flat_init(g);
    if (g->machine != NULL)
        emu_shader_bind_by(g->machine, gfx_bind_buffer, g);
    g->hw_threads = GFX_HW_THREADS;
    if (g->mem != NULL)
        emu_mem_scratch(g->mem, IGPU_VA_GFX_SCRATCH);
    if (g->machine != NULL && g->scratch != NULL &&
        emu_mem_map_at(g->mem, IGPU_VA_GFX_SCRATCH + IGPU_VA_SCRATCH_GAP, g->scratch,
                       SCRATCH_BYTES, 0, NULL) == IGPU_OK)
        return g;
    gfx_free(g);
    return NULL;
}

void gfx_free(struct gfx *g)
{
    if (g == NULL)
        return;
    for (uint32_t i = 0; i < g->shaders; i++) {
        emu_shader_free(g->shader[i]->shader);
        free(g->shader[i]->text);
        free(g->shader[i]);
    }
    for (uint32_t i = 0; i < g->contexts; i++)
        free(g->context[i]);
    free(g->context);
    gfx_forget_overdraw(g);
    gfx_hiz_free(g);
    free(g->gs.entry);
    free(g->touched.page);
    free(g->touched.slot);
    free(g->touched.ahead);
    free(g->scratch);
    free(g->shader);
    free(g->mapped);
    emu_shader_machine_free(g->machine);
    emu_mem_free(g->mem);
    free(g);
}

const struct gfx_counters *gfx_get_counters(const struct gfx *g)
{
    return &g->counters;
}

void gfx_begin_draws(struct gfx *g)
{
    g->before = g->counters;
}

bool gfx_has_drawn(const struct gfx *g)
{
    return g->drawn;
}

enum igpu_status gfx_refuse(struct gfx *g, const char *format, ...)
{
    char reason[320];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    return igpu_fail(g->err, IGPU_SIM_ERROR,
                     "command 0x%08" PRIx32 " at 0x%" PRIx64 ": not executed: %s",
                     g->head, g->at, reason);
}

uint64_t gfx_time(const struct gfx *g)
{
    return g->time;
}

void gfx_set_clock(struct gfx *g, uint64_t (*now)(void *ctx), void *ctx)
{
    g->clock.now = now;
    g->clock.ctx = ctx;
}

uint64_t gfx_look(struct gfx *g)
{
    uint64_t now = g->clock.now != NULL ? g->clock.now(g->clock.ctx) : g->time + 1;

    if (g->time < now)
        g->time = now;
    return g->time;
}

void gfx_set_threads(struct gfx *g, uint32_t threads)
{
    g->hw_threads = threads;
}

void gfx_limit_work(struct gfx *g, uint64_t most)
{
    g->most_work = most;
}

enum igpu_status gfx_spend(struct gfx *g, uint64_t work)
{
    if (work > g->most_work - g->work)
        return gfx_refuse(g, "a batch that makes more work than %" PRIu64,
                          g->most_work);
    if (g->clock.now == NULL)
        g->time += (g->work + work) / WORK_A_TICK - g->work / WORK_A_TICK;
    g->work += work;
    emu_shader_limit(g->machine, g->most_work - g->work + 1);
    return IGPU_OK;
}

/* ---- state -------------------------------------------------------------- */

float gfx_get_float(const struct gfx *g, enum gfx_field field)
{
    return gfx_float(gfx_get(g, field));
}

uint64_t gfx_get_address(const struct gfx *g, enum gfx_field field)
{
    return gfx_address(&g->c->state[gfx_fields[field].packet][gfx_fields[field].dword],
                       gfx_fields[field].low);
}

uint64_t gfx_register(struct gfx *g, uint32_t offset)
{
    for (uint32_t i = 0; i < g->registers; i++)
        if (g->reg[i].offset == offset)
            return g->reg[i].value;
    return 0;
}

void gfx_set_register(struct gfx *g, uint32_t offset, uint32_t value)
{
    for (uint32_t i = 0; i < g->registers; i++)
        if (g->reg[i].offset == offset) {
            g->reg[i].value = value;
            return;
        }
    if (g->registers == GFX_REGISTERS) /* the first was for a while not read */
        memmove(&g->reg[0], &g->reg[1], sizeof(g->reg[0]) * --g->registers);
    g->reg[g->registers].offset = offset;
    g->reg[g->registers++].value = value;
}

enum igpu_status gfx_constants(struct gfx *g, enum gfx_packet packet, uint8_t *to,
                               uint32_t room, uint32_t *bytes)
{
    const uint32_t *p = g->c->state[gfx_kept(packet)];
    enum igpu_status status = IGPU_OK;

    *bytes = 0;
    for (uint32_t i = 0; i < 4 && status == IGPU_OK; i++) {
        uint32_t n = 32 * gfx_part(p, GFX_CONSTANT_GRFS_0 + i);
        uint64_t va = gfx_part_address(p, GFX_CONSTANT_ADDRESS_0 + i);

        if (n > room - *bytes)
            return gfx_refuse(g, "more push constants than registers");
        if (n > 0)
            status = gfx_read(g, va, to + *bytes, n);
        *bytes += n;
    }
    return status;
}

void gfx_put_pointers(const struct gfx *g, uint8_t *grf)
{
    const uint32_t base = IGPU_VA_SCRATCH_GAP;
    const uint32_t samplers = (uint32_t)(g->d.samplers - g->c->dynamic_base);

    memcpy(grf + 3 * sizeof(samplers), &samplers, sizeof(samplers));
    memcpy(grf + 5 * sizeof(base), &base, sizeof(base));
}

enum igpu_status gfx_share_scratch(struct gfx *g, uint8_t *grf, uint32_t threads,
                                   uint32_t size)
{
    uint32_t each = gfx_scratch_of(size);

    if (gfx_make_scratch(g, threads, size) != IGPU_OK)
        return IGPU_SIM_ERROR;
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t base = IGPU_VA_SCRATCH_GAP + i * each;

        memcpy(grf + (size_t)i * EMU_SHADER_GRF_BYTES + 5 * sizeof(base), &base,
               sizeof(base));
    }
    return IGPU_OK;
}

uint32_t gfx_scratch_of(uint32_t size)
{
    return size > 11 ? SCRATCH_BYTES : 1024u << size;
}

enum igpu_status gfx_make_scratch(struct gfx *g, uint32_t threads, uint32_t size)
{
    const uint64_t first = IGPU_VA_GFX_SCRATCH + IGPU_VA_SCRATCH_GAP;
    uint32_t bytes = threads * gfx_scratch_of(size);
    uint8_t *bigger = bytes > g->scratch_bytes ? calloc(1, bytes) : g->scratch;

    if (bigger == NULL)
        return gfx_refuse(g, "out of memory for the scratch space of %u threads",
                          threads);
    if (bigger != g->scratch) {
        (void)emu_mem_unmap(g->mem, first);
        free(g->scratch);
        g->scratch = bigger;
        g->scratch_bytes = bytes;
        if (emu_mem_map_at(g->mem, first, bigger, bytes, 0, g->err) != IGPU_OK)
            return IGPU_SIM_ERROR;
    }
    return IGPU_OK;
}

/* ---- shaders ------------------------------------------------------------ */

/* Bytes that are mapped from va on, up to `most`. */
static size_t mapped(struct gfx *g, uint64_t va, size_t most)
{
    size_t low = 0, high = most;

    while (low < high) {
        size_t mid = high - (high - low) / 2;

        if (emu_mem_host(g->mem, va, mid) != NULL)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

static bool room_for_shader(struct gfx *g)
{
    uint32_t cap = g->shader_cap ? g->shader_cap * 2 : 32;
    struct gfx_shader **bigger;

    if (g->shaders < g->shader_cap)
        return true;
    bigger = realloc(g->shader, cap * sizeof(*bigger));
    if (bigger == NULL) {
        (void)gfx_refuse(g, "out of memory");
        return false;
    }
    g->shader = bigger;
    g->shader_cap = cap;
    return true;
}

static struct gfx_shader *add_shader(struct gfx *g, uint64_t va, uint32_t simd,
                                     const char *name)
{
    enum { MOST = 1 << 20 };
    size_t bytes = mapped(g, va, MOST);
    struct gfx_shader *s;
    struct emu_shader *made;

    if (bytes == 0) {
        (void)gfx_refuse(g, "a shader at 0x%" PRIx64 ", outside the batch's buffers",
                         va);
        return NULL;
    }
    if (!room_for_shader(g))
        return NULL;
    made = emu_shader_new(name, emu_mem_host(g->mem, va, bytes), bytes, simd, g->err);
    if (made == NULL)
        return NULL;
    s = malloc(sizeof(*s));
    if (s != NULL)
        *s = (struct gfx_shader){.va = va,
                                 .text = malloc(emu_shader_bytes(made)),
                                 .bytes = emu_shader_bytes(made),
                                 .simd = simd,
                                 .shader = made};
    if (s == NULL || s->text == NULL) {
        free(s);
        emu_shader_free(made);
        (void)gfx_refuse(g, "out of memory");
        return NULL;
    }
    memcpy(s->text, emu_mem_host(g->mem, va, s->bytes), s->bytes);
    emu_shader_buffers(made, s->buffers);
    g->shader[g->shaders++] = s;
    return s;
}

struct gfx_shader *gfx_find_shader(struct gfx *g, uint64_t va, uint32_t simd,
                                   const char *name)
{
    for (uint32_t i = 0; i < g->shaders; i++) {
        struct gfx_shader *s = g->shader[i];
        const void *now;

        if (s->va != va || s->simd != simd)
            continue;
        now = emu_mem_host(g->mem, va, s->bytes);
        if (now != NULL && memcmp(now, s->text, s->bytes) == 0)
            return s;
    }
    return add_shader(g, va, simd, name);
}
