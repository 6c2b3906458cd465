/* test_trace_bad.c - files that are no whole trace: every one is refused with status 3
 * and one line that names the file, without a crash and without a large allocation. */
#include <sys/resource.h>

#include "tests/traces/test_trace_util.h"
#include "traces/format/trace_frame.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#endif

enum { TRUNCATIONS = 500, FLIPS = 3000, MAX_REQUEST = 300 << 20 };

/* ---- a trace to break --------------------------------------------------- */

/* Two kernels, three launches, threads long enough for several thread sections. */
static void write_good(const char *name)
{
    struct isa_inst body[4] = {read_inst(20), mad_inst(24), read_inst(28),
                               mad_inst(32)};
    struct trace_kernel k[2];
    struct trace_writer *w = open_writer(name);
    struct rng g = {5};
    struct igpu_err err;
    uint32_t index;

    for (uint32_t i = 0; i < 2; i++) {
        loop_kernel(&k[i], i ? "second" : "first", body, 4 - i);
        assert_ok(trace_writer_kernel(w, &k[i], &index, &err), err);
    }
    for (uint32_t i = 0; i < 3; i++) {
        struct trace_launch l = plain_launch(i % 2, 4, 2);

        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        for (uint32_t id = 0; id < l.threads; id++) {
            struct trace_thread *t = trace_thread_begin(w, id);
            uint32_t turns = i == 1 ? 12000 : 3;
            struct trace_totals totals = {0, 7, 9};

            trace_thread_block(t, 0);
            for (uint32_t n = 0; n < turns; n++) {
                trace_thread_block(t, 1);
                for (uint32_t r = 0; r < 2; r++) {
                    uint64_t addr = 0x1000 + (rng_next(&g) & 0xffffc0);

                    trace_thread_access(t, k[i % 2].blocks.block[1].first + 2 * r, 1,
                                        &addr);
                }
            }
            trace_thread_block(t, 2);
            totals.instructions = k[i % 2].blocks.block[0].count +
                                  (uint64_t)turns * k[i % 2].blocks.block[1].count + 1;
            assert_ok(trace_thread_end(t, &totals, &err), err);
        }
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k[0]);
    free_kernel(&k[1]);
}

struct good {
    char name[256], broken[256];
    uint8_t *data;
    size_t size;
    uint64_t boundary[64]; /* offsets of the sections, footer and trailer */
    uint32_t boundaries;
};

static int make_good(void **state)
{
    struct good *good = calloc(1, sizeof(*good));
    struct trace_reader *r;
    struct igpu_err err;

    assert_non_null(good);
    temp_name(good->name, sizeof(good->name), "good");
    temp_name(good->broken, sizeof(good->broken), "broken");
    write_good(good->name);
    good->data = read_file(good->name, &good->size);
    r = open_reader(good->name);
    assert_ok(trace_verify(r, &err), err);
    assert_true(trace_summary(r)->chunks >= 9);
    assert_true(trace_summary(r)->chunks < 60);
    for (uint32_t i = 0; i < trace_summary(r)->chunks; i++)
        good->boundary[good->boundaries++] = trace_chunk(r, i).offset;
    good->boundary[good->boundaries] = good->boundary[good->boundaries - 1] +
                                       trace_chunk(r, good->boundaries - 1).bytes;
    good->boundaries++;
    good->boundary[good->boundaries++] = good->size - TRACE_TRAILER_BYTES;
    trace_close(r);
    *state = good;
    return 0;
}

static int free_good(void **state)
{
    struct good *good = *state;

    remove(good->name);
    remove(good->broken);
    free(good->data);
    free(good);
    return 0;
}

/* ---- what must happen --------------------------------------------------- */

static void check_line(const struct igpu_err *err, const char *name)
{
    assert_non_null(strstr(err->text, name));
    assert_null(strchr(err->text, '\n'));
    assert_true(strlen(err->text) > strlen(name) + 10);
}

/* Opening or verifying the file fails with status 3. */
static void refuse(const char *name, const char *expected)
{
    enum igpu_status status = IGPU_OK;
    struct igpu_err err = {.text = ""};
    struct trace_reader *r = trace_open(name, &status, &err);

    if (r)
        status = trace_verify(r, &err);
    trace_close(r);
    assert_int_equal(status, IGPU_BAD_INPUT);
    check_line(&err, name);
    if (expected && !strstr(err.text, expected))
        fail_msg("'%s' does not say '%s'", err.text, expected);
}

static void refuse_bytes(const struct good *good, const void *data, size_t size,
                         const char *expected)
{
    write_file(good->broken, data, size);
    refuse(good->broken, expected);
}

/* ---- tests -------------------------------------------------------------- */

