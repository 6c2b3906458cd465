/* gfx_lod.c - gradients, level of detail and the faces of cubes. The level is that of
 * the longer gradient, its logarithm exact; an anisotropic filter takes the shorter one
 * and probes along the longer. */
#include "gfx_sample.h"
#include "gfx_texture.h"

/* ---- cubes -------------------------------------------------------------- */

/* Of a face (+x -x +y -y +z -z): the axis that is its distance, those that run along u
 * and v, and their signs. */
static const struct {
    uint8_t major, u, v;
    int8_t sign, su, sv;
} faces[6] = {{0, 2, 1, 1, -1, -1}, {0, 2, 1, -1, 1, -1}, {1, 0, 2, 1, 1, 1},
              {1, 0, 2, -1, 1, -1}, {2, 0, 1, 1, 1, -1},  {2, 0, 1, -1, -1, -1}};

static uint32_t face_of(const float r[3])
{
    float x = fabsf(r[0]), y = fabsf(r[1]), z = fabsf(r[2]);

    if (z >= x && z >= y)
        return r[2] < 0 ? 5 : 4;
    if (y >= x)
        return r[1] < 0 ? 3 : 2;
    return r[0] < 0 ? 1 : 0;
}

/* Where direction r meets the plane of a face, from 0 to 1 along each side. */
static void on_face(uint32_t face, const float r[3], float *u, float *v)
{
    double away = (double)r[faces[face].major] * faces[face].sign;

    *u = (float)(0.5 * (r[faces[face].u] * faces[face].su / away + 1));
    *v = (float)(0.5 * (r[faces[face].v] * faces[face].sv / away + 1));
}

/* A gradient of the direction as one on the face. */
static float turned(uint32_t face, const float r[3], const float d[3], uint32_t axis,
                    int32_t sign)
{
    double away = (double)r[faces[face].major] * faces[face].sign;
    double change = (double)d[faces[face].major] * faces[face].sign;

    return (float)(0.5 * sign * (d[axis] * away - r[axis] * change) / (away * away));
}

/* Gradients on face f between directions of the block's pixels. Their lengths do not
 * matter: drivers divide each by its own longest side. False: one of them does not meet
 * the face's plane. */
static bool across_block(struct gfx_call *c, uint32_t i, uint32_t f,
                         float r[GFX_LANES][3])
{
    float u[3], v[3];

    for (uint32_t k = 0; k < 3; k++) {
        const float *at = r[(i & ~3u) + k];

        if (!(at[faces[f].major] * (float)faces[f].sign > 0))
            return false;
        on_face(f, at, &u[k], &v[k]);
    }
    c->dx[0][i] = u[1] - u[0];
    c->dx[1][i] = v[1] - v[0];
    c->dy[0][i] = u[2] - u[0];
    c->dy[1][i] = v[2] - v[0];
    return true;
}

void gfx_find_faces(struct gfx_call *c, bool blocks)
{
    float r[GFX_LANES][3];

    for (uint32_t i = 0; i < GFX_LANES; i++)
        for (uint32_t k = 0; k < 3; k++)
            r[i][k] = c->u[k][i];
    for (uint32_t i = 0; i < c->lanes; i++) {
        const float dx[3] = {c->dx[0][i], c->dx[1][i], c->dx[2][i]};
        const float dy[3] = {c->dy[0][i], c->dy[1][i], c->dy[2][i]};
        uint32_t f = face_of(r[i]);

        c->face[i] = f;
        on_face(f, r[i], &c->u[0][i], &c->u[1][i]);
        if (blocks && across_block(c, i, f, r))
            continue;
        c->dx[0][i] = turned(f, r[i], dx, faces[f].u, faces[f].su);
        c->dx[1][i] = turned(f, r[i], dx, faces[f].v, faces[f].sv);
        c->dy[0][i] = turned(f, r[i], dy, faces[f].u, faces[f].su);
        c->dy[1][i] = turned(f, r[i], dy, faces[f].v, faces[f].sv);
    }
    c->dims = 2;
    c->share = 1;
}

void gfx_cube_neighbour(uint32_t size, uint32_t *face, int32_t *x, int32_t *y)
{
    uint32_t from = *face;
    float r[3], u, v;

    r[faces[from].major] = faces[from].sign;
    r[faces[from].u] = (float)faces[from].su * ((float)(2 * *x + 1) / (float)size - 1);
    r[faces[from].v] = (float)faces[from].sv * ((float)(2 * *y + 1) / (float)size - 1);
    *face = face_of(r);
    on_face(*face, r, &u, &v);
    *x = (int32_t)fminf(fmaxf(u * (float)size, 0), (float)(size - 1));
    *y = (int32_t)fminf(fmaxf(v * (float)size, 0), (float)(size - 1));
}

