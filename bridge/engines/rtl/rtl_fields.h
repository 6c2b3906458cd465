/* rtl_fields.h - fields of the words that C shares with the RTL, by their names in
 * rtl/include (docs/reference/layouts.md): NAME_AT and NAME_BITS come from *_words.h.
 */
#ifndef IGPU_RTL_FIELDS_H
#define IGPU_RTL_FIELDS_H
#include <assert.h>
#include <stdint.h>

static inline uint64_t rtl_field_put(uint64_t value, unsigned at, unsigned bits)
{
    assert(value >> bits == 0);
    return value << at;
}

static inline uint32_t rtl_field_get(uint64_t word, unsigned at, unsigned bits)
{
    return (uint32_t)(word >> at & ((UINT64_C(1) << bits) - 1));
}

/* `value`, which has to fit, in its place; and what stands there in `word`. */
#define FIELD64(name, value) rtl_field_put((value), name##_AT, name##_BITS)
#define FIELD(name, value) ((uint32_t)FIELD64(name, value))
#define FIELD_OF(name, word) rtl_field_get((word), name##_AT, name##_BITS)
#endif
