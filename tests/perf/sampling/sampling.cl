/* sampling.cl - kernels whose groups differ, for the comparison in docs/guide/sampling.md. */

/* Sparse matrix times vector: rows of `few` entries, from row `from` on of `many`. */
kernel void spmv(global const int *column, global const float *value,
                 global const float *x, global float *y, uint few, uint many, uint from)
{
    uint r = get_global_id(0);
    uint begin = r < from ? r * few : from * few + (r - from) * many;
    uint count = r < from ? few : many;
    float sum = 0;

    for (uint i = begin; i < begin + count; i++)
        sum += value[i] * x[column[i]];
    y[r] = sum;
}

/* The same with row lengths from memory. */
kernel void spmv_csr(global const uint *row, global const int *column,
                     global const float *value, global const float *x, global float *y)
{
    uint r = get_global_id(0);
    float sum = 0;

    for (uint i = row[r]; i < row[r + 1]; i++)
        sum += value[i] * x[column[i]];
    y[r] = sum;
}

/* Rows of a matrix times a vector, row r of r mod n entries. */
kernel void triangular(global const float *a, global const float *x, global float *y,
                       uint n)
{
    uint r = get_global_id(0);
    float sum = 0;

    for (uint i = 0; i < r % n; i++)
        sum += a[i * get_global_size(0) + r] * x[i];
    y[r] = sum;
}
