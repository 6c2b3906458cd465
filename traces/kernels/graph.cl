/* graph.cl - one step each of algorithms over graphs in compressed rows: start[i] ..
 * start[i + 1] are vertex i's edges in to[].
 *
 * bfs_step       vertices at distance `level` give level + 1 to unreached neighbours
 *                (~0); all writers of a vertex write the same.
 * sssp_step      relaxes all edges of each vertex into `out` by atomic_min.
 * label_step     each vertex's label becomes the least of its neighbourhood's.
 * pagerank_step  rank = base + damping * sum over neighbours of in[v] * weight[v].
 * floyd_step     distances through vertex k, an n x n matrix (2-D).
 * triangles      counts common neighbours u < v < w of each edge (sorted lists are not
 *                needed: an n x n matrix of bytes says who is adjacent).
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF

__kernel WIDTH void bfs_step(__global const uint *start, __global const uint *to,
                             __global const uint *in, __global uint *out, uint level)
{
    uint v = get_global_id(0);

    if (in[v] != level)
        return;
    for (uint k = start[v]; k < start[v + 1]; k++)
        if (in[to[k]] == ~0u)
            out[to[k]] = level + 1;
}

__kernel WIDTH void sssp_step(__global const uint *start, __global const uint *to,
                              __global const uint *weight, __global const uint *in,
                              __global uint *out)
{
    uint v = get_global_id(0), from = in[v];

    for (uint k = start[v]; k < start[v + 1]; k++)
        atomic_min(&out[to[k]], from + weight[k]);
}

__kernel WIDTH void label_step(__global const uint *start, __global const uint *to,
                               __global const uint *in, __global uint *out)
{
    uint v = get_global_id(0), least = in[v];

    for (uint k = start[v]; k < start[v + 1]; k++)
        least = min(least, in[to[k]]);
    out[v] = least;
}

__kernel WIDTH void pagerank_step(__global const uint *start, __global const uint *to,
                                  __global const float *in, __global const float *weight,
                                  __global float *out, float damping)
{
    uint v = get_global_id(0);
    float sum = 0.0f;

    for (uint k = start[v]; k < start[v + 1]; k++)
        sum = fma(in[to[k]], weight[to[k]], sum);
    out[v] = fma(damping, sum, 1.0f - damping);
}

__kernel WIDTH void floyd_step(__global const uint *in, __global uint *out, uint n,
                               uint k)
{
    uint j = get_global_id(0), i = get_global_id(1);

    out[i * n + j] = min(in[i * n + j], in[i * n + k] + in[k * n + j]);
}

__kernel WIDTH void triangles(__global const uchar *adjacent, __global uint *out, uint n)
{
    uint v = get_global_id(0), count = 0;

    for (uint u = 0; u < v; u++) {
        if (adjacent[u * n + v] < 128)
            continue;
        for (uint w = v + 1; w < n; w++)
            count += adjacent[v * n + w] >= 128 && adjacent[u * n + w] >= 128;
    }
    out[v] = count;
}
