/* test_oa.c - OA reports byte for byte, differences that wrap, every equation of every
 * metric set, and recordings: written, read, damaged.
 *   build/tests/csim/test_oa --write FILE SET     a recording for other readers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "igpu/oa.h"

/* Counters that tell each byte apart: A counter i is 0xA0+i, i, i+1, i+2, i+3 from the
 * top. */
static struct oa_counters telling(void)
{
    struct oa_counters c = {.report_id = OA_REASON_TIMER | OA_CONTEXT_VALID,
                            .context = 0x01020304,
                            .timestamp = 0x1112131415,
                            .clocks = 0x2122232425};

    for (uint32_t i = 0; i < OA_A_COUNTERS; i++)
        c.a[i] = (uint64_t)(0xA0 + i) << 32 | (uint64_t)i << 24 | (i + 1) << 16 |
                 (i + 2) << 8 | (i + 3);
    for (uint32_t i = 0; i < OA_B_COUNTERS; i++) {
        c.b[i] = 0xB0000000u | i;
        c.c[i] = 0xC0000000u | i;
    }
    return c;
}

static const uint8_t header[16] = {0x00, 0x00, 0x09, 0x00, 0x15, 0x14, 0x13, 0x12,
                                   0x04, 0x03, 0x02, 0x01, 0x25, 0x24, 0x23, 0x22};

/* `count` A counters from `first` on, low dwords, at `at`. */
static void expect_a(uint8_t *want, uint32_t at, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 4; k++)
            want[at + 4 * i + k] = (uint8_t)(first + i + 3 - k);
}

static void expect_bc(uint8_t *want, uint32_t at, uint8_t top, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        want[at + 4 * i] = (uint8_t)i;
        want[at + 4 * i + 3] = top;
    }
}

static void reports_have_the_hardware_s_bytes(void **state)
{
    struct oa_counters c = telling();
    uint8_t got[256], want[256];
    static const struct {
        enum oa_format format;
        uint32_t bytes;
    } formats[] = {{OA_A12, 64},
                   {OA_A12_B8_C8, 128},
                   {OA_A32U40_A4U32_B8_C8, 256},
                   {OA_C4_B8, 64}};

    (void)state;
    for (uint32_t f = 0; f < 4; f++) {
        memset(want, 0, sizeof(want));
        memcpy(want, header, sizeof(header));
        if (formats[f].format == OA_A12 || formats[f].format == OA_A12_B8_C8)
            expect_a(want, 16, 7, 12);
        if (formats[f].format == OA_A12_B8_C8) {
            expect_bc(want, 64, 0xB0, 8);
            expect_bc(want, 96, 0xC0, 8);
        }
        if (formats[f].format == OA_A32U40_A4U32_B8_C8) {
            expect_a(want, 16, 0, 32);
            expect_a(want, 144, 32, 4);
            for (uint32_t i = 0; i < 32; i++)
                want[160 + i] = (uint8_t)(0xA0 + i);
            expect_bc(want, 192, 0xB0, 8);
            expect_bc(want, 224, 0xC0, 8);
        }
        if (formats[f].format == OA_C4_B8) {
            expect_bc(want, 16, 0xC0, 4);
            expect_bc(want, 32, 0xB0, 8);
        }
        assert_int_equal(oa_report_bytes(formats[f].format), formats[f].bytes);
        oa_report_write(formats[f].format, &c, got);
        assert_memory_equal(got, want, formats[f].bytes);
    }
    assert_int_equal(oa_report_bytes((enum oa_format)6), 0);
    assert_int_equal(oa_report_bytes((enum oa_format)11), 0);
}

static void differences_wrap_at_the_width_of_the_counter(void **state)
{
    struct oa_counters at = {0}, from, to, sum = {0};
    uint8_t report[256];
    uint64_t step = 0x9FFFFFFF; /* over half of 32 bits, so that all of them wrap */

    (void)state;
    oa_report_write(OA_A32U40_A4U32_B8_C8, &at, report);
    oa_report_read(OA_A32U40_A4U32_B8_C8, report, &from);
    for (uint32_t n = 1; n <= 600; n++) {
        at.timestamp += step;
        at.clocks += step;
        for (uint32_t i = 0; i < OA_A_COUNTERS; i++)
            at.a[i] += i < 32 ? step * 100 : step;
        for (uint32_t i = 0; i < OA_B_COUNTERS; i++)
            at.b[i] = at.c[i] += step;
        oa_report_write(OA_A32U40_A4U32_B8_C8, &at, report);
        oa_report_read(OA_A32U40_A4U32_B8_C8, report, &to);
        oa_report_add(OA_A32U40_A4U32_B8_C8, &from, &to, &sum);
        from = to;
    }
    assert_true(at.a[0] > (uint64_t)1 << 40);
    assert_memory_equal(sum.a, at.a, sizeof(at.a));
    assert_memory_equal(sum.b, at.b, sizeof(at.b));
    assert_memory_equal(sum.c, at.c, sizeof(at.c));
    assert_int_equal(sum.timestamp, at.timestamp);
    assert_int_equal(sum.clocks, at.clocks);
}

