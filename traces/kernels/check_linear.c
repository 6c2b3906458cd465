/* check_linear.c - references of linear.cl, graph.cl and dynamic.cl. Sums of
 * floating-point numbers follow the kernel's order. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernels/check_ref.h"

/* The row length of a square range; rejects others. */
static uint64_t square(struct ref *r, size_t arg)
{
    uint64_t n = ref_u32(r, arg);

    if (r->c->dims != 2 || r->c->global[0] != n || r->c->global[1] != n)
        ref_reject(r, "a range of n x n");
    return n;
}

/* ---- linear.cl ---- */

static void gemv(struct ref *r)
{
    uint64_t n = ref_u32(r, 3);
    const float *a = ref_buffer(r, 0, r->items * n, sizeof(*a));
    const float *x = ref_buffer(r, 1, n, sizeof(*x));
    float *y = ref_buffer(r, 2, r->items, sizeof(*y));

    for (uint64_t i = 0; y != NULL && i < r->items; i++) {
        y[i] = 0.0f;
        for (uint64_t k = 0; k < n; k++)
            y[i] = fmaf(a[i * n + k], x[k], y[i]);
    }
}

static void syrk(struct ref *r)
{
    uint64_t n = square(r, 2);
    const float *a = ref_buffer(r, 0, n * n, sizeof(*a));
    float *c = ref_buffer(r, 1, n * n, sizeof(*c));

    for (uint64_t i = 0; c != NULL && i < n; i++)
        for (uint64_t j = 0; j <= i; j++) {
            float sum = 0.0f;

            for (uint64_t k = 0; k < n; k++)
                sum = fmaf(a[i * n + k], a[j * n + k], sum);
            c[i * n + j] = sum;
        }
}

static void lu_step(struct ref *r)
{
    uint64_t n = square(r, 3), k = ref_u32(r, 4);
    const float *in = ref_buffer(r, 0, n * n, sizeof(*in));
    float *out = ref_buffer(r, 1, n * n, sizeof(*out));
    float *l = ref_buffer(r, 2, n, sizeof(*l));

    if (l == NULL || k >= n)
        return;
    memcpy(out, in, n * n * sizeof(*out));
    for (uint64_t i = k + 1; i < n; i++) {
        float factor = in[i * n + k] / in[k * n + k];

        l[i] = factor;
        for (uint64_t j = k + 1; j < n; j++)
            out[i * n + j] = fmaf(-factor, in[k * n + j], in[i * n + j]);
    }
}

static void jacobi(struct ref *r)
{
    uint64_t n = ref_u32(r, 5);
    const float *a = ref_buffer(r, 0, n * n, sizeof(*a));
    const float *b = ref_buffer(r, 1, n, sizeof(*b));
    const float *x = ref_buffer(r, 2, n, sizeof(*x));
    float *next = ref_buffer(r, 3, n, sizeof(*next));
    const float *inverse = ref_buffer(r, 4, n, sizeof(*inverse));

    for (uint64_t i = 0; inverse != NULL && i < n; i++) {
        float sum = b[i];

        for (uint64_t k = 0; k < n; k++)
            if (k != i)
                sum = fmaf(-a[i * n + k], x[k], sum);
        next[i] = sum * inverse[i];
    }
}

