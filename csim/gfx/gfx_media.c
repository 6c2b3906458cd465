/* gfx_media.c - media blocks: rectangles of a 2-D image's bytes to and from registers,
 * as OpenCL's block reads and writes of images have them. The header has the left byte
 * and the top row, both signed, and in dword 2 the bytes of a row [5:0] and the rows
 * [21:16], each less one. In registers a row takes as many bytes as the next power of
 * two, at least a dword. What is outside of the image reads as the nearest pixel and is
 * not written. Who watches is told of each line of 64 bytes that the block touches.
 * Source: docs/develop/sources.md#gen9-messages; csim/emu/emu_media.c does the same for
 * images of our own driver. */
#include "gfx_message.h"
#include "gfx_texture.h"
#include "igpu/order.h"

enum { GRF = 32, LINE = 64, BLOCK_BYTES = 256, MAX_LINES = ISA_MAX_SIMD };

struct block {
    struct gfx *g;
    const struct gfx_surface *s;
    const struct isa_inst *inst;
    int64_t x, y; /* of the first byte */
    uint32_t bytes, rows, pitch;
    int64_t width, height; /* of the image, in texels */
    uint64_t line[MAX_LINES];
    uint32_t lines, cut;
};

static uint32_t data_grfs(const struct isa_message *m)
{
    if (!m->is_write)
        return m->rlen;
    return m->ext_mlen > 0 ? m->ext_mlen : m->mlen - 1u;
}

static uint32_t data_register(const struct isa_inst *inst)
{
    if (!inst->msg.is_write)
        return inst->dst.reg;
    return inst->msg.ext_mlen > 0 ? inst->src[1].reg : inst->src[0].reg + 1u;
}

static enum igpu_status take_header(struct block *b, const uint8_t *grf)
{
    const struct isa_message *m = &b->inst->msg;
    uint32_t header[3], level = b->s->min_lod + b->s->level;

    if (b->s->type != GFX_2D || b->s->format == NULL || b->s->format->block)
        return gfx_refuse(b->g, "a media block of a surface of type %u", b->s->type);
    memcpy(header, grf + b->inst->src[0].reg * GRF, sizeof(header));
    b->x = (int32_t)header[0];
    b->y = (int32_t)header[1];
    b->bytes = (header[2] & 63) + 1;
    b->rows = (header[2] >> 16 & 63) + 1;
    b->width = gfx_minify(b->s->width, level);
    b->height = gfx_minify(b->s->height, level);
    for (b->pitch = 4; b->pitch < b->bytes;)
        b->pitch *= 2;
    if (b->bytes % 4 != 0 || b->pitch * b->rows > BLOCK_BYTES ||
        b->pitch * b->rows > data_grfs(m) * GRF ||
        data_register(b->inst) + data_grfs(m) > ISA_GRF_COUNT)
        return gfx_refuse(b->g, "a media block of %u bytes by %u rows in %u registers",
                          b->bytes, b->rows, data_grfs(m));
    return IGPU_OK;
}

static void note_line(struct block *b, uint64_t va)
{
    uint64_t line = va & ~(uint64_t)(LINE - 1);

    for (uint32_t i = b->lines; i > 0; i--)
        if (b->line[i - 1] == line)
            return;
    if (b->lines < MAX_LINES)
        b->line[b->lines++] = line;
    else
        b->cut++;
}

/* A texel's bytes from `first` on, up to the block's column `end`. */
static enum igpu_status move_texel(struct block *b, int64_t texel, int64_t row,
                                   uint32_t first, uint32_t bytes, uint8_t *reg)
{
    uint64_t va = b->s->va +
                  gfx_texel_offset(b->s, (uint32_t)igpu_clamp(texel, 0, b->width - 1),
                                   (uint32_t)igpu_clamp(row, 0, b->height - 1),
                                   b->s->min_lod + b->s->level, b->s->first_layer) +
                  first;
    uint8_t *host;

    if (b->inst->msg.is_write &&
        (texel < 0 || texel >= b->width || row < 0 || row >= b->height))
        return IGPU_OK;
    host = emu_mem_host(b->g->mem, va, bytes);
    if (host == NULL)
        return gfx_refuse(b->g, "a texel lies outside the batch's buffers");
    note_line(b, va);
    if (!b->inst->msg.is_write) {
        memcpy(reg, host, bytes);
        return IGPU_OK;
    }
    gfx_tell_write(b->g, va, bytes, host);
    memcpy(host, reg, bytes);
    return IGPU_OK;
}

static enum igpu_status move_row(struct block *b, uint32_t row, uint8_t *reg)
{
    const int64_t texel_bytes = b->s->format->bytes;
    enum igpu_status status = IGPU_OK;

    for (uint32_t done = 0; done < b->bytes && status == IGPU_OK;) {
        int64_t at = b->x + done;
        int64_t texel = at >= 0 ? at / texel_bytes : -1 - (-1 - at) / texel_bytes;
        uint32_t first = (uint32_t)(at - texel * texel_bytes);
        uint32_t bytes = (uint32_t)texel_bytes - first;

        bytes = bytes < b->bytes - done ? bytes : b->bytes - done;
        status = move_texel(b, texel, b->y + row, first, bytes, reg + done);
        done += bytes;
    }
    return status;
}

enum igpu_status gfx_media_message(struct gfx *g, const struct isa_inst *inst,
                                   uint8_t *grf)
{
    struct block b = {.g = g, .s = gfx_surface_of(g, &inst->msg), .inst = inst};
    struct emu_access access = {.space = EMU_SPACE_GLOBAL, .addr = b.line};
    uint8_t *reg = grf + data_register(inst) * GRF;
    enum igpu_status status = b.s != NULL ? take_header(&b, grf) : IGPU_SIM_ERROR;

    for (uint32_t r = 0; r < b.rows && status == IGPU_OK; r++)
        status = move_row(&b, r, reg + (size_t)r * b.pitch);
    if (status != IGPU_OK || g->told.threads.access == NULL)
        return status;
    if (b.cut > 0)
        return gfx_refuse(g, "a media block of more than %d lines, which is recorded",
                          (int)MAX_LINES);
    access.inst = emu_shader_sent(g->thread.machine);
    access.mask = (uint32_t)((UINT64_C(1) << b.lines) - 1);
    g->told.threads.access(g->told.threads.ctx, emu_shader_sender(g->thread.machine),
                           &access);
    return IGPU_OK;
}
