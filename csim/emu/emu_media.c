/* emu_media.c - media blocks: rectangles of an image's bytes to and from registers,
 * what OpenCL's block reads and writes of images compile to. The header has the left
 * byte and the top row, both signed, and in dword 2 the bytes of a row [5:0] and the
 * rows [21:16], each less one. In registers a row takes as many bytes as the next power
 * of two, at least a dword. What is outside of the image reads as the nearest pixel and
 * is not written. A recorded access has a lane for each line of 64 bytes that the block
 * touches. Source: docs/develop/sources.md#gen9-messages,
 * docs/develop/sources.md#images. */
#include "emu_int.h"
#include "igpu/order.h"

enum { LINE = 64, BLOCK_BYTES = 256, MAX_LINES = ISA_MAX_SIMD };

struct block {
    const struct texel_view *view;
    int64_t x, y; /* of the first byte */
    uint32_t width, rows, pitch;
};

static bool take_header(struct emu_thread *t, const struct emu_op *op, struct block *b)
{
    const struct emu_bound *bound = &t->m->surface[op->inst->msg.bti];
    const emu_ud *header =
        (const emu_ud *)(t->grf + op->inst->src[0].reg * ISA_GRF_BYTES);

    if (!bound->is_image || bound->view.image.kind != IMAGE_2D) {
        emu_error(t, op, "a media block of surface %u, which is no 2-D image",
                  op->inst->msg.bti);
        return false;
    }
    *b = (struct block){.view = &bound->view,
                        .x = (int32_t)header[0],
                        .y = (int32_t)header[1],
                        .width = (header[2] & 63) + 1,
                        .rows = (header[2] >> 16 & 63) + 1,
                        .pitch = 4};
    while (b->pitch < b->width)
        b->pitch *= 2;
    if (b->width % 4 == 0 && b->pitch * b->rows <= BLOCK_BYTES)
        return true;
    emu_error(t, op,
              "a media block of %u bytes by %u rows; expected whole dwords, at most %d "
              "bytes of registers",
              b->width, b->rows, (int)BLOCK_BYTES);
    return false;
}

/* The byte of the image that stands for column `at`: of the nearest pixel. */
static uint32_t column(const struct block *b, int64_t at)
{
    int64_t texel = b->view->format.bytes;
    int64_t pixel = at >= 0 ? at / texel : -1 - (-1 - at) / texel;

    return (uint32_t)(igpu_clamp(pixel, 0, (int64_t)b->view->image.width - 1) * texel +
                      (at - pixel * texel));
}

static void read_row(const struct block *b, const uint8_t *row, uint8_t *reg)
{
    int64_t bytes = (int64_t)b->view->image.width * b->view->format.bytes;

    if (b->x >= 0 && b->x + b->width <= bytes) {
        memcpy(reg, row + b->x, b->width);
        return;
    }
    for (uint32_t i = 0; i < b->width; i++)
        reg[i] = row[column(b, b->x + i)];
}

static void write_row(const struct block *b, uint8_t *row, const uint8_t *reg)
{
    int64_t bytes = (int64_t)b->view->image.width * b->view->format.bytes;
    int64_t first = b->x < 0 ? -b->x : 0, end = bytes - b->x;

    end = end < (int64_t)b->width ? end : (int64_t)b->width;
    if (first < end)
        memcpy(row + b->x + first, reg + first, (size_t)(end - first));
}

/* ---- what is recorded ---------------------------------------------------- */

struct lines {
    uint64_t at[MAX_LINES];
    uint32_t count; /* more than MAX_LINES: there was no room */
};

static void add_line(struct lines *l, uint64_t line)
{
    uint32_t i = 0;

    while (i < l->count && l->at[i] != line)
        i++;
    if (i == l->count && l->count < MAX_LINES)
        l->at[l->count++] = line;
    else if (i == l->count)
        l->count = MAX_LINES + 1;
}

/* The lines of row y, by the dwords of its part that is inside (reads: of what stands
 * for the rest, too). */
