/* gfx_tess.c - patches: a hull shader's threads, which meet at barriers, write a
 * patch's entry of the URB: its factors and what the API's program keeps in it; the
 * tessellator makes points, and a domain shader in SIMD8 a vertex of each. */
#include "gfx_tess.h"

enum { GRF = 32, OWORD = 16, LANES = 8, PATCH_BYTES = 1 << 15, MOST_CORNERS = 32 };
enum { SIMD8_WRITE = 7, SIMD8_READ = 8, SINGLE_PATCH = 0, DOMAIN_SIMD8 = 1 };
enum { PATCH_HANDLE = 0x100, INSTANCE_SHIFT = 17, MOST_INSTANCES = 4 };
enum { HULL = 0x1B, DOMAIN = 0x1D, HULL_CONSTANTS = 0x19, DOMAIN_CONSTANTS = 0x1A };
enum { TO_POINTS, TO_LINES, TO_TRIANGLES, TO_TRIANGLES_BACK };

/* A patch that is made. */
struct patch {
    struct gfx *g;
    const struct gfx_vertex *corner;
    uint32_t corners;
    uint8_t entry[PATCH_BYTES];
    struct gfx_tessellated t;
    struct gfx_vertex v[GFX_TESS_POINTS];
    struct gfx_vertex *out; /* the domain shader's lanes */
    uint32_t lanes;
};

/* ---- messages ----------------------------------------------------------- */

/* The dword at byte `at` behind a handle: of a corner, or of the patch; outside: 0. */
static uint32_t dword_of(const struct patch *p, uint32_t handle, uint64_t at)
{
    uint32_t value = 0;

    if (handle < p->corners && at + 4 <= sizeof(p->corner[0].slot))
        memcpy(&value, (const uint8_t *)p->corner[handle].slot + at, 4);
    else if (handle == PATCH_HANDLE && at + 4 <= PATCH_BYTES)
        memcpy(&value, p->entry + at, 4);
    return value;
}

/* Byte that lane's message is about; its handle. */
static uint64_t place_of(const struct isa_inst *inst, const uint8_t *payload,
                         uint32_t lane, uint32_t *handle)
{
    uint32_t desc = inst->msg.desc, offset = 0;

    memcpy(handle, payload + 4 * lane, 4);
    if (desc >> 17 & 1)
        memcpy(&offset, payload + GRF + 4 * lane, 4);
    return ((uint64_t)gfx_bits(desc, 4, 14) + offset) * OWORD;
}

static enum igpu_status urb_read(struct patch *p, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask, const uint8_t *payload)
{
    if (inst->dst.reg + inst->msg.rlen > ISA_GRF_COUNT)
        return gfx_refuse(p->g, "a URB read into register %u", inst->dst.reg);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t handle;
        uint64_t at = place_of(inst, payload, lane, &handle);

        for (uint32_t i = 0; i < inst->msg.rlen && mask >> lane & 1; i++) {
            uint32_t value = dword_of(p, handle, at + 4 * i);

            memcpy(grf + (inst->dst.reg + i) * GRF + 4 * lane, &value, 4);
        }
    }
    return IGPU_OK;
}

/* To the patch, or where a domain shader runs to the lane's vertex. */
static enum igpu_status urb_write(struct patch *p, const struct isa_inst *inst,
                                  uint32_t mask, const uint8_t *payload, uint32_t grfs)
{
    uint32_t desc = inst->msg.desc, head = 1 + (desc >> 17 & 1) + (desc >> 15 & 1);
    size_t room = p->out != NULL ? sizeof(p->out->slot) : PATCH_BYTES;

    p->g->counters.urb_writes++;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t handle, channels = UINT32_MAX;
        uint64_t at = place_of(inst, payload, lane, &handle);
        uint8_t *to = p->entry;

        if (!(mask >> lane & 1))
            continue;
        if (p->out != NULL)
            to = (uint8_t *)p->out[lane].slot;
        if (desc >> 15 & 1)
            memcpy(&channels, payload + (head - 1) * GRF + 4 * lane, 4);
        channels = desc >> 15 & 1 ? channels >> 16 & 0xFF : channels;
        for (uint32_t i = 0; head + i < grfs; i++) {
            if (!(channels >> (i & 31) & 1))
                continue;
            if (at + 4 * i + 4 > room)
                return gfx_refuse(p->g, "a URB write behind a patch or a vertex");
            memcpy(to + at + 4 * i, payload + (head + i) * GRF + 4 * lane, 4);
            p->g->counters.urb_bytes += 4;
        }
    }
    return IGPU_OK;
}

