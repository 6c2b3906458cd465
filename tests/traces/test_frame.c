/* test_frame.c - the frame file: what is written is read, only what changed is written,
 * contents once, and no damaged file passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/frame/frame.h"

enum { PAGE = FRAME_PAGE_BYTES, PAGES = 4, LIMIT = 1 << 20 };

static const char path[] = "test_frame.igf";
static uint8_t first[PAGES * PAGE], second[PAGES * PAGE];

static const struct frame_info info = {.device = "skl",
                                       .pci = 0x1912,
                                       .driver = "22.3.6",
                                       .command = "./program with\nlines",
                                       .first = 2,
                                       .last = 3};

static struct frame_batch batch_of(struct frame_buffer b[2])
{
    b[0] = (struct frame_buffer){7, 0x10000, sizeof(first), first};
    b[1] = (struct frame_buffer){9, 0x7FFEFFA00000, sizeof(second), second};
    return (struct frame_batch){
        .context = 3, .start = 0x10040, .bytes = 256, .buffer = b, .count = 2};
}

static void good(enum igpu_status status, const struct igpu_err *err)
{
    if (status != IGPU_OK)
        print_error("%s\n", err->text);
    assert_int_equal(status, IGPU_OK);
}

/* Batch 1 with three pages of two contents; batch 2 with one that changed, and one that
 * the GPU wrote; a drop; one frame. */
static void write_file(void)
{
    struct igpu_err err = {.text = ""};
    struct frame_writer *w = frame_create(path, &info, &err);
    struct frame_buffer b[2];
    struct frame_batch batch = batch_of(b);

    assert_non_null(w);
    memset(first, 0, sizeof(first));
    memset(second, 0, sizeof(second));
    memset(first + PAGE, 1, PAGE);
    memset(first + 3 * PAGE, 2, PAGE);
    memset(second, 1, PAGE);
    good(frame_add_batch(w, &batch, &err), &err);
    memset(second + 2 * PAGE, 5, PAGE); /* by the GPU */
    good(frame_executed(w, &batch, &err), &err);
    memset(first + PAGE, 0, PAGE);
    good(frame_add_batch(w, &batch, &err), &err);
    good(frame_end_frame(w, &err), &err);
    good(frame_drop_buffer(w, 7, &err), &err);
    good(frame_drop_buffer(w, 77, &err), &err); /* no batch had it */
    assert_int_not_equal(access(path, F_OK), 0);
    good(frame_finish(w, &err), &err);
}

static void test_reads_what_is_written(void **state)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct frame_reader *r;
    struct frame_record record;
    struct frame_memory *m = frame_memory_new(LIMIT);
    enum frame_kind kinds[16];
    unsigned n = 0, batches = 0;

    (void)state;
    write_file();
    r = frame_open(path, &status, &err);
    good(status, &err);
    assert_string_equal(frame_get_info(r)->command, "./program with lines");
    assert_int_equal(frame_get_info(r)->pci, 0x1912);
    assert_int_equal(frame_get_info(r)->last, 3);
    do {
        good(frame_next(r, &record, &err), &err);
        good(frame_memory_apply(m, &record, &err), &err);
        kinds[n++] = record.kind;
        if (record.kind != FRAME_KIND_BATCH)
            continue;
        assert_int_equal(record.batch.context, 3);
        assert_int_equal(record.batch.start, 0x10040);
        assert_int_equal(record.batch.buffer[1].va, 0x7FFEFFA00000);
        assert_int_equal(record.batch.changes, batches == 0 ? 3 : 1);
        assert_int_equal(frame_memory_host(m, 7)[PAGE], batches == 0 ? 1 : 0);
        assert_int_equal(frame_memory_host(m, 9)[5], 1);
        assert_int_equal(frame_memory_host(m, 9)[2 * PAGE], 0);
        batches++;
    } while (record.kind != FRAME_KIND_END);
    assert_int_equal(n, 7);
    assert_int_equal(kinds[0], FRAME_KIND_PAGE);
    assert_int_equal(kinds[1], FRAME_KIND_PAGE);
    assert_int_equal(kinds[2], FRAME_KIND_BATCH);
    assert_int_equal(kinds[3], FRAME_KIND_BATCH);
    assert_int_equal(kinds[4], FRAME_KIND_SHOWN);
    assert_int_equal(kinds[5], FRAME_KIND_DROP);
    assert_null(frame_memory_host(m, 7));
    assert_non_null(frame_memory_host(m, 9));
    frame_memory_free(m);
    frame_close(r);
}