/* Counters narrower in the other formats, and those they lack stay 0. */
static void other_formats_count_in_32_bits(void **state)
{
    struct oa_counters from = {.a = {[7] = UINT32_MAX}}, to = {.a = {[7] = 4, [6] = 9}};
    struct oa_counters sum = {0}, read;
    uint8_t report[256];

    (void)state;
    oa_report_add(OA_A12, &from, &to, &sum);
    assert_int_equal(sum.a[7], 5);
    oa_report_write(OA_A12, &to, report);
    oa_report_read(OA_A12, report, &read);
    assert_int_equal(read.a[7], 4);
    assert_int_equal(read.a[6], 0);
}

static const struct oa_device gt2 = {.timestamp_hz = 12000000,
                                     .min_hz = 350000000,
                                     .max_hz = 1150000000,
                                     .eus = 24,
                                     .slices = 1,
                                     .subslices = 3,
                                     .threads = 7,
                                     .slice_mask = 1,
                                     .subslice_mask = 7};

static const struct oa_value *metric(const char *set_name, const struct oa_counters *c,
                                     const char *symbol)
{
    static struct oa_value value[64];
    const struct oa_set *set = oa_set_find(set_name);

    assert_non_null(set);
    assert_true(set->count <= 64);
    assert_int_equal(oa_set_evaluate(set, &gt2, c, value, NULL), IGPU_OK);
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(oa_set_metric(set, i)->symbol, symbol) == 0)
            return &value[i];
    fail_msg("no metric %s in %s", symbol, set_name);
    return NULL;
}

static void equations_give_what_they_say(void **state)
{
    struct oa_counters c = {.timestamp = 12000, .clocks = 1000000};

    (void)state;
    c.a[7] = 24 * 900000 + 5; /* the division by EUs cuts 5 */
    c.a[8] = 24 * 50000;
    c.a[9] = 24 * 300000;
    c.a[10] = 24 * 500000;
    c.a[11] = 24 * 400000;
    c.a[30] = 1000;
    c.a[31] = 500;
    c.a[32] = 2500;
    c.c[4] = 77;
    assert_int_equal(metric("ComputeBasic", &c, "GpuTime")->integer, 1000000);
    assert_int_equal(metric("ComputeBasic", &c, "AvgGpuCoreFrequency")->integer,
                     1000000000);
    assert_true(metric("ComputeBasic", &c, "EuActive")->number == 90.0);
    assert_true(metric("ComputeBasic", &c, "EuActive")->maximum == 100.0);
    assert_true(metric("ComputeBasic", &c, "EuStall")->number == 5.0);
    /* Both, over either: 0.3 / (0.5 + 0.4 - 0.3) + 1. */
    assert_true(metric("ComputeBasic", &c, "EuAvgIpcRate")->number == 1.5);
    assert_int_equal(metric("ComputeBasic", &c, "L3ShaderThroughput")->integer,
                     (1000 + 500 + 2500) * 64);
    /* 192 bytes a clock. */
    assert_true(metric("ComputeBasic", &c, "L3ShaderThroughput")->maximum == 192e6);
    assert_int_equal(metric("ComputeBasic", &c, "GtiReadThroughput")->integer, 77 * 64);
    assert_int_equal(metric("MemoryReads", &c, "GtiL3Reads")->integer, 77);
    /* Nothing counted: no division by zero. */
    memset(&c, 0, sizeof(c));
    assert_true(metric("ComputeBasic", &c, "EuAvgIpcRate")->number == 1.0);
    assert_true(metric("ComputeBasic", &c, "EuActive")->number == 0.0);
}

static void every_set_evaluates(void **state)
{
    uint32_t count, metrics = 0, available = 0;
    const struct oa_set *set = oa_sets(&count);
    struct oa_counters c = telling();
    struct oa_value value[64];

    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(oa_set_evaluate(&set[i], &gt2, &c, value, NULL), IGPU_OK);
        assert_int_equal(set[i].first, metrics);
        metrics += set[i].count;
        for (uint32_t k = 0; k < set[i].count; k++)
            available += value[k].available;
    }
    assert_int_equal(count, 22);
    assert_int_equal(metrics, 721);
    assert_int_equal(available, 721 - 8); /* those that i915 alone can count */
    assert_null(oa_set_find("renderbasic"));
}

/* ---- recordings ---------------------------------------------------------- */

static struct oa_recording_info recording_info(const char *set_name)
{
    const struct oa_set *set = oa_set_find(set_name);
    struct oa_recording_info info = {.device = gt2,
                                     .pci_id = 0x1912,
                                     .revision = 6,
                                     .format = OA_A32U40_A4U32_B8_C8};

