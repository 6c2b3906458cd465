/* sections.c - see sections.h. */
#include "tests/fuzzing/sections.h"

#include <string.h>

#include "igpu/ref.h"
#include "igpu_trace.pb-c.h"
#include "tests/fuzzing/fuzz.h"
#include "traces/format/trace_frame.h"

enum { MAX_SECTIONS = 64, HEAD = 3 };

struct section {
    uint32_t kind, checksum;
    const uint8_t *data;
    size_t size;
    uint64_t offset;
};

static struct trace_crc crc;

/* The sections of the input; returns how many. */
static size_t cut(const uint8_t *data, size_t size, struct section *s)
{
    size_t n = 0;

    for (; size >= HEAD && n < MAX_SECTIONS; n++) {
        size_t bytes = data[1] | (size_t)data[2] << 8;

        s[n].kind = data[0] % 10;
        s[n].data = data + HEAD;
        s[n].size = bytes < size - HEAD ? bytes : size - HEAD;
        data += HEAD + s[n].size;
        size -= HEAD + s[n].size;
    }
    return n;
}

static void put_section(struct trace_bytes *file, struct section *s)
{
    Vigpu__Trace__Frame frame = VIGPU__TRACE__FRAME__INIT;
    uint8_t head[12];
    size_t size;

    trace_put_le32(head, s->kind);
    trace_put_le32(head + 4, 0);
    trace_put_le32(head + 8, (uint32_t)s->size);
    s->offset = file->size;
    s->checksum = trace_crc_add(&crc, 0, head, sizeof(head));
    s->checksum = trace_crc_add(&crc, s->checksum, s->data, s->size);
    frame.kind = (Vigpu__Trace__SectionKind)s->kind;
    frame.raw_size = (uint32_t)s->size;
    frame.payload.data = (uint8_t *)(uintptr_t)s->data;
    frame.payload.len = s->size;
    frame.checksum = s->checksum;
    size = vigpu__trace__frame__get_packed_size(&frame);
    trace_bytes_varint(file, size);
    vigpu__trace__frame__pack(&frame, trace_bytes_extend(file, size));
}

/* The footer's message with the index of the n sections before it. */
static void index_sections(struct section *footer, const struct section *s, size_t n,
                           struct trace_bytes *raw)
{
    uint64_t offset[MAX_SECTIONS];
    uint32_t kind[MAX_SECTIONS], checksum[MAX_SECTIONS], bytes[MAX_SECTIONS];
    Vigpu__Trace__Footer *f =
        vigpu__trace__footer__unpack(NULL, footer->size, footer->data);
    Vigpu__Trace__Footer out;

    if (f == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        offset[i] = s[i].offset;
        kind[i] = s[i].kind;
        checksum[i] = s[i].checksum;
        bytes[i] = (uint32_t)s[i].size;
    }
    out = *f;
    out.n_offset = out.n_kind = out.n_checksum = out.n_raw_size = n;
    out.offset = offset;
    out.kind = kind;
    out.checksum = checksum;
    out.raw_size = bytes;
    footer->size = vigpu__trace__footer__get_packed_size(&out);
    vigpu__trace__footer__pack(&out, trace_bytes_extend(raw, footer->size));
    footer->data = raw->data;
    vigpu__trace__footer__free_unpacked(f, NULL);
}

static struct trace_bytes assemble(const uint8_t *data, size_t size)
{
    struct section s[MAX_SECTIONS];
    struct trace_bytes file = {0}, raw = {0};
    uint8_t trailer[TRACE_TRAILER_BYTES];
    size_t n = cut(data, size, s);

    trace_crc_init(&crc);
    trace_bytes_put(&file, trace_magic, sizeof(trace_magic));
    trace_bytes_u8(&file, TRACE_MAJOR);
    trace_bytes_u8(&file, TRACE_MINOR);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 == n) {
            trace_put_le64(trailer, file.size);
            s[i].kind = TRACE_KIND_FOOTER;
            index_sections(&s[i], s, i, &raw);
        }
        put_section(&file, &s[i]);
    }
    trace_put_le32(trailer + 8, trace_crc_add(&crc, 0, trailer, 8));
    memcpy(trailer + 12, trace_end_magic, sizeof(trace_end_magic));
    trace_bytes_put(&file, trailer, sizeof(trailer));
    trace_bytes_free(&raw);
    return file;
}

struct trace_reader *fuzz_sections_open(const uint8_t *data, size_t size, bool launches)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct trace_bytes file = {0};
    struct trace_reader *r;
    const char *name;

    if (size > 0 && data[0] != trace_magic[0])
        file = assemble(data, size);
    name = file.data != NULL ? fuzz_file(file.data, file.size) : fuzz_file(data, size);
    trace_bytes_free(&file);
    r = (launches ? trace_open_launches : trace_open)(name, &status, &err);
    return fuzz_worked(status, &err) ? r : NULL;
}

/* One subslice and little caches: what a trace may ask for is the same, and most of an
 * input's time went into 24 EUs that rest and 8 MB of lines. */
static void small_machine(struct igpu_config *config)
{
    static const char *const small[] = {"gpu.subslices=1", "llc.size=65536",
                                        "l3.sets=4"};
    struct igpu_err err = {.text = ""};

    (void)igpu_config_preset(config, "skl-gt2", NULL);
    for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
        fuzz_check(igpu_config_set(config, small[i], &err) == IGPU_OK, err.text);
}

enum sim_state fuzz_sections_run(struct trace_reader *r,
                                 const struct launch_file *execute,
                                 enum igpu_status *status, struct igpu_err *err)
{
    enum { MAX_CYCLES = 5000 };
    static struct igpu_config config;
    struct sim_options options = {.engine = &host_engine_ref,
                                  .config = &config,
                                  .execute = execute,
                                  .last_launch = trace_summary(r)->launches - 1,
                                  .max_cycles = MAX_CYCLES,
                                  .host_threads = 1};
    struct sim *sim;
    enum sim_state state = SIM_RUNNING;

    if (config.eu_count == 0)
        small_machine(&config);
    *status = sim_create(&sim, r, &options, err);
    if (!fuzz_worked(*status, err))
        return state;
    while (state == SIM_RUNNING)
        state = sim_step(sim);
    *status = sim_status(sim, err);
    sim_destroy(sim);
    return state;
}
