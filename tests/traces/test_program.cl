/* test_program.cl - what programs need beyond one kernel's own code: variables at
 * program scope, calls, printf, generic pointers, sub-groups, odd arguments. Compiled
 * with and without optimisation; see test_program.c. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

constant int table[5] = {3, 1, 4, 1, 5};
global int counter = 5;
global int zeros[16];
global int *global link = &counter;
constant float scale = 0.5f;

kernel void bump(global int *out)
{
    size_t i = get_global_id(0);
    out[i] = table[i % 5] + *link + zeros[i % 16];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0) {
        counter += 10;
        zeros[1] = 100;
    }
}
kernel void peek(global int *out) { out[get_global_id(0)] = counter + zeros[1]; }

int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
kernel void recurse(global int *out)
{
    int i = (int)get_global_id(0);
    out[i] = i % 2 ? ackermann(i % 3, i % 4) : -i;
}

__attribute__((noinline)) float4 blend(float4 a, global float *b, int i)
{
    b[i] += 1.0f;
    return i % 3 ? a * b[i] : a - b[i] * scale;
}
kernel void call(global float4 *out, global float *b)
{
    int i = (int)get_global_id(0);
    if (i % 5 != 2)
        out[i] = blend(out[i], b, i);
}

kernel void speak(global int *out, float f)
{
    int i = (int)get_global_id(0);
    if (i % 16 == 3) {
        printf("%d|%5d|%-5d|%05d|%+d|%x|%#X|%o|%u\n", i, i, i, i, i, i, i, i, -i);
        printf("%f|%.2f|%e|%g|%a|%8.1f|%c|%s|%%\n", f, f, f, f, f, f, 'a' + i, "text");
        printf("%v4f %v2d %v4hlf\n", (float4)(1, 2, 3, f), (int2)(i, -i), (float4)(f));
        printf("%hd %hhd %ld %lx %v3hu %v8hhx\n", (short)-i, (char)i, (long)i << 40,
               (ulong)i << 36, (ushort3)(65535, 2, 3), (uchar8)(255, i, 2, 3, 4, 5, 6, 7));
        printf("%s%s", i > 16 ? "big" : "small", "\n");
        printf("no arguments\n");
    }
    out[i] = i;
}

int add_one(int *p) { *p += 1; return *p; }
kernel void any_space(global int *out, local int *shared)
{
    int i = (int)get_global_id(0), l = (int)get_local_id(0), own = 7 * i;
    shared[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = i % 3 == 0 ? (int *)&own : i % 3 == 1 ? (int *)&shared[l] : (int *)&out[i];
    int got = add_one(p);
    out[i] = got + 1000 * own + (i % 3 == 2 ? 1000000 : 0) + shared[l];
}

struct pair { int a; float b; char c[5]; long d; };
kernel void odd(global int *out, struct pair s, int3 v, uchar c, short2 h, double d,
                local long *scratch, long unused)
{
    int i = (int)get_global_id(0);
    scratch[get_local_id(0)] = s.d;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s.a + (int)s.b + s.c[4] + (int)scratch[0] + v.x * v.y - v.z + c + h.x -
             h.y + (int)d;
}

kernel void shape(global int *out)
{
    int x = (int)get_global_id(0), y = (int)get_global_id(1), z = (int)get_global_id(2);
    int at = (int)(get_global_linear_id());
    out[at * 4] = x | y << 8 | z << 16;
    out[at * 4 + 1] = (int)(get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16);
    out[at * 4 + 2] = (int)(get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16 |
                            get_num_groups(1) << 24);
    out[at * 4 + 3] = (int)(get_global_size(0) | get_local_size(1) << 8 |
                            get_work_dim() << 16 | get_enqueued_local_size(1) << 24);
}

__attribute__((reqd_work_group_size(32, 1, 1)))
__attribute__((intel_reqd_sub_group_size(8)))
kernel void subgroup(global uint *in, global uint *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    uint base = (uint)get_group_id(0) * 32 + get_sub_group_id() * size;
    uint x = intel_sub_group_block_read(in + base);
    uint2 two = intel_sub_group_block_read2(in + (uint)get_group_id(0) * 32 % 16);
    uint sum = sub_group_reduce_add(x), scan = sub_group_scan_exclusive_add(x);
    uint turned = intel_sub_group_shuffle(x, (lane + 3) % size);
    uint up = intel_sub_group_shuffle_up(0u, x, 1u), mixed = intel_sub_group_shuffle_xor(x, 5);
    uint all = (uint)sub_group_any(x == 40) + 2u * (uint)sub_group_all(x < 1000);
    uint most = sub_group_reduce_max(x), first = sub_group_broadcast(x, 2);
    intel_sub_group_block_write(out + base,
        x + 3 * sum + 5 * scan + 7 * turned + 11 * up + 13 * mixed + 17 * all +
        19 * most + 23 * first + 29 * two.x + 31 * two.y + 37 * get_num_sub_groups());
}

kernel void group_functions(global int *out)
{
    int i = (int)get_global_id(0);
    out[i] = work_group_reduce_add(i) + 3 * work_group_scan_inclusive_max(i % 7) +
             1000 * work_group_broadcast(i, 5);
}
