/* gfx_tess.c - patches: a hull shader's threads, which meet at barriers, write a
 * patch's entry of the URB: its factors and what the API's program keeps in it; the
 * tessellator makes points, and a domain shader in SIMD8 a vertex of each. */
#include "gfx_tess.h"
#include "gfx_geometry.h"
#include "gfx_texture.h"

#include "gfx_message.h"

enum { GRF = 32, LANES = 8, PATCH_BYTES = 1 << 15, MOST_CORNERS = 32 };
enum { SINGLE_PATCH = 0, DOMAIN_SIMD8 = 1 };
enum { ALL_LANES = 255 }; /* of SIMD8 */
enum { PATCH_HANDLE = 256, INSTANCE_SHIFT = 17, MOST_INSTANCES = 4 };
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

/* Of a corner, or of the patch; what has another handle reads as zeros. */
static const void *find_entry(const void *ctx, uint32_t handle, size_t *bytes)
{
    const struct patch *p = ctx;

    if (handle < p->corners) {
        *bytes = sizeof(p->corner[handle].slot);
        return p->corner[handle].slot;
    }
    *bytes = handle == PATCH_HANDLE ? sizeof(p->entry) : 0;
    return p->entry;
}

/* Hull shaders write to the patch, domain shaders to the lane's vertex. */
static enum igpu_status patch_message(void *ctx, const struct isa_inst *inst,
                                      uint8_t *grf, uint32_t mask, struct igpu_err *err)
{
    struct patch *p = ctx;
    const struct gfx_urb_entries patch = {p->entry, 0, sizeof(p->entry)};
    bool domain = p->out != NULL;
    const struct gfx_urb_entries out = {domain ? p->out->slot : NULL, sizeof(*p->out),
                                        sizeof(p->out->slot)};

    (void)err;
    if (gfx_is_urb(inst, GFX_URB_READ))
        return gfx_urb_read(p->g, inst, grf, mask & p->lanes, find_entry, p);
    if (gfx_is_urb(inst, GFX_URB_WRITE))
        return gfx_urb_write(p->g, inst, grf, mask & p->lanes, domain ? &out : &patch);
    return gfx_common_message(p->g, inst, grf, mask, domain ? "domain" : "hull");
}

/* ---- hull shader -------------------------------------------------------- */

static enum igpu_status hull_payload(struct patch *p, uint32_t instance, uint8_t *grf)
{
    struct gfx *g = p->g;
    uint32_t first = gfx_get(g, GFX_HS_FIRST_GRF) | gfx_get(g, GFX_HS_FIRST_GRF_5) << 5;
    const uint32_t head[3] = {PATCH_HANDLE, g->tess.id, instance << INSTANCE_SHIFT};
    enum igpu_status status;
    uint32_t bytes;

    memcpy(grf, head, sizeof(head));
    gfx_put_pointers(g, grf);
    for (uint32_t i = 0; i < p->corners && gfx_get(g, GFX_HS_HANDLES); i++)
        memcpy(grf + GRF + 4 * i, &i, 4);
    if (gfx_get(g, GFX_HS_READ_LENGTH) != 0)
        return gfx_refuse(g, "a hull shader's corners in registers");
    status = gfx_constants(g, GFX_3DSTATE_CONSTANT_HS, grf + first * GRF,
                           EMU_SHADER_GRF_BYTES - first * GRF, &bytes);
    g->d.payload = first * GRF + bytes;
    return status;
}

static enum igpu_status run_hull(struct patch *p)
{
    struct gfx *g = p->g;
    uint32_t instances = gfx_get(g, GFX_HS_INSTANCES) + 1, lanes[MOST_INSTANCES];
    static const uint8_t nothing[EMU_SHADER_GRF_BYTES];
    uint8_t grf[MOST_INSTANCES][EMU_SHADER_GRF_BYTES];
    struct emu_shader_group group = {
        .threads = instances, .grf = grf[0], .lanes = lanes};
    struct emu_counts counts = {0}, each[MOST_INSTANCES] = {{0}};
    struct gfx_run run = {
        .grf = grf[0], .lanes = ALL_LANES, .answer = patch_message, .ctx = p};
    struct gfx_shader *s;
    enum igpu_status status = IGPU_OK;

