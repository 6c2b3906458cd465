/* oa_file.c - recordings as i915-perf-recorder makes them, see igpu/oa.h.
 *
 * A recording is a row of records, each with a header of type, padding and size (its
 * own 8 bytes included). A sample (type 1) holds one report; types 2 and 3 tell that
 * reports or the buffer were lost; from 65536 on the recorder's own: version, device,
 * topology, correlation of clocks. Source: i915's uapi and igt-gpu-tools 1.27.1. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/oa.h"

enum { HEADER = 8, SAMPLE = 1, REPORT_LOST = 2, BUFFER_LOST = 3 };
enum { VERSION = 1 << 16, DEVICE_INFO, TOPOLOGY, CORRELATION };
enum { VERSION_BYTES = 8, INFO_BYTES = 336, CORRELATION_BYTES = 16, OUR_VERSION = 1 };
/* In a device record. */
enum {
    AT_HZ = 0,
    AT_PCI = 8,
    AT_REVISION = 12,
    AT_MIN = 16,
    AT_MAX = 20,
    AT_FORMAT = 32,
    AT_SET = 36,
    SET_BYTES = 256,
    AT_UUID = AT_SET + SET_BYTES,
    UUID_BYTES = 40
};
/* In a topology record: i915_engine_class_instance, then drm_i915_query_topology_info.
 */
enum { AT_TOPOLOGY = 0, TOPOLOGY_FIELDS = 8, AT_MASKS = AT_TOPOLOGY + 16 };
enum { MAX_SLICES = 8, MAX_SUBSLICES = 8, MAX_EUS = 16, BITS_PER_SLICE = 3 };

/* ---- bytes --------------------------------------------------------------- */

