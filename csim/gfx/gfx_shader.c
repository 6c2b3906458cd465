/* gfx_shader.c - what a shader's thread needs before it runs: its code, push constants,
 * scratch space. */
#include "gfx_int.h"

#include <inttypes.h>

#include "igpu/grow.h"
#include "igpu/va.h"

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
    return size > 11 ? GFX_SCRATCH_BYTES : 1024u << size;
}

enum igpu_status gfx_make_scratch(struct gfx *g, uint32_t threads, uint32_t size)
{
    const uint64_t first = IGPU_VA_GFX_SCRATCH + IGPU_VA_SCRATCH_GAP;
    uint32_t bytes = threads * gfx_scratch_of(size);
    uint8_t *bigger =
        bytes > g->thread.scratch_bytes ? calloc(1, bytes) : g->thread.scratch;

    if (bigger == NULL)
        return igpu_no_memory(g->batch.err, "the scratch space of %u threads", threads);
    if (bigger != g->thread.scratch) {
        (void)emu_mem_unmap(g->mem, first);
        free(g->thread.scratch);
        g->thread.scratch = bigger;
        g->thread.scratch_bytes = bytes;
        if (emu_mem_map_at(g->mem, first, bigger, bytes, 0, g->batch.err) != IGPU_OK)
            return IGPU_SIM_ERROR;
    }
    return IGPU_OK;
}

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
    if (IGPU_RESERVE(g->cache.shader, g->cache.shader_cap,
                     (size_t)g->cache.shaders + 1))
        return true;
    (void)igpu_no_memory(g->batch.err, "a shader");
    return false;
}

/* Of a vertex's slots of 16 bytes, how many there are up to the last one that writes to
 * the URB reach: a register of their data is a dword of each lane's. */
static uint32_t slots_of(const struct emu_shader *s)
{
    const struct isa_kernel_code *code = emu_shader_code(s);
    uint32_t slots = 0;

    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_message *m = &code->inst[i].msg;
        uint32_t end = gfx_part_of(m->desc, GFX_URB_OFFSET) +
                       ((uint32_t)m->mlen + m->ext_mlen + 3) / 4;

        if (m->sfid != ISA_SFID_URB)
            continue;
        end = m->desc_reg ? GFX_SLOTS : end;
        slots = end > slots ? end : slots;
    }
    return slots < GFX_SLOTS ? slots : GFX_SLOTS;
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
    made = emu_shader_new(name, emu_mem_host(g->mem, va, bytes), bytes, simd,
                          g->batch.err);
    if (made == NULL)
        return NULL;
    s = malloc(sizeof(*s));
    if (s != NULL)
        *s = (struct gfx_shader){
            .va = va, .bytes = emu_shader_bytes(made), .simd = simd, .shader = made};
    if (s == NULL) {
        emu_shader_free(made);
        (void)igpu_no_memory(g->batch.err, "a shader");
        return NULL;
    }
    s->slots = slots_of(made);
    emu_shader_buffers(made, s->buffers);
    for (uint32_t i = 0; i < EMU_SHADER_BINDING_WORDS; i++)
        s->has_buffers |= s->buffers[i] != 0;
    emu_shader_find_reach(made, &s->reach);
    g->cache.shader[g->cache.shaders++] = s;
    return s;
}

struct gfx_shader *gfx_find_shader(struct gfx *g, uint64_t va, uint32_t simd,
                                   const char *name)
{
    for (uint32_t i = 0; i < g->cache.shaders; i++) {
        struct gfx_shader *s = g->cache.shader[i];
        const void *now;

        if (s->va != va || s->simd != simd)
            continue;
        now = emu_mem_host(g->mem, va, s->bytes);
        if (now != NULL && memcmp(now, emu_shader_text(s->shader), s->bytes) == 0)
            return s;
    }
    return add_shader(g, va, simd, name);
}
