/* va.h - the GPU's virtual addresses, who has which: 47 bits, from low to high.
 *
 *   from             what lies there
 *   0                nothing: small offsets that are taken for addresses are found
 *   IGPU_VA_PRINTF   the output buffer of printf, in a launch by the driver
 *   IGPU_VA_FIRST    buffers, one after the other, an unmapped page between two
 *   IGPU_VA_SVM      shared virtual memory of the driver: the host's own addresses
 *   IGPU_VA_GFX_SCRATCH  the same as the next, of batches of a graphics driver: below
 * all that drivers reserve at the host's addresses (Intel's 32 TB begin at about
 * 0x5f0000000000, programs at 0x550000000000), above what they choose from low
 * addresses on IGPU_VA_SCRATCH  what stateless offsets of scratch count from
 *   IGPU_VA_PRIVATE  private memory of work-items
 *   IGPU_VA_END      the first address that is none
 */
#ifndef IGPU_VA_H
#define IGPU_VA_H
#include <stdint.h>

#define IGPU_VA_PRINTF UINT64_C(0x80000000)
#define IGPU_VA_FIRST UINT64_C(0x100000000)
#define IGPU_VA_SVM UINT64_C(0x200000000000)
#define IGPU_VA_GFX_SCRATCH UINT64_C(0x400000000000)
#define IGPU_VA_SCRATCH UINT64_C(0x600000000000)
#define IGPU_VA_PRIVATE UINT64_C(0x700000000000)
#define IGPU_VA_END UINT64_C(0x800000000000)

enum {
    IGPU_VA_PAGE = 65536,       /* mappings begin at multiples */
    IGPU_VA_SCRATCH_GAP = 65536 /* unmapped in front of scratch: null offsets */
};

#endif
