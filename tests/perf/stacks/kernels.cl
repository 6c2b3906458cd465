/* kernels.cl - what tests/perf/two_stacks.py runs on both drivers. Each has the same
 * arguments; n is 65,536 unless stacks.c says otherwise. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ARGS global const float *restrict a, global const float *restrict b, global float *restrict c, int n
#define ID get_global_id(0)

kernel void copy(ARGS) { c[ID] = a[ID]; }
kernel void saxpy(ARGS) { c[ID] = 2.5f * a[ID] + b[ID]; }
kernel void wide(ARGS) { vstore4(vload4(ID, a) * vload4(ID, b), ID, c); }
kernel void stride(ARGS) { c[ID] = a[(ID * 16) & (n - 1)]; }
kernel void gather(ARGS) { c[ID] = a[((uint)ID * 2654435761u >> 8) & (n - 1)]; }
kernel void mads(ARGS)
{ float x = a[ID], y = b[ID]; for (int i = 0; i < 128; i++) x = mad(x, y, 0.5f); c[ID] = x; }
kernel void mathf(ARGS) { float x = a[ID] + 1; c[ID] = native_exp(x) * native_rsqrt(x) + native_sin(x); }
kernel void precise(ARGS) { float x = a[ID] + 1; c[ID] = exp(x) / sqrt(x) + sin(x); }
kernel void doubles(ARGS)
{ double x = a[ID], y = b[ID]; for (int i = 0; i < 16; i++) x = fma(x, y, 0.5); c[ID] = (float)x; }
kernel void halves(ARGS)
{ half x = (half)a[ID], y = (half)b[ID]; for (int i = 0; i < 32; i++) x = fma(x, y, (half)0.5f); c[ID] = x; }
kernel void integers(ARGS)
{ uint x = as_uint(a[ID]); for (int i = 0; i < 32; i++) x = x * 1664525u + (x >> 7); c[ID] = as_float(x & 0x3FFFFFFF); }
kernel void diverge(ARGS)
{ float x = a[ID]; int m = get_local_id(0) & 31; for (int i = 0; i < m; i++) x = x * 1.5f + b[i]; c[ID] = x; }
kernel void reduce(ARGS)
{ local float s[256]; int l = get_local_id(0); s[l] = a[ID]; barrier(CLK_LOCAL_MEM_FENCE);
  for (int w = 128; w > 0; w >>= 1) { if (l < w) s[l] += s[l + w]; barrier(CLK_LOCAL_MEM_FENCE); }
  if (l == 0) c[get_group_id(0)] = s[0]; }
kernel void histogram(ARGS)
{ local uint h[64]; int l = get_local_id(0); if (l < 64) h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&h[(uint)ID * 2654435761u >> 26]); barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) atomic_add((global uint *)c + l, h[l]); }
kernel void counters(ARGS) { atomic_inc((global uint *)c + (ID & 255)); }
kernel void transpose(ARGS) { int x = get_global_id(0), y = get_global_id(1); c[x * 256 + y] = a[y * 256 + x]; }
kernel void tiles(ARGS)
{ local float t[16][17]; int x = get_local_id(0), y = get_local_id(1);
  t[y][x] = a[get_global_id(1) * 256 + get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
  c[(get_group_id(0) * 16 + y) * 256 + get_group_id(1) * 16 + x] = t[x][y]; }
kernel void matmul(ARGS)
{ int x = get_global_id(0), y = get_global_id(1); float s = 0;
  for (int k = 0; k < 128; k++) s += a[y * 128 + k] * b[k * 128 + x]; c[y * 128 + x] = s; }
kernel void stencil(ARGS)
{ int x = get_global_id(0), y = get_global_id(1), i = y * 256 + x;
  c[i] = x > 0 && y > 0 && x < 255 && y < 255 ? 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - 256] + a[i + 256]) : 0; }
kernel void subgroups(ARGS) { float s = sub_group_reduce_add(a[ID]); c[ID] = s + sub_group_broadcast(b[ID], 3); }
kernel void own(ARGS)
{ float v[64]; for (int i = 0; i < 64; i++) v[i] = a[(ID + i) & (n - 1)];
  float s = 0; for (int i = 0; i < 64; i++) s += v[(int)(b[ID] + i * 7) & 63]; c[ID] = s; }
