/* vectors.c - see igpu/vectors.h. */
#include "igpu/vectors.h"

#include <stdlib.h>

enum igpu_vectors igpu_host_vectors(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        getenv("IGPU_EMU_PORTABLE") != NULL)
        return IGPU_VECTORS_ANY;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl") && getenv("IGPU_EMU_AVX2") == NULL
               ? IGPU_VECTORS_AVX512
               : IGPU_VECTORS_AVX2;
#else
    return IGPU_VECTORS_ANY;
#endif
}