static void test_no_trace_at_all_is_refused(void **state)
{
    const struct good *good = *state;
    const char text[] = "This is a text file that somebody took for a trace.\n";
    uint8_t noise[4096];
    struct rng g = {3};

    refuse("/nonexistent/trace.pb", "cannot open");
    refuse("tests/traces", "regular file");
    refuse_bytes(good, "", 0, "empty");
    refuse_bytes(good, text, sizeof(text) - 1, "not a trace");
    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (uint8_t)rng_next(&g);
    refuse_bytes(good, noise, sizeof(noise), "not a trace");
    memcpy(noise, good->data, TRACE_MAGIC_BYTES);
    refuse_bytes(good, noise, sizeof(noise), "trailer");
}

static void test_another_major_version_is_refused_and_named(void **state)
{
    const struct good *good = *state;
    uint8_t *data = malloc(good->size);
    struct igpu_err err;
    struct trace_reader *r;

    assert_non_null(data);
    memcpy(data, good->data, good->size);
    data[6] = 2;
    data[7] = 0;
    refuse_bytes(good, data, good->size, "version 2.0");
    data[6] = 1;
    data[7] = 9; /* another minor version is read */
    write_file(good->broken, data, good->size);
    r = open_reader(good->broken);
    assert_int_equal(trace_summary(r)->minor, 9);
    assert_ok(trace_verify(r, &err), err);
    trace_close(r);
    free(data);
}

static void test_a_file_cut_at_any_section_is_refused(void **state)
{
    const struct good *good = *state;

    for (uint32_t i = 0; i < good->boundaries; i++)
        for (int64_t d = -1; d <= 1; d++)
            refuse_bytes(good, good->data, (size_t)((int64_t)good->boundary[i] + d),
                         "cut short");
    for (size_t n = 1; n <= TRACE_TRAILER_BYTES; n++)
        refuse_bytes(good, good->data, good->size - n, "cut short");
    for (size_t n = 1; n < TRACE_MAGIC_BYTES + 4; n++)
        refuse_bytes(good, good->data, n, NULL);
}

static void test_a_file_cut_anywhere_is_refused(void **state)
{
    const struct good *good = *state;
    struct rng g = {test_seed(11)};

    for (int i = 0; i < TRUNCATIONS; i++)
        refuse_bytes(good, good->data, rng_below(&g, (uint32_t)good->size), NULL);
}

/* A flipped bit is found, wherever it is, except in the minor version. */
static void test_a_flipped_bit_is_refused(void **state)
{
    const struct good *good = *state;
    struct rng g = {test_seed(12)};
    uint8_t *data = malloc(good->size);

    assert_non_null(data);
    memcpy(data, good->data, good->size);
    for (uint32_t i = 0; i < FLIPS; i++) {
        uint32_t at = rng_below(&g, (uint32_t)good->size);

        /* Half of them near the sections' beginnings, where the structure is. */
        if (i % 2)
            at = (uint32_t)good->boundary[rng_below(&g, good->boundaries)] +
                 rng_below(&g, TRACE_TRAILER_BYTES);
        if (at == 7)
            continue;
        data[at] ^= (uint8_t)(1u << rng_below(&g, 8));
        refuse_bytes(good, data, good->size, NULL);
        data[at] = good->data[at];
    }
    free(data);
}

/* The section that is bad is named by its offset. */
static void test_the_bad_section_is_named(void **state)
{
    const struct good *good = *state;
    uint8_t *data = malloc(good->size);

    assert_non_null(data);
    for (uint32_t i = 0; i + 2 < good->boundaries; i++) {
        char expected[64];

        memcpy(data, good->data, good->size);
        data[good->boundary[i + 1] - 1] ^= 0x10;
        snprintf(expected, sizeof(expected), "section at offset %llu: its checksum",
                 (unsigned long long)good->boundary[i]);
        refuse_bytes(good, data, good->size, expected);
    }
    free(data);
}

static void test_bytes_behind_the_end_are_refused(void **state)
{
    const struct good *good = *state;
    uint8_t *data = calloc(1, good->size + 100);

    assert_non_null(data);
    memcpy(data, good->data, good->size);
    refuse_bytes(good, data, good->size + 1, NULL);
    refuse_bytes(good, data, good->size + 100, NULL);
    memcpy(data + good->size, good->data + good->size - TRACE_TRAILER_BYTES,
           TRACE_TRAILER_BYTES);
    refuse_bytes(good, data, good->size + TRACE_TRAILER_BYTES, NULL);
    free(data);
}

/* ---- sections with right checksums and wrong content -------------------- */

/* Frames by hand: `kind`, codec none, any payload, then footer offset and trailer. */
struct forged {
    struct trace_bytes file;
    struct trace_crc crc;
};

