/* oa_report.c - reports of the OA unit, see igpu/oa.h.
 *
 * All formats begin with RPT_ID, TIME_STAMP, CTX_ID and GPU_TICKS. Then, in dwords:
 *   A12                4: A7 to A18
 *   A12_B8_C8          4: A7 to A18, 16: B0 to B7, 24: C0 to C7
 *   A32u40_A4u32_B8_C8 4: A0 to A31, low; 36: A32 to A35; 40: bytes, bits 39:32 of A0
 * to A31; 48: B0 to B7; 56: C0 to C7 C4_B8              4: C0 to C3, 8: B0 to B7 Little
 * endian throughout. */
#include "igpu/oa.h"

#include <string.h>

enum { DWORD = 4, HEADER = 4 };

/* Where the counters of a format are; first: of its A counters, 7 where it has twelve.
 */
struct layout {
    uint32_t bytes;
    uint8_t a_at, a_first, a_count; /* dword, counter, how many of 32 bits in a row */
    uint8_t a_high;                 /* dword of the bytes with bits 39:32; 0: none */
    uint8_t b_at, b_count, c_at, c_count;
};

static const struct layout *layout_of(enum oa_format format)
{
    static const struct layout layouts[] = {
        [OA_A12] = {64, 4, 7, 12, 0, 0, 0, 0, 0},
        [OA_A12_B8_C8] = {128, 4, 7, 12, 0, 16, 8, 24, 8},
        [OA_A32U40_A4U32_B8_C8] = {256, 4, 0, 36, 40, 48, 8, 56, 8},
        [OA_C4_B8] = {64, 0, 0, 0, 0, 8, 8, 4, 4},
    };
    uint32_t count = sizeof(layouts) / sizeof(layouts[0]);

    return (uint32_t)format < count && layouts[format].bytes != 0 ? &layouts[format]
                                                                  : NULL;
}

uint32_t oa_report_bytes(enum oa_format format)
{
    const struct layout *l = layout_of(format);

    return l == NULL ? 0 : l->bytes;
}

static void counter_put(uint8_t *out, uint32_t dword, uint64_t value)
{
    for (uint32_t i = 0; i < DWORD; i++)
        out[dword * DWORD + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get(const uint8_t *report, uint32_t dword)
{
    const uint8_t *p = report + (size_t)dword * DWORD;

    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* Has counter A`i` 40 bits in this format? */
static bool is_wide(const struct layout *l, uint32_t i)
{
    return l->a_high != 0 && i < 32;
}

void oa_report_write(enum oa_format format, const struct oa_counters *counters,
                     uint8_t *out)
{
    const struct layout *l = layout_of(format);

    if (l == NULL)
        return;
    memset(out, 0, l->bytes);
    counter_put(out, 0, counters->report_id);
    counter_put(out, 1, counters->timestamp);
    counter_put(out, 2, counters->context);
    counter_put(out, 3, counters->clocks);
    for (uint32_t i = 0; i < l->a_count; i++)
        counter_put(out, l->a_at + i, counters->a[l->a_first + i]);
    for (uint32_t i = 0; i < 32 && l->a_high != 0; i++)
        out[l->a_high * DWORD + i] = (uint8_t)(counters->a[i] >> 32);
    for (uint32_t i = 0; i < l->b_count; i++)
        counter_put(out, l->b_at + i, counters->b[i]);
    for (uint32_t i = 0; i < l->c_count; i++)
        counter_put(out, l->c_at + i, counters->c[i]);
}

void oa_report_read(enum oa_format format, const uint8_t *report,
                    struct oa_counters *counters)
{
    const struct layout *l = layout_of(format);

    memset(counters, 0, sizeof(*counters));
    if (l == NULL)
        return;
    counters->report_id = get(report, 0);
    counters->timestamp = get(report, 1);
    counters->context = get(report, 2);
    counters->clocks = get(report, 3);
    for (uint32_t i = 0; i < l->a_count; i++)
        counters->a[l->a_first + i] = get(report, l->a_at + i);
    for (uint32_t i = 0; i < 32 && l->a_high != 0; i++)
        counters->a[i] |= (uint64_t)report[l->a_high * DWORD + i] << 32;
    for (uint32_t i = 0; i < l->b_count; i++)
        counters->b[i] = get(report, l->b_at + i);
    for (uint32_t i = 0; i < l->c_count; i++)
        counters->c[i] = get(report, l->c_at + i);
}

static uint64_t difference(uint64_t from, uint64_t to, uint32_t bits)
{
    return (to - from) & (((uint64_t)1 << bits) - 1);
}

void oa_report_add(enum oa_format format, const struct oa_counters *from,
                   const struct oa_counters *to, struct oa_counters *sum)
{
    const struct layout *l = layout_of(format);

    if (l == NULL)
        return;
    sum->timestamp += difference(from->timestamp, to->timestamp, 32);
    sum->clocks += difference(from->clocks, to->clocks, 32);
    for (uint32_t i = 0; i < OA_A_COUNTERS; i++)
        sum->a[i] += difference(from->a[i], to->a[i], is_wide(l, i) ? 40 : 32);
    for (uint32_t i = 0; i < OA_B_COUNTERS; i++)
        sum->b[i] += difference(from->b[i], to->b[i], 32);
    for (uint32_t i = 0; i < OA_C_COUNTERS; i++)
        sum->c[i] += difference(from->c[i], to->c[i], 32);
}