static void note_row(const struct block *b, bool is_write, uint32_t y, struct lines *l)
{
    const struct emu_image *image = &b->view->image;
    uint32_t texel = b->view->format.bytes;
    int64_t bytes = (int64_t)image->width * texel;

    for (uint32_t i = 0; i < b->width && l->count <= MAX_LINES; i++) {
        int64_t at = b->x + i;
        uint32_t c;

        if (is_write && (at < 0 || at >= bytes))
            continue;
        c = column(b, at);
        add_line(l,
                 (image->va + image_tiled_offset(image, c / texel, y, 0) + c % texel) &
                     ~(uint64_t)(LINE - 1));
    }
}

static void report(struct emu_thread *t, const struct emu_op *op, const struct block *b)
{
    struct lines l = {.count = 0};
    int64_t last = (int64_t)b->view->image.height - 1;
    bool is_write = op->inst->msg.is_write;

    if (t->m->launch->hooks.access == NULL)
        return;
    for (uint32_t r = 0; r < b->rows && l.count <= MAX_LINES; r++)
        if (!is_write || (b->y + r >= 0 && b->y + r <= last))
            note_row(b, is_write, (uint32_t)igpu_clamp(b->y + r, 0, last), &l);
    if (l.count > MAX_LINES)
        emu_error(t, op,
                  "a media block of %u bytes by %u rows is recorded by its lines: "
                  "it has more than %d",
                  b->width, b->rows, (int)MAX_LINES);
    else
        emu_report(t, op, (uint32_t)((UINT64_C(1) << l.count) - 1), EMU_SPACE_GLOBAL,
                   l.at, NULL);
}

/* ---- the message ---------------------------------------------------------- */

static uint32_t data_register(const struct isa_inst *inst)
{
    if (!inst->msg.is_write)
        return inst->dst.reg;
    return inst->msg.ext_mlen > 0 ? inst->src[1].reg : inst->src[0].reg + 1u;
}

void emu_send_media(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    uint8_t *reg = t->grf + data_register(op->inst) * ISA_GRF_BYTES;
    uint32_t grfs = !msg->is_write      ? msg->rlen
                    : msg->ext_mlen > 0 ? msg->ext_mlen
                                        : msg->mlen - 1u;
    const struct emu_image *image;
    struct block b;

    if (mask == 0) {
        emu_report(t, op, 0, EMU_SPACE_GLOBAL, (const uint64_t[1]){0}, NULL);
        return;
    }
    if (!take_header(t, op, &b))
        return;
    if (b.pitch * b.rows > grfs * ISA_GRF_BYTES) {
        emu_error(t, op, "a media block of %u bytes by %u rows in %u registers",
                  b.width, b.rows, grfs);
        return;
    }
    image = &b.view->image;
    for (uint32_t r = 0; r < b.rows; r++) {
        int64_t y = igpu_clamp(b.y + r, 0, (int64_t)image->height - 1);
        uint8_t *row = b.view->host + (uint64_t)y * image->row_pitch;

        if (!msg->is_write)
            read_row(&b, row, reg + (size_t)r * b.pitch);
        else if (y == b.y + r)
            write_row(&b, row, reg + (size_t)r * b.pitch);
    }
    report(t, op, &b);
}

emu_run_fn *emu_pick_media(struct emu_op *op)
{
    const struct isa_inst *inst = op->inst;
    const struct isa_message *msg = &inst->msg;
    uint32_t data = data_register(inst) + (msg->is_write ? msg->ext_mlen : msg->rlen);

    if (inst->src[0].file != ISA_FILE_GRF || inst->src[0].indirect || !msg->header ||
        msg->mlen < 1 || inst->src[0].reg + msg->mlen > ISA_GRF_COUNT ||
        data > ISA_GRF_COUNT ||
        (msg->ext_mlen > 0 && (inst->nsrc < 2 || inst->src[1].file != ISA_FILE_GRF)) ||
        (!msg->is_write && inst->dst.file != ISA_FILE_GRF))
        op->reason = "a media block with an odd payload";
    else if (msg->bti >= EMU_MAX_SURFACES)
        op->reason = "a reserved binding table index";
    return emu_send_media;
}