static uint64_t little(const uint8_t *p, uint32_t bytes)
{
    uint64_t value = 0;

    for (uint32_t i = bytes; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static void set_little(uint8_t *p, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* ---- reading ------------------------------------------------------------- */

struct reading {
    struct oa_recording *r;
    const char *path;
    uint64_t at, size; /* of the record that is read, of the file */
    bool has_info, has_topology;
    uint32_t room; /* of r->report */
    struct igpu_err *err;
};

static enum igpu_status recording_bad(const struct reading *in, const char *what)
{
    return igpu_fail(in->err, IGPU_BAD_INPUT, "%s: offset %" PRIu64 ": %s", in->path,
                     in->at, what);
}

static enum igpu_status take_info(struct reading *in, const uint8_t *data,
                                  uint32_t bytes)
{
    struct oa_recording_info *info = &in->r->info;

    if (bytes < INFO_BYTES)
        return recording_bad(
            in, "a device record that is too short; expected 336 bytes of data");
    info->device.timestamp_hz = little(data + AT_HZ, 8);
    info->pci_id = (uint32_t)little(data + AT_PCI, 4);
    info->revision = (uint32_t)little(data + AT_REVISION, 4);
    info->device.min_hz = little(data + AT_MIN, 4);
    info->device.max_hz = little(data + AT_MAX, 4);
    info->device.threads = 7;
    info->format = (enum oa_format)little(data + AT_FORMAT, 4);
    memcpy(info->set, data + AT_SET, SET_BYTES);
    memcpy(info->uuid, data + AT_UUID, UUID_BYTES);
    if (info->set[SET_BYTES - 1] != '\0' || info->uuid[UUID_BYTES - 1] != '\0')
        return recording_bad(in, "a device record whose metric set has no end");
    if (oa_report_bytes(info->format) == 0)
        return recording_bad(
            in, "a device record with a report format that Gen9 does not have; "
                "expected 7 to 10");
    if (info->device.timestamp_hz == 0)
        return recording_bad(in, "a device record with timestamps of 0 Hz");
    in->has_info = true;
    return IGPU_OK;
}

static enum igpu_status take_topology(struct reading *in, const uint8_t *data,
                                      uint32_t bytes)
{
    struct oa_device *d = &in->r->info.device;
    uint16_t f[TOPOLOGY_FIELDS]; /* flags, slices, subslices, EUs, then offsets and
                                    strides of subslice and EU masks */

    if (bytes < AT_MASKS)
        return recording_bad(in, "a topology record that is too short");
    for (uint32_t i = 0; i < TOPOLOGY_FIELDS; i++)
        f[i] = (uint16_t)little(data + AT_TOPOLOGY + 2 * (size_t)i, 2);
    data += AT_MASKS;
    bytes -= AT_MASKS;
    if (f[1] == 0 || f[1] > MAX_SLICES || f[2] == 0 || f[2] > MAX_SUBSLICES ||
        f[3] == 0 || f[3] > MAX_EUS || f[5] == 0 || f[7] * 8u < f[3] || bytes == 0 ||
        f[4] + (uint32_t)f[1] * f[5] > bytes ||
        f[6] + (uint32_t)f[1] * f[2] * f[7] > bytes)
        return recording_bad(
            in, "a topology record whose masks do not fit; expected up to 8 "
                "slices of 8 subslices of 16 EUs");
    d->slices = d->subslices = d->eus = 0;
    d->slice_mask = d->subslice_mask = 0;
    for (uint32_t s = 0; s < f[1]; s++) {
        if (!(data[0] >> s & 1))
            continue;
        d->slices++;
        d->slice_mask |= (uint64_t)1 << s;
        for (uint32_t i = 0; i < f[2]; i++) {
            const uint8_t *eus = data + f[6] + (s * f[2] + i) * (size_t)f[7];

            if (!(data[f[4] + s * f[5]] >> i & 1))
                continue;
            d->subslices++;
            d->subslice_mask |= (uint64_t)1 << (s * BITS_PER_SLICE + i);
            for (uint32_t eu = 0; eu < f[3]; eu++)
                d->eus += eus[eu / 8] >> eu % 8 & 1;
        }
    }
    in->has_topology = true;
    return IGPU_OK;
}

static enum igpu_status take_report(struct reading *in, const uint8_t *data,
                                    uint32_t bytes)
{
    struct oa_recording *r = in->r;

    if (!in->has_info)
        return recording_bad(in,
                             "a report before the device record that tells its format");
    if (bytes < oa_report_bytes(r->info.format))
        return recording_bad(in, "a report that is shorter than its format");
    return IGPU_APPEND(r->report, r->reports, in->room, data)
               ? IGPU_OK
               : igpu_no_memory(in->err, "%s", in->path);
}

static enum igpu_status take_record(struct reading *in, uint32_t type,
                                    const uint8_t *data, uint32_t bytes)
{
    switch (type) {
    case SAMPLE:
        return take_report(in, data, bytes);
    case REPORT_LOST:
    case BUFFER_LOST:
        in->r->lost++;
        return IGPU_OK;
    case VERSION:
        if (bytes < VERSION_BYTES || little(data, 4) != OUR_VERSION)
            return recording_bad(
                in, "a version of the format that is not known; expected 1");
        return IGPU_OK;
    case DEVICE_INFO:
        return in->has_info ? recording_bad(in, "a second device record")
                            : take_info(in, data, bytes);
    case TOPOLOGY:
        return take_topology(in, data, bytes);
    case CORRELATION:
        return bytes < CORRELATION_BYTES
                   ? recording_bad(in, "a correlation that is too short")
                   : IGPU_OK;
    default:
        return recording_bad(
            in, "a type of record that is not known; expected 1 to 3 or 65536 "
                "to 65539");
    }
}

static enum igpu_status take_records(struct reading *in)
{
    const uint8_t *file = in->r->file;
    enum igpu_status status = IGPU_OK;

    while (status == IGPU_OK && in->at < in->size) {
        uint64_t left = in->size - in->at;
        uint32_t bytes = left < HEADER ? 0 : (uint32_t)little(file + in->at + 6, 2);

        if (bytes < HEADER || bytes > left)
            return recording_bad(in, "no record of i915-perf-recorder, or a cut one");
        status = take_record(in, (uint32_t)little(file + in->at, 4),
                             file + in->at + HEADER, bytes - HEADER);
        in->at += bytes;
    }
    if (status == IGPU_OK && !(in->has_info && in->has_topology))
        return igpu_fail(in->err, IGPU_BAD_INPUT,
                         "%s: no recording: the device or its topology is missing",
                         in->path);
    return status;
}

static enum igpu_status read_file(struct oa_recording *r, const char *path,
                                  uint64_t *size, struct igpu_err *err)
{
    FILE *in = fopen(path, "rb");
    size_t room = 0, got = 0;

    if (in == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: %s", path, strerror(errno));
    for (;;) {
        if (!IGPU_RESERVE(r->file, room, got + (1 << 16))) {
            (void)fclose(in);
            return igpu_no_memory(err, "%s", path);
        }
        got += fread(r->file + got, 1, room - got, in);
        if (got < room)
            break;
    }
    *size = got;
    if (ferror(in)) {
        (void)fclose(in);
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot be read: %s", path,
                         strerror(errno));
    }
    (void)fclose(in);
    return IGPU_OK;
}

enum igpu_status oa_recording_open(struct oa_recording *recording, const char *path,
                                   struct igpu_err *err)
{
    struct reading in = {.r = recording, .path = path, .err = err};
    enum igpu_status status;

    memset(recording, 0, sizeof(*recording));
    status = read_file(recording, path, &in.size, err);
    if (status == IGPU_OK)
        status = take_records(&in);
    if (status != IGPU_OK)
        oa_recording_free(recording);
    return status;
}

void oa_recording_free(struct oa_recording *recording)
{
    free((void *)recording->report);
    free(recording->file);
    memset(recording, 0, sizeof(*recording));
}

/* ---- writing ------------------------------------------------------------- */

static void put_record(FILE *out, uint32_t type, const uint8_t *data, uint32_t bytes)
{
    uint8_t header[HEADER] = {0};

    set_little(header, type, 4);
    set_little(header + 6, bytes + HEADER, 2);
    (void)fwrite(header, 1, sizeof(header), out);
    (void)fwrite(data, 1, bytes, out);
}

static void put_info(FILE *out, const struct oa_recording_info *info)
{
    uint8_t data[INFO_BYTES] = {0};

    set_little(data + AT_HZ, info->device.timestamp_hz, 8);
    set_little(data + AT_PCI, info->pci_id, 4);
    set_little(data + AT_REVISION, info->revision, 4);
    set_little(data + AT_MIN, info->device.min_hz, 4);
    set_little(data + AT_MAX, info->device.max_hz, 4);
    set_little(data + AT_FORMAT, info->format, 4);
    memcpy(data + AT_SET, info->set, sizeof(info->set));
    memcpy(data + AT_UUID, info->uuid, sizeof(info->uuid));
    put_record(out, DEVICE_INFO, data, sizeof(data));
}

/* Slices with as many subslices, and those with as many EUs, each from its first on. */
static void put_topology(FILE *out, const struct oa_device *d)
{
    enum { MASKS = 1 + MAX_SLICES + MAX_SLICES * MAX_SUBSLICES };
    uint8_t data[AT_MASKS + MASKS + 8] = {0}, *masks = data + AT_MASKS;
    uint32_t subslices = d->subslices / d->slices, eus = d->eus / d->subslices;
    uint32_t eu_offset = 1 + d->slices, used = eu_offset + d->slices * subslices;
    const uint16_t field[TOPOLOGY_FIELDS] = {0,
                                             (uint16_t)d->slices,
                                             (uint16_t)subslices,
                                             (uint16_t)eus,
                                             1,
                                             1,
                                             (uint16_t)eu_offset,
                                             1};

    for (uint32_t i = 0; i < TOPOLOGY_FIELDS; i++)
        set_little(data + AT_TOPOLOGY + 2 * (size_t)i, field[i], 2);
    masks[0] = (uint8_t)((1u << d->slices) - 1);
    for (uint32_t s = 0; s < d->slices; s++)
        masks[1 + s] = (uint8_t)((1u << subslices) - 1);
    for (uint32_t i = 0; i < d->slices * subslices; i++)
        masks[eu_offset + i] = (uint8_t)((1u << eus) - 1);
    put_record(out, TOPOLOGY, data, (AT_MASKS + used + 7) / 8 * 8);
}

void oa_recording_begin(FILE *out, const struct oa_recording_info *info)
{
    const uint8_t version[VERSION_BYTES] = {OUR_VERSION};

    put_record(out, VERSION, version, sizeof(version));
    put_info(out, info);
    put_topology(out, &info->device);
}

void oa_recording_report(FILE *out, const struct oa_recording_info *info,
                         const struct oa_counters *counters)
{
    uint8_t report[256];

    oa_report_write(info->format, counters, report);
    put_record(out, SAMPLE, report, oa_report_bytes(info->format));
}

void oa_recording_correlate(FILE *out, uint64_t ns, uint64_t ticks)
{
    uint8_t data[CORRELATION_BYTES];

    set_little(data, ns, 8);
    set_little(data + 8, ticks, 8);
    put_record(out, CORRELATION, data, sizeof(data));
}
