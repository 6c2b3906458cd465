/* limits.h - the largest machine: what arrays and fields have room for. Parameters say
 * less, never more: csim/util/config.c holds their ranges against these. */
#ifndef IGPU_LIMITS_H
#define IGPU_LIMITS_H

enum {
    LIMIT_SLICES = 2,                                       /* gpu.slices */
    LIMIT_SLICE_SUBSLICES = 3,                              /* of a slice */
    LIMIT_SUBSLICES = LIMIT_SLICES * LIMIT_SLICE_SUBSLICES, /* gpu.subslices */
    LIMIT_EUS = 8,   /* eu.count: of a subslice */
    LIMIT_SLOTS = 7, /* eu.threads: hardware threads of an EU */
    LIMIT_PLACES = LIMIT_SUBSLICES * LIMIT_EUS * LIMIT_SLOTS,
    LIMIT_CREDITS = 64, /* dp.queue: messages that a data port has begun */
    LIMIT_L3_BANKS = LIMIT_SLICES * 8, /* l3.banks: 8 of a slice */
    LIMIT_MSHRS = 256,                 /* l3.mshrs: of a bank */
    LIMIT_WAYS = 128,                  /* of a set of any cache */
    LIMIT_LLC_SLICES = 8,
    LIMIT_DRAM_CHANNELS = 4,
    LIMIT_DRAM_RANKS = 4,
    LIMIT_DRAM_GROUPS = 8, /* of a rank */
    LIMIT_DRAM_BANKS = 8   /* of a group */
};
#endif
