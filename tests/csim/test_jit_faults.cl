/* test_jit_faults.cl - kernels that end badly, for test_jit.c. SIMD: sub-group size. */
#define WIDTH __attribute__((intel_reqd_sub_group_size(SIMD)))

/* Some way behind the buffer, in the lanes and threads that n says. */
WIDTH kernel void wild(global int *a, int n)
{
    a[get_global_id(0) * n] = 1;
}

/* Addresses that are numbers in memory. */
WIDTH kernel void wild_pointer(global const ulong *p, global int *a)
{
    size_t i = get_global_id(0);

    a[i] = *(global int *)(p[i] * 4096);
}

/* In shared memory, from the group's third turn on. */
WIDTH kernel void wild_local(global int *a, int n)
{
    local int s[256];

    for (int i = 0; i < n; i++)
        s[get_local_id(0) + i * 100] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = s[get_local_id(0)];
}

WIDTH kernel void endless(global uint *a)
{
    uint x = get_global_id(0) * 2;

    while (x != 1)
        x = x * 3 + 2;
    a[get_global_id(0)] = x;
}

int deep(int n, int x);

int deep(int n, int x)
{
    volatile int a[16];

    a[n & 15] = x;
    return n == 0 ? a[0] : deep(n - 1, x + a[n & 15]) + 1;
}

WIDTH kernel void stack(global int *a, int n)
{
    a[get_global_id(0)] = deep(n, a[get_global_id(0)]);
}
