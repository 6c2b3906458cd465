/* feature_slm.c - bank conflicts in SLM: 16 banks of 4 bytes, as
 * docs/contract/memory.md says. Reads of one word by several lanes are one access;
 * atomics follow each other. */
#include "traces/features/feature_state.h"

enum { BANKS = 16, WORD = 4, MAX_WORDS = 64 };

/* The words of each bank; a lane's words lie in banks that follow each other. */
struct banks {
    uint32_t load[BANKS];
    uint32_t word[BANKS][MAX_WORDS];
};

static bool is_new(const struct banks *b, uint32_t bank, uint32_t word)
{
    uint32_t count = b->load[bank] < MAX_WORDS ? b->load[bank] : MAX_WORDS;

    for (uint32_t i = count; i-- > 0;)
        if (b->word[bank][i] == word)
            return false;
    return true;
}

uint32_t feature_slm_cycles(const uint64_t *addr, uint32_t lanes, uint32_t bytes,
                            bool merge, uint32_t *even)
{
    struct banks b;
    uint32_t words = 0, fullest = 1;

    for (uint32_t i = 0; i < BANKS; i++)
        b.load[i] = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t first = (uint32_t)(addr[i] / WORD);
        uint32_t last = (uint32_t)((addr[i] + bytes - 1) / WORD);

        for (uint32_t word = first; word <= last; word++) {
            uint32_t bank = word % BANKS;

            if (merge && !is_new(&b, bank, word))
                continue;
            if (b.load[bank] < MAX_WORDS)
                b.word[bank][b.load[bank]] = word;
            if (++b.load[bank] > fullest)
                fullest = b.load[bank];
            words++;
        }
    }
    *even = words <= BANKS ? 1 : (words + BANKS - 1) / BANKS;
    return fullest;
}
