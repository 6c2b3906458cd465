/* test_fpga_link.c - the host's end of the link alone, with a board that is a function:
 * more frames than their 16-bit numbers count, each with its words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/fpga/fpga_frame.h"
#include "bridge/engines/fpga/fpga_link.h"

enum { FRAMES = 65536 + 100 };

/* Acknowledges what comes in order, as igpu_link_rx does. */
struct board {
    uint16_t expect;
    uint64_t words, empty;
    bool answers; /* a frame is to be answered */
    struct fpga_frame answer;
};

static bool board_send(void *ctx, const void *bytes, size_t size)
{
    struct board *b = ctx;
    struct fpga_frame f;

    assert_true(fpga_frame_read(&f, bytes, size));
    if (f.type == IGPU_LINK_HELLO) {
        b->answer = (struct fpga_frame){.type = IGPU_LINK_HELLO,
                                        .session = f.session,
                                        .words = IGPU_LINK_BUILD,
                                        .payload = {IGPU_LINK_VERSION << 24}};
    } else {
        if (f.type == IGPU_LINK_DATA && f.words == 0)
            b->empty++;
        if (f.type == IGPU_LINK_DATA && f.words > 0 && f.seq == b->expect) {
            b->expect++;
            b->words += f.words;
        }
        b->answer = (struct fpga_frame){
            .type = IGPU_LINK_ACK, .session = f.session, .ack = b->expect};
    }
    b->answers = true;
    return b->empty == 0; /* or the host would repeat it for ever */
}

static int board_receive(void *ctx, void *bytes, size_t size, int timeout_ms)
{
    struct board *b = ctx;

    (void)timeout_ms;
    if (!b->answers || size < FRAME_BYTES)
        return 0;
    b->answers = false;
    return (int)fpga_frame_write(&b->answer, bytes);
}

static void board_close(void *ctx)
{
    (void)ctx;
}

static void frames_keep_their_words_where_numbers_begin_anew(void **state)
{
    struct board board = {0};
    struct fpga_port port = {&board, board_send, board_receive, board_close, 0};
    struct fpga_link *link;
    struct igpu_err err;

    (void)state;
    assert_int_equal(fpga_link_open(&link, &port, "test", &err), IGPU_OK);
    for (uint32_t i = 0; i < FRAMES; i++) {
        fpga_link_put(link, i);
        fpga_link_flush(link);
    }
    assert_int_equal(board.empty, 0);
    assert_int_equal(fpga_link_status(link, &err), IGPU_OK);
    assert_int_equal(board.words, FRAMES);
    fpga_link_close(link);
}

/* A board that answers each frame and carries out none, once the run is to end. */
static bool send_to_idle(void *ctx, const void *bytes, size_t size)
{
    struct board *b = ctx;
    struct fpga_frame f;

    if (!fpga_frame_read(&f, bytes, size) || f.type == IGPU_LINK_HELLO)
        return board_send(ctx, bytes, size);
    b->answer = (struct fpga_frame){.type = IGPU_LINK_ACK, .session = f.session};
    b->answers = true;
    return true;
}

static void a_board_that_only_acknowledges_is_left(void **state)
{
    static volatile sig_atomic_t stop = 1;
    struct board board = {0};
    struct fpga_port port = {&board, send_to_idle, board_receive, board_close, 0};
    struct fpga_link *link;
    struct igpu_err err;
    uint32_t word;

    (void)state;
    assert_int_equal(fpga_link_open(&link, &port, "test", &err), IGPU_OK);
    fpga_link_heed(link, &stop);
    fpga_link_put(link, 1);
    fpga_link_flush(link);
    assert_false(fpga_link_get(link, &word));
    assert_int_equal(fpga_link_status(link, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "the board did nothing new"));
    fpga_link_close(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_keep_their_words_where_numbers_begin_anew),
        cmocka_unit_test(a_board_that_only_acknowledges_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
