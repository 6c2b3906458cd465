/* gfx_stream.c - stream output: primitives, as they go to the clipper, into up to four
 * buffers in memory, each vertex by the declarations of its stream. What does not fit
 * whole is not written, but counted. */
#include "gfx_commands.h"

enum { STREAMS = GFX_STREAMS, NO_OFFSET = -1, LEADING = 0, TRIANGLE_STRIP = 5 };

/* ---- state -------------------------------------------------------------- */

/* 3DSTATE_SO_DECL_LIST: the streams' declarations side by side. */
void gfx_stream_declare(struct gfx *g, const uint32_t *p, uint32_t n)
{
    struct gfx_stream_state *so = &g->c->stream;

    memset(so->count, 0, sizeof(so->count));
    for (uint32_t s = 0; s < STREAMS && n > 2; s++) {
        uint32_t want = gfx_part(p, GFX_SO_DECLS_0 + s);

        so->buffers[s] = gfx_part(p, GFX_SO_BUFFERS_0 + s);
        for (uint32_t i = 0; i < want && i < GFX_STREAM_DECLS && 4 + 2 * i < n; i++) {
            so->decl[s][i] = (uint16_t)(p[3 + 2 * i + s / 2] >> 16 * (s & 1));
            so->count[s]++;
        }
    }
}

/* 3DSTATE_SO_BUFFER, and where it is written on: at its beginning, or where the number
 * in memory says. */
enum igpu_status gfx_stream_buffer(struct gfx *g, const uint32_t *p)
{
    uint32_t index = gfx_part(p, GFX_SO_INDEX), offset = gfx_part(p, GFX_SO_OFFSET);
    struct gfx_stream_buffer *b = &g->c->stream.buffer[index];
    enum igpu_status status = IGPU_OK;

    *b = (struct gfx_stream_buffer){.on = gfx_part(p, GFX_SO_ON),
                                    .va = gfx_part_address(p, GFX_SO_ADDRESS),
                                    .bytes =
                                        4 * ((uint64_t)gfx_part(p, GFX_SO_DWORDS) + 1),
                                    .keeps = gfx_part(p, GFX_SO_KEEPS),
                                    .kept = gfx_part_address(p, GFX_SO_KEPT_ADDRESS)};
    if (!gfx_part(p, GFX_SO_SETS_OFFSET))
        return IGPU_OK;
    if (offset == (uint32_t)NO_OFFSET)
        status = b->keeps ? gfx_read(g, b->kept, &offset, sizeof(offset))
                          : gfx_refuse(g, "a stream output buffer without an offset");
    if (status == IGPU_OK)
        gfx_set_register(g, GFX_REG_STREAM_OFFSET + 4 * index, offset);
    return status;
}

bool gfx_stream_counts(const struct gfx *g, uint32_t offset, uint64_t *value)
{
    uint32_t stream = offset >> 3 & (STREAMS - 1);
    uint32_t first = offset - 8 * stream; /* of the registers of four streams */
    bool written = first == GFX_REG_STREAM_WRITTEN;

    if (!written && first != GFX_REG_STREAM_NEEDED)
        return false;
    *value = written ? g->c->streamed[stream] : g->c->stream_needed[stream];
    return true;
}

enum igpu_status gfx_stream_end(struct gfx *g)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < STREAMS && status == IGPU_OK; i++) {
        const struct gfx_stream_buffer *b = &g->c->stream.buffer[i];
        uint32_t offset = (uint32_t)gfx_register(g, GFX_REG_STREAM_OFFSET + 4 * i);

        if (gfx_get(g, GFX_STREAMOUT_ON) && b->on && b->keeps)
            status = gfx_write(g, b->kept, &offset, sizeof(offset));
    }
    return status;
}

/* ---- primitives --------------------------------------------------------- */

static uint32_t pitch_of(const struct gfx *g, uint32_t buffer)
{
    return gfx_get(g, GFX_STREAMOUT_PITCH_0 + buffer);
}

/* Room for n vertices in each buffer of the stream? */
static bool primitive_fits(struct gfx *g, uint32_t stream,
                           const uint32_t offset[STREAMS], uint32_t n)
{
    for (uint32_t i = 0; i < STREAMS; i++) {
        const struct gfx_stream_buffer *b = &g->c->stream.buffer[i];

        if (!(g->c->stream.buffers[stream] >> i & 1))
            continue;
        if (!b->on || offset[i] + (uint64_t)n * pitch_of(g, i) > b->bytes)
            return false;
    }
    return true;
}