static void transpose(struct ref *r)
{
    uint64_t n = square(r, 2);
    const float *in = ref_buffer(r, 0, n * n, sizeof(*in));
    float *out = ref_buffer(r, 1, n * n, sizeof(*out));

    for (uint64_t i = 0; out != NULL && i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            out[j * n + i] = in[i * n + j];
}

/* ---- graph.cl ---- */

/* Edges of a graph in arguments 0 and 1; NULL when one lies outside. */
struct graph {
    const uint32_t *start, *to;
};

static bool graph_of(struct ref *r, struct graph *g)
{
    uint64_t edges = ref_count(r, 1, 4);

    g->start = ref_buffer(r, 0, r->items + 1, 4);
    g->to = ref_buffer(r, 1, 1, 4);
    if (g->to == NULL || g->start == NULL)
        return false;
    for (uint64_t i = 0; i < r->items; i++)
        if (g->start[i + 1] < g->start[i] || g->start[i + 1] > edges) {
            ref_reject(r, "a row lies outside the edges");
            return false;
        }
    for (uint64_t k = 0; k < g->start[r->items]; k++)
        if (g->to[k] >= r->items) {
            ref_reject(r, "an edge leaves the graph");
            return false;
        }
    return true;
}

static void bfs_step(struct ref *r)
{
    struct graph g;
    uint32_t level = ref_u32(r, 4);
    const uint32_t *in = ref_buffer(r, 2, r->items, 4);
    uint32_t *out = ref_buffer(r, 3, r->items, 4);

    if (out == NULL || !graph_of(r, &g))
        return;
    for (uint64_t v = 0; v < r->items; v++)
        for (uint32_t k = g.start[v]; in[v] == level && k < g.start[v + 1]; k++)
            if (in[g.to[k]] == UINT32_MAX)
                out[g.to[k]] = level + 1;
}

static void sssp_step(struct ref *r)
{
    struct graph g;
    const uint32_t *weight = ref_buffer(r, 2, ref_count(r, 1, 4), 4);
    const uint32_t *in = ref_buffer(r, 3, r->items, 4);
    uint32_t *out = ref_buffer(r, 4, r->items, 4);

    if (out == NULL || !graph_of(r, &g))
        return;
    for (uint64_t v = 0; v < r->items; v++)
        for (uint32_t k = g.start[v]; k < g.start[v + 1]; k++)
            if (in[v] + weight[k] < out[g.to[k]])
                out[g.to[k]] = in[v] + weight[k];
}

static void label_step(struct ref *r)
{
    struct graph g;
    const uint32_t *in = ref_buffer(r, 2, r->items, 4);
    uint32_t *out = ref_buffer(r, 3, r->items, 4);

    if (out == NULL || !graph_of(r, &g))
        return;
    for (uint64_t v = 0; v < r->items; v++) {
        out[v] = in[v];
        for (uint32_t k = g.start[v]; k < g.start[v + 1]; k++)
            if (in[g.to[k]] < out[v])
                out[v] = in[g.to[k]];
    }
}

static void pagerank_step(struct ref *r)
{
    struct graph g;
    float damping = ref_f32(r, 5);
    const float *in = ref_buffer(r, 2, r->items, sizeof(*in));
    const float *weight = ref_buffer(r, 3, r->items, sizeof(*weight));
    float *out = ref_buffer(r, 4, r->items, sizeof(*out));

    if (out == NULL || !graph_of(r, &g))
        return;
    for (uint64_t v = 0; v < r->items; v++) {
        float sum = 0.0f;

        for (uint32_t k = g.start[v]; k < g.start[v + 1]; k++)
            sum = fmaf(in[g.to[k]], weight[g.to[k]], sum);
        out[v] = fmaf(damping, sum, 1.0f - damping);
    }
}

static void floyd_step(struct ref *r)
{
    uint64_t n = square(r, 2), k = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, n * n, 4);
    uint32_t *out = ref_buffer(r, 1, n * n, 4);

    for (uint64_t i = 0; out != NULL && k < n && i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            uint32_t through = in[i * n + k] + in[k * n + j];

            out[i * n + j] = in[i * n + j] < through ? in[i * n + j] : through;
        }
}

static void triangles(struct ref *r)
{
    uint64_t n = ref_u32(r, 2);
    const uint8_t *m = ref_buffer(r, 0, n * n, 1);
    uint32_t *out = ref_buffer(r, 1, n, 4);

    for (uint64_t v = 0; out != NULL && v < n; v++) {
        out[v] = 0;
        for (uint64_t u = 0; u < v; u++)
            for (uint64_t w = v + 1; w < n; w++)
                out[v] += (m[u * n + v] & m[v * n + w] & m[u * n + w]) >> 7;
    }
}