/* ---- gradients ---------------------------------------------------------- */

void gfx_find_gradients(struct gfx_call *c)
{
    c->share = 4;
    for (uint32_t d = 0; d < c->dims; d++)
        for (uint32_t b = 0; b < GFX_LANES; b += 4) {
            const float *u = &c->u[d][b], first = u[0], right = u[1], low = u[2];

            for (uint32_t i = 0; i < 4; i++) {
                c->dx[d][b + i] = right - first;
                c->dy[d][b + i] = low - first;
            }
        }
}

/* From u, v and w to texels of the first level. */
static void find_scales(const struct gfx_call *c, double scale[3])
{
    const uint32_t size[3] = {c->s->width, c->s->height, c->s->depth};

    for (uint32_t k = 0; k < c->dims; k++)
        scale[k] =
            c->sampler.unnormalized ? 1.0 : (double)gfx_minify(size[k], c->s->min_lod);
}

/* The square of a gradient's length there. */
static inline double find_square(uint32_t dims, const double scale[3],
                                 float d[3][GFX_LANES], uint32_t lane)
{
    double square = 0;

    for (uint32_t k = 0; k < dims; k++) {
        double scaled = (double)d[k][lane] * scale[k];

        square += scaled * scaled;
    }
    return square;
}

/* Of gradients of these lengths. */
static double find_probes(const struct gfx_call *c, double x, double y)
{
    const double longer = fmax(x, y), shorter = fmin(x, y),
                 most = (double)c->sampler.most_probes;

    if (c->sampler.min_filter != FILTER_ANISOTROPIC || !(longer > 0) || c->dims != 2)
        return 1;
    return shorter > 0 ? fmin(ceil(longer / shorter), most) : most;
}

void gfx_find_lod(struct gfx_call *c)
{
    double scale[3];

    find_scales(c, scale);
    for (uint32_t first = 0; first < c->lanes; first += c->share) {
        double x = sqrt(find_square(c->dims, scale, c->dx, first)),
               y = sqrt(find_square(c->dims, scale, c->dy, first));
        double probes = find_probes(c, x, y);
        float lod = (float)log2(fmax(x, y) / probes);

        for (uint32_t i = first; i < first + c->share; i++) {
            c->probes[i] = (uint32_t)probes;
            c->lod[i] = lod;
            for (uint32_t d = 0; d < c->dims; d++)
                c->way[d][i] = x > y ? c->dx[d][i] : c->dy[d][i];
        }
    }
}

/* Of lengths' squares. */
static float find_sign(double x, double y)
{
    return x > GFX_ROOT_IS_ONE || y > GFX_ROOT_IS_ONE ? 1.0f : -1.0f;
}

void gfx_find_lod_sign(struct gfx_call *c)
{
    double scale[3];

    find_scales(c, scale);
    for (uint32_t first = 0; first < c->lanes; first += c->share) {
        float sign = find_sign(find_square(c->dims, scale, c->dx, first),
                               find_square(c->dims, scale, c->dy, first));

        for (uint32_t i = first; i < first + c->share; i++)
            c->lod[i] = sign;
    }
}

/* Squares of the lengths of a block's gradients, of its lanes from b on. */
static inline __attribute__((always_inline)) void
find_block(const struct gfx_call *c, uint32_t dims, const double scale[3], uint32_t b,
           double *x, double *y)
{
    *x = *y = 0;
    for (uint32_t k = 0; k < dims; k++) {
        const float *u = &c->u[k][b];
        double dx = (double)(u[1] - u[0]) * scale[k];
        double dy = (double)(u[2] - u[0]) * scale[k];

        *x += dx * dx;
        *y += dy * dy;
    }
}

void gfx_find_block_lods(struct gfx_call *c, bool sign)
{
    double scale[3], x, y;

    find_scales(c, scale);
    for (uint32_t b = 0; b < c->lanes; b += 4) {
        float lod;

        if (c->dims == 2)
            find_block(c, 2, scale, b, &x, &y);
        else
            find_block(c, c->dims, scale, b, &x, &y);
        lod = sign ? find_sign(x, y) : (float)log2(sqrt(x > y || y != y ? x : y));
        for (uint32_t i = 0; i < 4; i++)
            c->lod[b + i] = lod;
    }
}