/* A declaration: channels of one slot, packed, or as many dwords left out. */
static enum igpu_status vertex_put(struct gfx *g, const struct gfx_vertex *v,
                                   uint32_t decl, uint32_t slot, uint64_t va,
                                   uint32_t *bytes)
{
    uint32_t value[4] = {0, 0, 0, 0};
    bool hole = gfx_part(&decl, GFX_DECL_HOLE);

    *bytes = 0;
    for (uint32_t c = 0; c < 4; c++)
        if (gfx_part(&decl, GFX_DECL_MASK) >> c & 1) {
            if (slot < GFX_SLOTS)
                memcpy(&value[*bytes / 4], &v->slot[slot][c], 4);
            *bytes += 4;
        }
    g->counters.streamed_bytes += hole ? 0 : *bytes;
    return hole || *bytes == 0 ? IGPU_OK : gfx_write(g, va, value, *bytes);
}

static enum igpu_status put_vertex(struct gfx *g, const struct gfx_vertex *v,
                                   uint32_t stream, uint32_t offset[STREAMS])
{
    const struct gfx_stream_state *so = &g->c->stream;
    uint32_t at[STREAMS], bytes;
    uint32_t first = 2 * gfx_get(g, GFX_STREAMOUT_OFFSET_0 + stream);
    enum igpu_status status = IGPU_OK;

    memcpy(at, offset, sizeof(at));
    for (uint32_t i = 0; i < so->count[stream] && status == IGPU_OK; i++) {
        uint32_t decl = so->decl[stream][i], b = gfx_part(&decl, GFX_DECL_BUFFER);

        if (!(so->buffers[stream] >> b & 1))
            continue;
        status = vertex_put(g, v, decl, first + gfx_part(&decl, GFX_DECL_SLOT),
                            so->buffer[b].va + at[b], &bytes);
        at[b] += bytes;
    }
    for (uint32_t i = 0; i < STREAMS; i++)
        offset[i] += so->buffers[stream] >> i & 1 ? pitch_of(g, i) : 0;
    g->counters.streamed_vertices++;
    return status;
}

/* Every second triangle of a strip comes with its first vertices changed round, for its
 * winding: then the last one stays last. Where the first one is to stay first, the
 * others change. */
static bool by_leading(const struct gfx *g, const struct gfx_vertex *const *v,
                       uint32_t n)
{
    uint32_t topology = gfx_get(g, g->gs.emits ? GFX_GS_TOPOLOGY : GFX_TOPOLOGY);

    return n == 3 && topology == TRIANGLE_STRIP && v[0] > v[1] &&
           gfx_get(g, GFX_STREAMOUT_ORDER) == LEADING;
}

enum igpu_status gfx_stream_out(struct gfx *g, const struct gfx_vertex *const *v,
                                uint32_t n)
{
    uint32_t stream = g->gs.emits ? g->gs.stream : 0, offset[STREAMS], turn;
    enum igpu_status status = IGPU_OK;

    if (!gfx_get(g, GFX_STREAMOUT_ON))
        return IGPU_OK;
    for (uint32_t i = 0; i < STREAMS; i++)
        offset[i] = (uint32_t)gfx_register(g, GFX_REG_STREAM_OFFSET + 4 * i);
    g->c->stream_needed[stream] += gfx_get(g, GFX_STREAMOUT_COUNTED);
    if (g->c->stream.count[stream] == 0 || !primitive_fits(g, stream, offset, n))
        return IGPU_OK;
    g->c->streamed[stream] += gfx_get(g, GFX_STREAMOUT_COUNTED);
    g->counters.streamed_primitives++;
    turn = by_leading(g, v, n);
    for (uint32_t i = 0; i < n && status == IGPU_OK; i++)
        status = put_vertex(g, v[(i + turn) % n], stream, offset);
    for (uint32_t i = 0; i < STREAMS; i++)
        gfx_set_register(g, GFX_REG_STREAM_OFFSET + 4 * i, offset[i]);
    return status;
}
