/* timing.h - a static instruction with its cycles (docs/contract/model.md, 5). */
#ifndef REF_TIMING_H
#define REF_TIMING_H
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/err.h"
#include "igpu/uop.h"

struct ref_uop {
    uint64_t need[2], set[2];
    uint8_t need_x, set_x;
    uint8_t unit;     /* enum uop_unit */
    uint8_t flags;    /* enum uop_flags */
    uint8_t occ;      /* cycles in its unit; BRANCH: 0 */
    uint8_t fe;       /* cycles from issue to the next issue of its thread */
    uint8_t rlen;     /* GRFs of response */
    uint8_t sets;     /* 1: some bit of set or set_x */
    uint16_t use_lat; /* FPU: occ + lat */
    uint32_t index;   /* in the kernel */
};

/* Check uops[0..count) against section 5.2 and fill out[0..count).
 * IGPU_BAD_INPUT names the first that breaks it. */
enum igpu_status ref_timing_decode(struct ref_uop *out, const struct uop *uops,
                                   uint32_t count, const struct igpu_config *config,
                                   struct igpu_err *err);
#endif