static void forge_begin(struct forged *f)
{
    memset(f, 0, sizeof(*f));
    trace_crc_init(&f->crc);
    trace_bytes_put(&f->file, trace_magic, sizeof(trace_magic));
    trace_bytes_u8(&f->file, TRACE_MAJOR);
    trace_bytes_u8(&f->file, TRACE_MINOR);
}

static void forge_section(struct forged *f, uint32_t kind, uint32_t codec,
                          uint32_t raw_size, const void *payload, size_t size)
{
    struct trace_bytes frame = {0};
    uint8_t head[12], sum[4];
    uint32_t crc;

    trace_put_le32(head, kind);
    trace_put_le32(head + 4, codec);
    trace_put_le32(head + 8, raw_size);
    crc = trace_crc_add(&f->crc, 0, head, sizeof(head));
    crc = trace_crc_add(&f->crc, crc, payload, size);
    trace_put_le32(sum, crc);
    trace_bytes_u8(&frame, 1 << 3);
    trace_bytes_varint(&frame, kind);
    trace_bytes_u8(&frame, 2 << 3);
    trace_bytes_varint(&frame, codec);
    trace_bytes_u8(&frame, 3 << 3);
    trace_bytes_varint(&frame, raw_size);
    trace_bytes_u8(&frame, 4 << 3 | 5);
    trace_bytes_put(&frame, sum, sizeof(sum));
    trace_bytes_u8(&frame, 5 << 3 | 2);
    trace_bytes_varint(&frame, size);
    trace_bytes_put(&frame, payload, size);
    trace_bytes_varint(&f->file, frame.size);
    trace_bytes_put(&f->file, frame.data, frame.size);
    trace_bytes_free(&frame);
}

static void forge_end(const struct good *good, struct forged *f, uint64_t footer,
                      const char *expected)
{
    uint8_t trailer[TRACE_TRAILER_BYTES];

    trace_put_le64(trailer, footer);
    trace_put_le32(trailer + 8, trace_crc_add(&f->crc, 0, trailer, 8));
    memcpy(trailer + 12, trace_end_magic, sizeof(trace_end_magic));
    trace_bytes_put(&f->file, trailer, sizeof(trailer));
    refuse_bytes(good, f->file.data, f->file.size, expected);
    trace_bytes_free(&f->file);
}

static void test_huge_counts_are_refused(void **state)
{
    const struct good *good = *state;
    uint8_t payload[64], length[10];
    struct rng g = {test_seed(13)};
    struct forged f;

    /* A frame that says it has 2^60 bytes. */
    forge_begin(&f);
    memset(length, 0xff, sizeof(length));
    length[8] = 0x0f;
    trace_bytes_put(&f.file, length, 9);
    trace_bytes_extend(&f.file, 100);
    forge_end(good, &f, TRACE_MAGIC_BYTES, "its length is not valid");
    /* A footer that says it expands to 4 GB. */
    forge_begin(&f);
    memset(payload, 0, sizeof(payload));
    forge_section(&f, TRACE_KIND_FOOTER, 1, UINT32_MAX, payload, sizeof(payload));
    forge_end(good, &f, TRACE_MAGIC_BYTES, "larger than the format allows");
    /* Sections of noise, with right checksums. */
    for (int i = 0; i < 300; i++) {
        uint64_t footer;

        forge_begin(&f);
        for (size_t k = 0; k < sizeof(payload); k++)
            payload[k] = (uint8_t)rng_next(&g);
        forge_section(&f, TRACE_KIND_HEADER, 0, sizeof(payload), payload,
                      sizeof(payload));
        footer = f.file.size;
        payload[0] = (uint8_t)(rng_below(&g, 16) << 3 | rng_below(&g, 6));
        forge_section(&f, TRACE_KIND_FOOTER, 0, sizeof(payload), payload,
                      sizeof(payload));
        forge_end(good, &f, footer, NULL);
    }
}

/* All of the above within 300 MB of memory: nothing believes a size it reads. */
static void limit_memory(void)
{
#ifndef SANITIZED
    struct rlimit limit = {MAX_REQUEST, MAX_REQUEST};

    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_trace_at_all_is_refused),
        cmocka_unit_test(test_another_major_version_is_refused_and_named),
        cmocka_unit_test(test_a_file_cut_at_any_section_is_refused),
        cmocka_unit_test(test_a_file_cut_anywhere_is_refused),
        cmocka_unit_test(test_a_flipped_bit_is_refused),
        cmocka_unit_test(test_the_bad_section_is_named),
        cmocka_unit_test(test_bytes_behind_the_end_are_refused),
        cmocka_unit_test(test_huge_counts_are_refused),
    };

    limit_memory();
    return cmocka_run_group_tests(tests, make_good, free_good);
}
