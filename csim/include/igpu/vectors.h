/* vectors.h - which of a source's compilations for several hosts this host runs. */
#ifndef IGPU_VECTORS_H
#define IGPU_VECTORS_H

enum igpu_vectors {
    IGPU_VECTORS_ANY,   /* what the compiler assumes of all hosts */
    IGPU_VECTORS_AVX2,  /* with FMA */
    IGPU_VECTORS_AVX512 /* F, BW, DQ and VL */
};

/* For tests: with IGPU_EMU_PORTABLE in the environment as if the host had neither, with
 * IGPU_EMU_AVX2 as if it had the former. Asked anew each time. */
enum igpu_vectors igpu_host_vectors(void);

#endif