/* ---- dynamic.cl ---- */

enum { LETTERS = 24 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The whole table, so that nothing is shared with the kernel's single row. */
static uint32_t distance(const uint8_t *a, const uint8_t *b)
{
    uint32_t d[LETTERS + 1][LETTERS + 1];

    for (uint32_t i = 0; i <= LETTERS; i++)
        for (uint32_t j = 0; j <= LETTERS; j++)
            if (i == 0 || j == 0)
                d[i][j] = i + j;
            else
                d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                                d[i - 1][j - 1] + (((a[i - 1] ^ b[j - 1]) & 3) != 0));
    return d[LETTERS][LETTERS];
}

static void edit_distance(struct ref *r)
{
    const uint8_t *a = ref_buffer(r, 0, r->items * LETTERS, 1);
    const uint8_t *b = ref_buffer(r, 1, r->items * LETTERS, 1);
    uint32_t *out = ref_buffer(r, 2, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++)
        out[i] = distance(a + i * LETTERS, b + i * LETTERS);
}

static void knapsack_row(struct ref *r)
{
    uint32_t weight = ref_u32(r, 2), value = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        out[i] = in[i];
        if (i >= weight && in[i - weight] + value > out[i])
            out[i] = in[i - weight] + value;
    }
}

static void viterbi_step(struct ref *r)
{
    uint64_t n = ref_u32(r, 5);
    const float *in = ref_buffer(r, 0, n, sizeof(*in));
    const float *move = ref_buffer(r, 1, n * n, sizeof(*move));
    const float *emit = ref_buffer(r, 2, n, sizeof(*emit));
    float *out = ref_buffer(r, 3, n, sizeof(*out));
    uint32_t *from = ref_buffer(r, 4, n, 4);

    for (uint64_t s = 0; from != NULL && s < n; s++) {
        float most = -INFINITY;

        for (uint64_t p = 0; p < n; p++)
            if (in[p] + move[p * n + s] > most) {
                most = in[p] + move[p * n + s];
                from[s] = (uint32_t)p;
            }
        out[s] = most + emit[s];
    }
}

static void lcs_diagonal(struct ref *r)
{
    uint64_t d = ref_u32(r, 5);
    const uint32_t *a = ref_buffer(r, 0, r->items, 4);
    const uint32_t *b = ref_buffer(r, 1, d, 4);
    const uint32_t *before = ref_buffer(r, 2, r->items, 4);
    const uint32_t *last = ref_buffer(r, 3, r->items, 4);
    uint32_t *out = ref_buffer(r, 4, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        out[i] = 0;
        if (i > 0 && i < d && a[i - 1] == b[d - i - 1])
            out[i] = before[i - 1] + 1;
        else if (i > 0 && i < d)
            out[i] = last[i - 1] > last[i] ? last[i - 1] : last[i];
    }
}

const struct reference check_linear_table[] = {
    {"gemv", "fff4", 0, gemv},
    {"syrk", "ff4", 0, syrk},
    {"lu_step", "fff44", 0, lu_step},
    {"jacobi", "fffff4", 0, jacobi},
    {"transpose", "ff4", 0, transpose},
    {"bfs_step", "wwww4", 0, bfs_step},
    {"sssp_step", "wwwww", 0, sssp_step},
    {"label_step", "wwww", 0, label_step},
    {"pagerank_step", "wwfff4", 0, pagerank_step},
    {"floyd_step", "ww44", 0, floyd_step},
    {"triangles", "bw4", 0, triangles},
    {"edit_distance", "bbw", 0, edit_distance},
    {"knapsack_row", "ww44", 0, knapsack_row},
    {"viterbi_step", "ffffw4", 0, viterbi_step},
    {"lcs_diagonal", "wwwww4", 0, lcs_diagonal},
    {NULL, NULL, 0, NULL},
};