    if (gfx_get(g, GFX_HS_DISPATCH) != SINGLE_PATCH || instances > MOST_INSTANCES)
        return gfx_refuse(g, "a hull shader of mode %u, %u times",
                          gfx_get(g, GFX_HS_DISPATCH), instances);
    s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, GFX_HS_KERNEL),
                        8, "hull shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    gfx_bind_stage(g, GFX_STAGE_HULL);
    for (uint32_t i = 0; i < instances && status == IGPU_OK; i++) {
        memcpy(grf[i], nothing, sizeof(nothing));
        lanes[i] = ALL_LANES;
        status = hull_payload(p, i, grf[i]);
    }
    if (status == IGPU_OK)
        status = gfx_share_scratch(g, grf[0], instances, gfx_get(g, GFX_HS_SCRATCH));
    if (status == IGPU_OK)
        status = gfx_bind_buffers(g, s);
    run.shader = s;
    group.shader = s->shader;
    group.each = each;
    p->lanes = ALL_LANES;
    p->out = NULL;
    memset(p->entry, 0, sizeof(p->entry));
    if (status == IGPU_OK)
        status = gfx_run_group(g, &run, &group, &counts);
    g->counters.hs_invocations++;
    g->counters.hs_threads += instances;
    g->counters.hs_instructions += counts.instructions;
    if (status == IGPU_OK)
        gfx_group_ended(g, GFX_STAGE_HULL, s, instances, each);
    return status;
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
    gfx_put_pointers(g, grf);
    for (uint32_t i = 0; i < count; i++) {
        const float *at = p->t.point[from + i];
        float w = gfx_get(g, GFX_DS_W) ? 1 - at[0] - at[1] : 0;

        memcpy(grf + GRF + 4 * i, &at[0], 4);
        memcpy(grf + 2 * GRF + 4 * i, &at[1], 4);
        memcpy(grf + 3 * GRF + 4 * i, &w, 4);
    }
    status = gfx_constants(g, GFX_3DSTATE_CONSTANT_DS, grf + first,
                           EMU_SHADER_GRF_BYTES - first, &bytes);
    if (status != IGPU_OK)
        return status;
    if (first + bytes + length > EMU_SHADER_GRF_BYTES)
        return gfx_refuse(g, "a domain shader's payload of too many registers");
    memcpy(grf + first + bytes, p->entry + offset, length);
    g->d.payload = first + bytes + length;
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
    s = gfx_find_shader(g, g->c->instruction_base + gfx_get_address(g, GFX_DS_KERNEL),
                        8, "domain shader");
    if (s == NULL)
        return IGPU_SIM_ERROR;
    gfx_bind_stage(g, GFX_STAGE_DOMAIN);
    status = gfx_bind_buffers(g, s);
    memset(p->v, 0, p->t.points * sizeof(p->v[0]));
    for (uint32_t i = 0; i < p->t.points && status == IGPU_OK; i += LANES) {
        uint32_t count = p->t.points - i < LANES ? p->t.points - i : LANES;
        uint8_t grf[EMU_SHADER_GRF_BYTES] = {0};

        p->lanes = (1u << count) - 1;
        p->out = p->v + i;
        counts = (struct emu_counts){0};
        status = domain_payload(p, i, count, grf);
        if (status == IGPU_OK)
            status =
                gfx_run_thread(g, &(struct gfx_run){s, grf, p->lanes, patch_message, p},
                               &counts, NULL);
        g->counters.ds_invocations += count;
        g->counters.ds_threads++;
        g->counters.ds_instructions += counts.instructions;
        if (status == IGPU_OK)
            gfx_thread_ended(g, GFX_STAGE_DOMAIN, s, &counts);
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

static enum igpu_status one_patch(struct patch *p, gfx_patch_assembler *assemble)
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
    gfx_bind_stage(g, GFX_STAGE_PIXEL);
    g->counters.te_primitives += p->t.indices / p->t.size;
    if (status == IGPU_OK)
        status = assemble(g, p->t.size, p->v, p->t.index, p->t.indices);
    return status;
}

static enum igpu_status corners_check(struct gfx *g, uint32_t corners)
{
    if (!gfx_get(g, GFX_HS_ON) || !gfx_get(g, GFX_TE_ON) || !gfx_get(g, GFX_DS_ON) ||
        corners > MOST_CORNERS)
        return gfx_refuse(g, "patches of %u corners without tessellation", corners);
    if (gfx_get(g, GFX_TE_DOMAIN) > 2 || gfx_get(g, GFX_TE_PARTITION) > 2 ||
        gfx_get(g, GFX_TE_MODE) != 0)
        return gfx_refuse(g, "a reserved mode of the tessellator");
    return IGPU_OK;
}

enum igpu_status gfx_patches(struct gfx *g, uint32_t corners,
                             const struct gfx_vertex *v, uint32_t n,
                             gfx_patch_assembler *assemble)
{
    struct patch *p = malloc(sizeof(*p));
    enum igpu_status status = corners_check(g, corners);

    if (p == NULL)
        status = igpu_no_memory(g->batch.err, "a patch");
    g->tess.on = true;
    for (uint32_t i = 0; i + corners <= n && status == IGPU_OK; i += corners) {
        p->g = g;
        p->corner = v + i;
        p->corners = corners;
        g->d.in_pixels = false;
        g->counters.ia_patches++;
        status = one_patch(p, assemble);
        g->tess.id++;
    }
    g->tess.on = false;
    free(p);
    return status;
}
