/* local_size.h - the size of groups where the program leaves it to the driver. */
#ifndef IGPU_OCL_LOCAL_SIZE_H
#define IGPU_OCL_LOCAL_SIZE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it depends on beside the range. */
struct local_size_kernel {
    uint32_t simd, slm_bytes;
    bool barriers, images;
};

/* Intel's driver's own choice (22.43, on Gen9), which programs are tuned with. */
void local_size_choose(const struct local_size_kernel *k, uint32_t dims,
                       const size_t *global, uint64_t local[3]);

#endif