static enum igpu_status message(void *ctx, const struct isa_inst *inst, uint8_t *grf,
                                uint32_t mask, struct igpu_err *err)
{
    struct patch *p = ctx;
    uint8_t payload[GFX_PAYLOAD_BYTES];
    uint32_t op = inst->msg.desc & 15, grfs;

    (void)err;
    if (inst->msg.sfid == ISA_SFID_SAMPLER)
        return gfx_sample(p->g, inst, grf, mask);
    if (gfx_is_image_message(inst))
        return gfx_image_message(p->g, inst, grf, mask);
    if (inst->msg.sfid != ISA_SFID_URB || (op != SIMD8_WRITE && op != SIMD8_READ))
        return gfx_refuse(p->g, "a message 0x%08x to %s of a patch's shader",
                          inst->msg.desc, isa_sfid_name(inst->msg.sfid));
    grfs = gfx_payload(inst, grf, payload);
    mask &= p->lanes;
    return op == SIMD8_READ ? urb_read(p, inst, grf, mask, payload)
                            : urb_write(p, inst, mask, payload, grfs);
}

/* ---- hull shader -------------------------------------------------------- */

static enum igpu_status hull_payload(struct patch *p, uint32_t instance, uint8_t *grf)
{
    struct gfx *g = p->g;
    uint32_t first = gfx_get(g, GFX_HS_FIRST_GRF) | gfx_get(g, GFX_HS_FIRST_GRF_5) << 5;
    const uint32_t head[3] = {PATCH_HANDLE, g->tess.id, instance << INSTANCE_SHIFT};
    uint32_t bytes;

    memcpy(grf, head, sizeof(head));
    gfx_put_scratch(grf);
    for (uint32_t i = 0; i < p->corners && gfx_get(g, GFX_HS_HANDLES); i++)
        memcpy(grf + GRF + 4 * i, &i, 4);
    if (gfx_get(g, GFX_HS_READ_LENGTH) != 0)
        return gfx_refuse(g, "a hull shader's corners in registers");
    return gfx_constants(g, HULL_CONSTANTS, grf + first * GRF,
                         EMU_SHADER_GRF_BYTES - first * GRF, &bytes);
}

static enum igpu_status run_hull(struct patch *p)
{
    struct gfx *g = p->g;
    uint32_t instances = gfx_get(g, GFX_HS_INSTANCES) + 1, lanes[MOST_INSTANCES];
    static const uint8_t nothing[EMU_SHADER_GRF_BYTES];
    uint8_t grf[MOST_INSTANCES][EMU_SHADER_GRF_BYTES];
    struct emu_shader_group group = {
        .threads = instances, .grf = grf[0], .lanes = lanes};
    struct emu_counts counts = {0};
    struct gfx_shader *s;
    enum igpu_status status = IGPU_OK;

    if (gfx_get(g, GFX_HS_DISPATCH) != SINGLE_PATCH || instances > MOST_INSTANCES)
        return gfx_refuse(g, "a hull shader of mode %u, %u times",
                          gfx_get(g, GFX_HS_DISPATCH), instances);
    s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, HULL, 3), 8,
                        "hull shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    for (uint32_t i = 0; i < instances && status == IGPU_OK; i++) {
        memcpy(grf[i], nothing, sizeof(nothing));
        lanes[i] = 0xFF;
        status = hull_payload(p, i, grf[i]);
    }
    gfx_bind_stage(g, 0x27, 0x2C);
    if (status == IGPU_OK)
        status = gfx_bind_buffers(g, s);
    group.shader = s->shader;
    p->lanes = 0xFF;
    p->out = NULL;
    memset(p->entry, 0, sizeof(p->entry));
    if (status == IGPU_OK)
        status = emu_shader_run_group(g->machine, &group, message, p, &counts, g->err);
    g->counters.hs_invocations++;
    g->counters.hs_threads += instances;
    g->counters.hs_instructions += counts.instructions;
    return status == IGPU_OK ? gfx_spend(g, counts.instructions) : status;
}

/* ---- domain shader ------------------------------------------------------ */