/* A line by the GPU and one beside it by the program in one page, another page by the
 * program alone, one by both in turn: what the GPU wrote is not told, the rest is, with
 * the next batch. A buffer that the batch did not list is met while it is executed. */
static void test_tells_writers_apart(void **state)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct frame_writer *w = frame_create(path, &info, &err);
    struct frame_written *n = frame_written_new();
    struct frame_memory *m = frame_memory_new(LIMIT);
    struct frame_record record;
    struct frame_reader *r;
    struct frame_buffer b[2];
    struct frame_batch batch = batch_of(b);
    const uint64_t va = b[0].va;
    unsigned batches = 0;

    (void)state;
    assert_non_null(w);
    assert_non_null(n);
    batch.count = 1;
    memset(first, 0, sizeof(first));
    memset(second, 7, sizeof(second));
    good(frame_begin_batch(w, &batch, &err), &err);
    frame_written_clear(n);
    frame_written_add(n, va + 128, 64, first + 128);
    memset(first + 128, 1, 64);
    memset(first + 512, 2, 64);      /* beside it, by the program */
    memset(first + PAGE, 3, PAGE);   /* by the program alone */
    memset(first + 3 * PAGE, 4, 64); /* by the program, .. */
    frame_written_add(n, va + 2 * PAGE + 60, PAGE + 8, first + 2 * PAGE + 60);
    memset(first + 2 * PAGE + 60, 5, PAGE + 8); /* ..and then across two by the GPU */
    good(frame_use_buffer(w, &b[1], &err), &err);
    good(frame_end_batch(w, n, &err), &err);
    good(frame_begin_batch(w, &batch, &err), &err);
    good(frame_end_batch(w, NULL, &err), &err);
    good(frame_finish(w, &err), &err);
    frame_written_free(n);

    r = frame_open(path, &status, &err);
    good(status, &err);
    do {
        good(frame_next(r, &record, &err), &err);
        good(frame_memory_apply(m, &record, &err), &err);
        if (record.kind != FRAME_KIND_BATCH)
            continue;
        if (batches++ == 0) {
            assert_int_equal(record.batch.count, 2);
            assert_int_equal(record.batch.changes, PAGES);
            assert_int_equal(frame_memory_host(m, 9)[PAGE], 7);
            memset(frame_memory_host(m, 7) + 128, 1, 64); /* as executing it does */
            memset(frame_memory_host(m, 7) + 2 * PAGE + 60, 5, PAGE + 8);
        } else {
            assert_int_equal(record.batch.changes, 3);
        }
    } while (record.kind != FRAME_KIND_END);
    assert_int_equal(batches, 2);
    assert_memory_equal(frame_memory_host(m, 7), first, sizeof(first));
    frame_memory_free(m);
    frame_close(r);
}

static uint64_t second_half(const uint8_t *host, uint64_t from, uint64_t end)
{
    uint64_t half = 2 * PAGE;

    (void)host;
    return from < half ? (half < end ? half : end) : from;
}

/* What lies in a hole of its file is not looked at. */
static void test_holes_are_zeros(void **state)
{
    struct igpu_err err = {.text = ""};
    struct frame_writer *w = frame_create(path, &info, &err);
    struct frame_buffer b[2];
    struct frame_batch batch = batch_of(b);
    struct frame_reader *r;
    enum igpu_status status;

    (void)state;
    assert_non_null(w);
    frame_skip_holes(w, second_half);
    batch.count = 1;
    for (int i = 0; i < PAGES; i++)
        memset(first + i * PAGE, 1 + i, PAGE);
    good(frame_add_batch(w, &batch, &err), &err);
    good(frame_finish(w, &err), &err);
    r = frame_open(path, &status, &err);
    good(status, &err);
    good(frame_verify(r, &err), &err);
    assert_int_equal(frame_get_counts(r)->pages, 2);
    frame_close(r);
}

