/* trace_graphics.c - see trace_graphics.h. */
#include "traces/format/trace_graphics.h"

#include <string.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 }; /* protobuf's types of a field */
enum {
    DEPTH_BITS = TRACE_DEPTH_WRITTEN | TRACE_DEPTH_READ | TRACE_DEPTH_NOTE,
    HOW_BITS = DEPTH_BITS | TRACE_LINE_PACKED | TRACE_LINE_PACKS
};

/* ---- out ---------------------------------------------------------------- */

static void column_add(struct trace_graphics_out *out, uint32_t column, uint64_t value)
{
    trace_bytes_varint(&out->column[column], value);
    if (value != 0)
        out->used[column] = out->column[column].size;
}

static void add_payload(struct trace_graphics_out *out, const struct trace_payload *p)
{
    for (uint32_t w = 0; w < TRACE_WORKS; w++)
        column_add(out, TRACE_G_WORK, p->work[w]);
    column_add(out, TRACE_G_NEEDED, p->needed);
    column_add(out, TRACE_G_DRAW, p->draw);
    column_add(out, TRACE_G_STAGE, p->stage);
    column_add(out, TRACE_G_RUNS, p->runs);
    for (uint32_t i = 0; i < p->runs; i++) {
        uint64_t page = p->depth[i].page / TRACE_DEPTH_PAGE;

        column_add(out, TRACE_G_PAGE, trace_zigzag((int64_t)(page - out->page)));
        column_add(out, TRACE_G_PAGE_HOW, p->depth[i].how);
        column_add(out, TRACE_G_PAGE_LINES, p->depth[i].lines);
        out->page = page;
    }
}

/* Lines that are touched alike have come to an end. */
static void end_lines(struct trace_graphics_out *out)
{
    if (out->lines > 0) {
        column_add(out, TRACE_G_HOW, out->how);
        column_add(out, TRACE_G_HOW_LINES, out->lines);
    }
    out->lines = 0;
}

static void add_lines(struct trace_graphics_out *out, const uint8_t *how,
                      uint32_t lines)
{
    for (uint32_t i = 0; i < lines; i++) {
        if (how[i] != out->how)
            end_lines(out);
        out->how = how[i];
        out->lines++;
    }
}

void trace_graphics_put(struct trace_graphics_out *out, const struct trace_graphics *g,
                        uint32_t lines)
{
    if (g->family == ISA_MSG_PAYLOAD) {
        add_payload(out, &g->payload);
        return;
    }
    if (g->family == ISA_MSG_TEXTURE) {
        column_add(out, TRACE_G_SAMPLES, g->texture.samples);
    } else {
        column_add(out, TRACE_G_WRITTEN, g->target.written);
        column_add(out, TRACE_G_READ, g->target.read);
    }
    add_lines(out, g->how, lines);
}

void trace_graphics_empty(struct trace_graphics_out *out)
{
    for (uint32_t c = 0; c < TRACE_G_COLUMNS; c++)
        out->column[c].size = out->used[c] = 0;
    out->page = 0;
    out->lines = out->how = 0;
}

void trace_graphics_encode(struct trace_graphics_out *out, struct trace_bytes *to)
{
    if (out->how != 0) /* the last ones may be left out where that is 0 */
        end_lines(out);
    for (uint32_t c = 1; c < TRACE_G_COLUMNS; c++) {
        to->failed |= out->column[c].failed;
        if (out->used[c] == 0)
            continue;
        trace_bytes_varint(to, c << 3 | WIRE_BYTES);
        trace_bytes_varint(to, out->used[c]);
        trace_bytes_put(to, out->column[c].data, out->used[c]);
    }
    trace_graphics_empty(out);
}

void trace_graphics_free(struct trace_graphics_out *out)
{
    for (uint32_t c = 0; c < TRACE_G_COLUMNS; c++)
        trace_bytes_free(&out->column[c]);
}

/* ---- in ----------------------------------------------------------------- */