static enum igpu_status domain_payload(struct patch *p, uint32_t from, uint32_t count,
                                       uint8_t *grf)
{
    struct gfx *g = p->g;
    uint32_t first = gfx_get(g, GFX_DS_FIRST_GRF) * GRF, bytes;
    uint32_t head[2] = {PATCH_HANDLE, g->tess.id};
    uint32_t offset = gfx_get(g, GFX_DS_READ_OFFSET) * GRF;
    uint32_t length = gfx_get(g, GFX_DS_READ_LENGTH) * GRF;
    enum igpu_status status;

    memcpy(grf, head, sizeof(head));
    gfx_put_scratch(grf);
    for (uint32_t i = 0; i < count; i++) {
        const float *at = p->t.point[from + i];
        float w = gfx_get(g, GFX_DS_W) ? 1 - at[0] - at[1] : 0;

        memcpy(grf + GRF + 4 * i, &at[0], 4);
        memcpy(grf + 2 * GRF + 4 * i, &at[1], 4);
        memcpy(grf + 3 * GRF + 4 * i, &w, 4);
    }
    status = gfx_constants(g, DOMAIN_CONSTANTS, grf + first,
                           EMU_SHADER_GRF_BYTES - first, &bytes);
    if (status != IGPU_OK)
        return status;
    if (first + bytes + length > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a domain shader's payload of too many registers");
    memcpy(grf + first + bytes, p->entry + offset, length);
    return IGPU_OK;
}

static enum igpu_status run_domain(struct patch *p)
{
    struct gfx *g = p->g;
    struct emu_counts counts = {0};
    struct gfx_shader *s;
    enum igpu_status status;

    if (gfx_get(g, GFX_DS_DISPATCH) != DOMAIN_SIMD8)
        return gfx_refuse(g, "a domain shader that is not SIMD8");
    s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, DOMAIN, 1), 8,
                        "domain shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    gfx_bind_stage(g, 0x28, 0x2D);
    status = gfx_bind_buffers(g, s);
    memset(p->v, 0, p->t.points * sizeof(p->v[0]));
    for (uint32_t i = 0; i < p->t.points && status == IGPU_OK; i += LANES) {
        uint32_t count = p->t.points - i < LANES ? p->t.points - i : LANES;
        uint8_t grf[EMU_SHADER_GRF_BYTES] = {0};

        p->lanes = (1u << count) - 1;
        p->out = p->v + i;
        counts.instructions = 0;
        status = domain_payload(p, i, count, grf);
        if (status == IGPU_OK)
            status = emu_shader_run(g->machine, s->shader, grf, p->lanes, message, p,
                                    &counts, NULL, g->err);
        if (status == IGPU_OK)
            status = gfx_spend(g, counts.instructions);
        g->counters.ds_invocations += count;
        g->counters.ds_threads++;
        g->counters.ds_instructions += counts.instructions;
    }
    return status;
}

/* ---- patches ------------------------------------------------------------ */

/* Where they are in the patch's first eight dwords: from the last one back, but those
 * of lines. */
static void find_factors(struct patch *p, struct gfx_factors *f)
{
    float word[8];
    bool lines;

    memcpy(word, p->entry, sizeof(word));
    f->domain = (enum gfx_domain)gfx_get(p->g, GFX_TE_DOMAIN);
    f->how = (enum gfx_partition)gfx_get(p->g, GFX_TE_PARTITION);
    lines = f->domain == GFX_DOMAIN_LINES;
    for (uint32_t i = 0; i < 4; i++)
        f->outer[i] = word[lines ? 6 + i % 2 : 7 - i];
    f->inner[0] = word[f->domain == GFX_DOMAIN_TRI ? 4 : 3];
    f->inner[1] = word[2];
}

static enum igpu_status one_patch(struct patch *p)
{
    struct gfx *g = p->g;
    uint32_t to = gfx_get(g, GFX_TE_OUTPUT);
    struct gfx_factors f;
    enum igpu_status status = run_hull(p);

    if (status != IGPU_OK)
        return status;
    find_factors(p, &f);
    p->t.size = to == TO_POINTS ? 1 : to == TO_LINES ? 2 : 3;
    p->t.against = to == TO_TRIANGLES;
    gfx_tessellate(&p->t, &f);
    status = run_domain(p);
    gfx_bind_stage(g, 0x2A, 0x2F);
    g->counters.te_primitives += p->t.indices / p->t.size;
    if (status == IGPU_OK)
        status = gfx_assemble_indexed(g, p->t.size, p->v, p->t.index, p->t.indices);
    return status == IGPU_OK ? gfx_geometry_flush(g) : status;
}

static enum igpu_status check(struct gfx *g, uint32_t corners)
{
    if (!gfx_get(g, GFX_HS_ON) || !gfx_get(g, GFX_TE_ON) || !gfx_get(g, GFX_DS_ON) ||
        corners > MOST_CORNERS)
        return gfx_refuse(g, "patches of %u corners without tessellation", corners);
    if (gfx_get(g, GFX_TE_DOMAIN) > 2 || gfx_get(g, GFX_TE_PARTITION) > 2 ||
        gfx_get(g, GFX_TE_MODE) != 0)
        return gfx_refuse(g, "a reserved mode of the tessellator");
    if (g->watch.message != NULL)
        return gfx_refuse(g, "tessellation, while threads are recorded");
    return IGPU_OK;
}

enum igpu_status gfx_patches(struct gfx *g, uint32_t corners,
                             const struct gfx_vertex *v, uint32_t n)
{
    struct patch *p = malloc(sizeof(*p));
    enum igpu_status status = check(g, corners);

    if (p == NULL)
        status = gfx_refuse(g, "out of memory for a patch");
    g->tess.on = true;
    for (uint32_t i = 0; i + corners <= n && status == IGPU_OK; i += corners) {
        p->g = g;
        p->corner = v + i;
        p->corners = corners;
        g->d.in_pixels = false;
        g->counters.ia_patches++;
        status = one_patch(p);
        g->tess.id++;
    }
    g->tess.on = false;
    free(p);
    return status;
}
