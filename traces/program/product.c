/* product.c - is this zebin for a Gen9 GPU? Its note .note.intelgt.compat says for
 * which product it was compiled. Files without the note are taken as they are. */
#include <inttypes.h>
#include <string.h>

#include "loader_impl.h"

enum { HEADER_BYTES = 12, NOTE_PRODUCT = 1, FIRST_GEN9 = 18, LAST_GEN9 = 23 };

static uint32_t load_word(const uint8_t *p)
{
    uint32_t word;

    memcpy(&word, p, sizeof(word)); /* little-endian, as the host */
    return word;
}

/* Some that people have; "another GPU" for the rest. */
static const char *product_name(uint32_t product)
{
    static const char *const names[] = {[16] = "Broadwell (Gen8)",
                                        [17] = "Cherry View (Gen8)",
                                        [26] = "Ice Lake (Gen11)",
                                        [29] = "Tiger Lake (Gen12)"};
    const char *name =
        product < sizeof(names) / sizeof(names[0]) ? names[product] : NULL;

    return name != NULL ? name : "another GPU";
}

enum igpu_status loader_check_product(const char *label, const uint8_t *note,
                                      size_t bytes, struct igpu_err *err)
{
    while (bytes >= HEADER_BYTES) {
        uint64_t name = load_word(note), data = load_word(note + 4);
        uint64_t name_end = HEADER_BYTES + (name + 3) / 4 * 4;
        uint64_t end = name_end + (data + 3) / 4 * 4;
        uint32_t product;

        if (end > bytes)
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "%s: section .note.intelgt.compat: a note reaches beyond "
                             "its end",
                             label);
        product = data >= 4 ? load_word(note + name_end) : 0;
        if (load_word(note + 8) == NOTE_PRODUCT && data >= 4 &&
            (product < FIRST_GEN9 || product > LAST_GEN9))
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "%s: was compiled for product %" PRIu32
                             ", %s; compile it for skl or kbl",
                             label, product, product_name(product));
        note += end;
        bytes -= end;
    }
    return IGPU_OK;
}
