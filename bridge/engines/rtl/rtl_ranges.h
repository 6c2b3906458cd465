/* rtl_ranges.h - the registers of an instruction as ranges, the form in which the EU
 * pipeline's store holds them (docs/develop/eu-pipeline.md#ranges); the counterpart of
 * rtl/include/igpu_eu.vh. */
#ifndef IGPU_RTL_RANGES_H
#define IGPU_RTL_RANGES_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/err.h"
#include "igpu/uop.h"

enum { RTL_SOURCES = 3 };

/* GRFs first..last, both inclusive; first > last: none. */
struct rtl_range {
    uint8_t first, last;
};

struct rtl_ranges {
    struct rtl_range dst;              /* what it sets; it needs that too */
    struct rtl_range src[RTL_SOURCES]; /* what else it needs */
    uint8_t set_x, need_x;             /* other bits: enum uop_x */
};

/* Ranges with exactly the bits of u->set and u->need (EOT: all). False when there are
 * none: u->set has a hole, or more than RTL_SOURCES ranges would be needed beside it;
 * *r is then not to be used. */
bool rtl_ranges(const struct uop *u, struct rtl_ranges *r);
/* All instructions of a kernel have ranges; else IGPU_USAGE, naming the first without.
 */
enum igpu_status rtl_ranges_check(const struct uop *uops, uint32_t count,
                                  struct igpu_err *err);
/* Fields of the store's words: IGPU_SET_W and IGPU_NEED_W bits. */
uint32_t rtl_set_word(const struct rtl_ranges *r);
uint64_t rtl_need_word(const struct rtl_ranges *r);
#endif