/* The writer makes nothing that the reader refuses. */
static void test_no_file_of_flaws(void **state)
{
    struct frame_buffer b[2];
    struct frame_batch batch = batch_of(b);
    struct igpu_err err = {.text = ""};
    struct frame_writer *w = frame_create(path, &info, &err);

    (void)state;
    assert_non_null(w);
    b[0].va += 16;
    assert_int_equal(frame_add_batch(w, &batch, &err), IGPU_SIM_ERROR);
    batch = batch_of(b);
    b[1].va = UINT64_C(1) << 47;
    assert_int_equal(frame_add_batch(w, &batch, &err), IGPU_SIM_ERROR);
    batch = batch_of(b);
    b[0].bytes = UINT64_C(1) << 33;
    assert_int_equal(frame_add_batch(w, &batch, &err), IGPU_SIM_ERROR);
    batch = batch_of(b);
    batch.start = 0x10042;
    assert_int_equal(frame_add_batch(w, &batch, &err), IGPU_SIM_ERROR);
    frame_abandon(w);
}

static void test_abandoned_leaves_nothing(void **state)
{
    struct igpu_err err = {.text = ""};
    struct frame_writer *w;

    (void)state;
    (void)unlink(path);
    w = frame_create(path, &info, &err);
    assert_non_null(w);
    frame_abandon(w);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_memory_keeps_its_limit(void **state)
{
    struct frame_buffer b = {1, 0, (uint64_t)LIMIT + PAGE, NULL};
    struct frame_record record = {.kind = FRAME_KIND_BATCH,
                                  .batch = {.buffer = &b, .count = 1}};
    struct frame_memory *m = frame_memory_new(LIMIT);
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(frame_memory_apply(m, &record, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "1 MB"));
    b.bytes = LIMIT;
    assert_int_equal(frame_memory_apply(m, &record, &err), IGPU_OK);
    frame_memory_free(m);
}

/* ---- damage ------------------------------------------------------------- */

static size_t load(uint8_t *to, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(to, 1, room, file);
    assert_int_equal(fclose(file), 0);
    return n;
}

static void save(const uint8_t *from, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(from, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void expect_refused(const char *what, size_t at)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct frame_reader *r = frame_open(path, &status, &err);

    if (r != NULL)
        status = frame_verify(r, &err);
    frame_close(r);
    if (status != IGPU_BAD_INPUT)
        print_error("%s at byte %zu passes\n", what, at);
    assert_int_equal(status, IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, path));
}

static void test_damage_is_refused(void **state)
{
    uint8_t whole[8192], bent[sizeof(whole)];
    size_t bytes;

    (void)state;
    write_file();
    bytes = load(whole, sizeof(whole));
    assert_in_range(bytes, 100, sizeof(whole) - 1);
    for (size_t i = 0; i < bytes; i++) {
        save(whole, i);
        expect_refused("a file cut", i);
    }
    for (size_t i = 0; i < bytes; i++) {
        memcpy(bent, whole, bytes);
        bent[i] ^= (uint8_t)(1u << (i + 1) % 8); /* not zstd's one that means nothing */
        save(bent, bytes);
        expect_refused("a bit changed", i);
    }
    memcpy(bent, whole, bytes);
    bent[bytes] = 0;
    save(bent, bytes + 1);
    expect_refused("a byte more", bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_what_is_written),
        cmocka_unit_test(test_tells_writers_apart),
        cmocka_unit_test(test_holes_are_zeros),
        cmocka_unit_test(test_no_file_of_flaws),
        cmocka_unit_test(test_abandoned_leaves_nothing),
        cmocka_unit_test(test_memory_keeps_its_limit),
        cmocka_unit_test(test_damage_is_refused),
    };
    const char *folder = getenv("IGPU_TMP");
    int failed;

    if (folder != NULL && chdir(folder) != 0)
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