    (void)snprintf(info.set, sizeof(info.set), "%s", set->symbol);
    (void)snprintf(info.uuid, sizeof(info.uuid), "%s", set->uuid);
    return info;
}

/* Five reports of context 1 whose counters grow by different steps, wrapping on the
 * way. */
static void write_recording(FILE *out, const char *set_name)
{
    struct oa_recording_info info = recording_info(set_name);
    struct oa_counters c = {.timestamp = 0x10000000, .clocks = UINT32_MAX - 100000};

    for (uint32_t i = 0; i < OA_A_COUNTERS; i++)
        c.a[i] = i < 32 ? ((uint64_t)1 << 40) - 1000 * i : UINT32_MAX - i;
    for (uint32_t i = 0; i < OA_B_COUNTERS; i++)
        c.b[i] = c.c[i] = UINT32_MAX - 7 * i;
    oa_recording_begin(out, &info);
    oa_recording_correlate(out, 1000000000, c.timestamp - 1);
    for (uint32_t n = 0; n < 5; n++) {
        c.report_id = OA_REASON_TIMER | OA_CONTEXT_VALID;
        c.context = 1;
        oa_recording_report(out, &info, &c);
        c.timestamp += 1200;
        c.clocks += 115000;
        for (uint32_t i = 0; i < OA_A_COUNTERS; i++)
            c.a[i] += 24 * (n + 1) * (1000 + 731 * i % 9000);
        for (uint32_t i = 0; i < OA_B_COUNTERS; i++) {
            c.b[i] += (3000 + 17 * i) * (n + 1);
            c.c[i] += (20000 - 29 * i) * (n + 1);
        }
    }
    oa_recording_correlate(out, 1001000000, c.timestamp + 1);
}

static void make_file(char path[32], const uint8_t *bytes, size_t size)
{
    int fd;

    (void)strcpy(path, "/tmp/test_oa.XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_true(write(fd, bytes, size) == (ssize_t)size);
    assert_int_equal(close(fd), 0);
}

static uint8_t *recording_bytes(size_t *size)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);

    assert_non_null(out);
    write_recording(out, "ComputeBasic");
    assert_int_equal(fclose(out), 0);
    return (uint8_t *)bytes;
}

static void recordings_read_as_they_were_written(void **state)
{
    struct oa_recording r;
    struct oa_counters first, last;
    char path[32];
    size_t size;
    uint8_t *bytes = recording_bytes(&size);

    (void)state;
    make_file(path, bytes, size);
    assert_int_equal(oa_recording_open(&r, path, NULL), IGPU_OK);
    assert_int_equal(r.reports, 5);
    assert_int_equal(r.info.device.eus, 24);
    assert_int_equal(r.info.device.subslice_mask, 7);
    assert_int_equal(r.info.device.max_hz, 1150000000);
    assert_string_equal(r.info.set, "ComputeBasic");
    oa_report_read(r.info.format, r.report[0], &first);
    oa_report_read(r.info.format, r.report[4], &last);
    assert_int_equal(first.context, 1);
    assert_int_equal(last.context, 1);
    assert_int_equal((uint32_t)(last.clocks - first.clocks), 4 * 115000);
    oa_recording_free(&r);
    (void)unlink(path);
    free(bytes);
}

/* Every cut, and every byte changed in turn: an error that names file and offset, or a
 * recording; never a crash. */
static void damage_is_told(void **state)
{
    struct oa_recording r;
    struct igpu_err err;
    char path[32];
    size_t size;
    uint8_t *bytes = recording_bytes(&size);
    uint32_t refused = 0;

    (void)state;
    for (size_t cut = 0; cut < size; cut += 3) {
        make_file(path, bytes, cut);
        if (oa_recording_open(&r, path, &err) == IGPU_OK) {
            oa_recording_free(&r);
        } else {
            assert_non_null(strstr(err.text, path));
            refused++;
        }
        (void)unlink(path);
    }
    assert_true(refused > size / 3 - 12); /* whole records may be missing at the end */
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 0xFF;
        make_file(path, bytes, size);
        if (oa_recording_open(&r, path, &err) == IGPU_OK)
            oa_recording_free(&r);
        else
            assert_non_null(strstr(err.text, path));
        (void)unlink(path);
        bytes[at] ^= 0xFF;
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_have_the_hardware_s_bytes),
        cmocka_unit_test(differences_wrap_at_the_width_of_the_counter),
        cmocka_unit_test(other_formats_count_in_32_bits),
        cmocka_unit_test(equations_give_what_they_say),
        cmocka_unit_test(every_set_evaluates),
        cmocka_unit_test(recordings_read_as_they_were_written),
        cmocka_unit_test(damage_is_told),
    };

    if (argc == 4 && strcmp(argv[1], "--write") == 0) {
        FILE *out = fopen(argv[2], "wb");

        if (out == NULL || oa_set_find(argv[3]) == NULL)
            return 2;
        write_recording(out, argv[3]);
        return fclose(out) == 0 ? 0 : 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
