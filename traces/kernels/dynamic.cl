/* dynamic.cl - dynamic programming.
 *
 * edit_distance  Levenshtein distance of two words of 24 letters (of four) an item; one
 *                row of the table in private memory.
 * knapsack_row   one object of the 0/1 knapsack over all capacities.
 * viterbi_step   one observation: best predecessor of each of `states` states.
 * lcs_diagonal   one anti-diagonal of the longest common subsequence of a and b.
 * SIMD: sub-group size to compile for. */
#ifdef SIMD
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))
#else
#define WIDTH
#endif
#pragma OPENCL FP_CONTRACT OFF
#define LETTERS 24

__kernel WIDTH void edit_distance(__global const uchar *a, __global const uchar *b,
                                  __global uint *out)
{
    uint item = get_global_id(0);
    uchar row[LETTERS + 1];

    for (uint j = 0; j <= LETTERS; j++)
        row[j] = j;
    for (uint i = 0; i < LETTERS; i++) {
        uint diagonal = row[0];

        row[0] = i + 1;
        for (uint j = 0; j < LETTERS; j++) {
            uint up = row[j + 1];
            uint same = ((a[item * LETTERS + i] ^ b[item * LETTERS + j]) & 3) == 0;
            uint best = min(min(up, (uint)row[j]) + 1, diagonal + !same);

            diagonal = up;
            row[j + 1] = best;
        }
    }
    out[item] = row[LETTERS];
}

__kernel WIDTH void knapsack_row(__global const uint *in, __global uint *out,
                                 uint weight, uint value)
{
    uint room = get_global_id(0), best = in[room];

    if (room >= weight)
        best = max(best, in[room - weight] + value);
    out[room] = best;
}

__kernel WIDTH void viterbi_step(__global const float *in, __global const float *move,
                                 __global const float *emit, __global float *out,
                                 __global uint *from, uint states)
{
    uint s = get_global_id(0), best = 0;
    float most = in[0] + move[s];

    for (uint p = 1; p < states; p++) {
        float score = in[p] + move[p * states + s];

        if (score > most) {
            most = score;
            best = p;
        }
    }
    out[s] = most + emit[s];
    from[s] = best;
}

__kernel WIDTH void lcs_diagonal(__global const uint *a, __global const uint *b,
                                 __global const uint *before, __global const uint *last,
                                 __global uint *out, uint d)
{
    uint i = get_global_id(0);

    if (i == 0 || i >= d)
        out[i] = 0;
    else if (a[i - 1] == b[d - i - 1])
        out[i] = before[i - 1] + 1;
    else
        out[i] = max(last[i - 1], last[i]);
}
