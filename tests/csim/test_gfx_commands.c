/* test_gfx_commands.c - commands to memory, in batches of their own: waits by each
 * comparison, of which drivers make but one, and stores of one dword and two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_int.h"

#define BASE ((uint64_t)1 << 32)
enum { END = 0x0A << 23, WAIT = 0x1C << 23 | 2, STORE = 0x20 << 23, DATA = 64 };

static uint32_t memory[256];

/* Runs n dwords of commands; DATA is a place in memory behind them. */
static enum igpu_status run(const uint32_t *command, uint32_t n, struct igpu_err *err)
{
    const struct gfx_buffer buffer = {BASE, sizeof(memory), (uint8_t *)memory};
    struct gfx *g = gfx_new();
    enum igpu_status status;

    assert_non_null(g);
    memcpy(memory, command, n * sizeof(*command));
    memory[n] = END;
    assert_int_equal(gfx_map(g, &buffer, 1, err), IGPU_OK);
    status = gfx_batch(g, 1, BASE, err);
    gfx_free(g);
    return status;
}

static void waits_go_on_where_their_comparison_holds(void **unused)
{
    /* By comparison: is what memory has, 4, 5 and 6, enough for 5? */
    static const uint8_t holds[6] = {4, 6, 1, 3, 2, 5};

    (void)unused;
    for (uint32_t how = 0; how < 8; how++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t wait[] = {WAIT | 1u << 15 | how << 12, 5,
                                     (uint32_t)BASE + 4 * DATA, 1};
            struct igpu_err err = {.text = ""};
            bool good = how < 6 && holds[how] >> k & 1;

            memory[DATA] = 4 + k;
            assert_int_equal(run(wait, 4, &err), good ? IGPU_OK : IGPU_SIM_ERROR);
            assert_int_equal(strstr(err.text, "a wait for what nothing") == NULL, good);
        }
}

static void stores_have_the_length_of_their_data(void **unused)
{
    const uint32_t one[] = {STORE | 2, (uint32_t)BASE + 4 * DATA, 1, 11};
    const uint32_t two[] = {STORE | 3, (uint32_t)BASE + 4 * DATA, 1, 21, 22};
    const uint32_t bit[] = {STORE | 1 << 21 | 3, (uint32_t)BASE + 4 * DATA, 1, 31, 32};
    struct igpu_err err;

    (void)unused;
    memory[DATA] = memory[DATA + 1] = 7;
    assert_int_equal(run(one, 4, &err), IGPU_OK);
    assert_int_equal(memory[DATA], 11);
    assert_int_equal(memory[DATA + 1], 7);
    assert_int_equal(run(two, 5, &err), IGPU_OK);
    assert_int_equal(memory[DATA], 21);
    assert_int_equal(memory[DATA + 1], 22);
    assert_int_equal(run(bit, 5, &err), IGPU_OK);
    assert_int_equal(memory[DATA], 31);
    assert_int_equal(memory[DATA + 1], 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_go_on_where_their_comparison_holds),
        cmocka_unit_test(stores_have_the_length_of_their_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