bool trace_graphics_open(struct trace_graphics_in *in, const void *data, size_t size)
{
    struct trace_view all = trace_view_of(data, size);

    memset(in, 0, sizeof(*in));
    while (all.at != all.end && !all.bad) {
        uint64_t key = trace_view_varint(&all), bytes = trace_view_varint(&all);
        const uint8_t *from;

        if (key % 8 == WIRE_VARINT && key / 8 >= TRACE_G_COLUMNS)
            continue; /* a later version's */
        if (key % 8 != WIRE_BYTES || key / 8 == 0)
            return false;
        from = trace_view_bytes(&all, bytes);
        if (from == NULL || key / 8 >= TRACE_G_COLUMNS)
            continue;
        if (in->column[key / 8].at != NULL)
            return false;
        in->column[key / 8] = trace_view_of(from, bytes);
    }
    return !all.bad;
}

/* A column's next number, at most `limit` or else *ok gets false; 0 behind its end. */
static uint64_t column_take(struct trace_graphics_in *in, uint32_t column,
                            uint64_t limit, bool *ok)
{
    struct trace_view *v = &in->column[column];
    uint64_t value;

    if (v->at == v->end)
        return 0;
    value = *v->at < 0x80 ? *v->at++ : trace_view_varint(v); /* most have one byte */
    *ok &= !v->bad && value <= limit;
    return value;
}

static bool take_payload(struct trace_graphics_in *in, struct trace_payload *p)
{
    bool ok = true;

    for (uint32_t w = 0; w < TRACE_WORKS; w++)
        p->work[w] = column_take(in, TRACE_G_WORK, UINT64_MAX, &ok);
    p->needed = column_take(in, TRACE_G_NEEDED, UINT64_MAX, &ok);
    p->draw = (uint32_t)column_take(in, TRACE_G_DRAW, UINT32_MAX, &ok);
    p->stage = (enum trace_stage)column_take(in, TRACE_G_STAGE, TRACE_STAGES - 1, &ok);
    p->runs = (uint32_t)column_take(in, TRACE_G_RUNS, TRACE_DEPTH_RUNS, &ok);
    for (uint32_t i = 0; ok && i < p->runs; i++) {
        in->page +=
            (uint64_t)trace_unzigzag(column_take(in, TRACE_G_PAGE, UINT64_MAX, &ok));
        p->depth[i].page = in->page * TRACE_DEPTH_PAGE;
        p->depth[i].how = (uint8_t)column_take(in, TRACE_G_PAGE_HOW, DEPTH_BITS, &ok);
        p->depth[i].lines = column_take(in, TRACE_G_PAGE_LINES, UINT64_MAX, &ok);
    }
    return ok;
}

static bool take_lines(struct trace_graphics_in *in, uint32_t lines, uint8_t *how)
{
    const struct trace_view *left = &in->column[TRACE_G_HOW_LINES];
    bool ok = true;

    while (ok && lines > 0) {
        uint32_t n;

        if (in->lines == 0 && left->at == left->end) { /* the last ones are left out */
            memset(how, 0, lines);
            return true;
        }
        if (in->lines == 0) {
            in->how = (uint8_t)column_take(in, TRACE_G_HOW, HOW_BITS, &ok);
            in->lines = (uint32_t)column_take(in, TRACE_G_HOW_LINES, UINT32_MAX, &ok);
            ok &= in->lines > 0;
        }
        n = in->lines < lines ? in->lines : lines;
        memset(how, in->how, n);
        how += n;
        lines -= n;
        in->lines -= n;
    }
    return ok;
}

bool trace_graphics_next(struct trace_graphics_in *in, uint8_t family, uint32_t lines,
                         struct trace_graphics *g)
{
    bool ok = true;

    g->family = family;
    if (family == ISA_MSG_PAYLOAD)
        return lines == 0 && take_payload(in, &g->payload);
    if (family == ISA_MSG_TEXTURE) {
        g->texture.samples =
            (uint32_t)column_take(in, TRACE_G_SAMPLES, UINT32_MAX, &ok);
    } else {
        g->target.written = (uint32_t)column_take(in, TRACE_G_WRITTEN, UINT32_MAX, &ok);
        g->target.read = (uint32_t)column_take(in, TRACE_G_READ, UINT32_MAX, &ok);
    }
    return ok && take_lines(in, lines, g->how);
}

bool trace_graphics_over(const struct trace_graphics_in *in)
{
    for (uint32_t c = 1; c < TRACE_G_COLUMNS; c++)
        if (in->column[c].at != in->column[c].end)
            return false;
    return in->lines == 0;
}
