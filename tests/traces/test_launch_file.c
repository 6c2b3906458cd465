/* test_launch_file.c - launch files (traces/launch): what is written is read, byte for
 * byte and field for field, and what is none is refused with its section's offset.
 * That a launch runs from one as from the emulator is tests/cosim/test_execute.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/isa_decode.h"
#include "igpu_trace.pb-c.h"
#include "tests/support/isa_material.h"
#include "traces/format/trace_sections.h"
#include "traces/launch/launch.h"

enum { BYTES = 3 << 20, ITEMS = 64, SIMD = 8 };

static const char text[] = "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"
                           "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
                           "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";

static const struct emu_payload payload[] = {
    {.kind = EMU_PAYLOAD_ARG_ADDRESS, .offset = 0, .size = 8, .arg = 0},
    {.kind = EMU_PAYLOAD_ARG_VALUE,
     .offset = 8,
     .size = 4,
     .arg = 1,
     .source_offset = 4},
    {.kind = EMU_PAYLOAD_ARG_SLM, .offset = 12, .size = 4, .arg = 2, .alignment = 64},
    {.kind = EMU_PAYLOAD_GROUP_COUNT, .offset = 16, .size = 12}};
static const struct emu_surface surface[] = {{.bti = 0, .arg = 0},
                                             {.bti = 3, .arg = 3, .is_image = true}};
static const struct emu_kernel_sampler sampler[] = {
    {.index = 1, .arg = 4},
    {.index = 2,
     .arg = -1,
     .fixed = {.address = SAMPLER_REPEAT, .normalized = true, .linear = true}}};

struct rig {
    char path[512];
    struct isa_kernel_code code;
    struct emu_kernel kernel;
    struct emu_program *program;
    struct emu_mem *mem;
    uint8_t *memory, constant[100];
    uint64_t va, constant_va, value;
    struct emu_image image;
    struct emu_sampler state;
    struct emu_arg arg[5];
    struct emu_launch launch;
    struct trace_writer *w;
    struct igpu_err err;
};

static void open_rig(struct rig *r)
{
    const char *tmp = getenv("IGPU_TMP");

    memset(r, 0, sizeof(*r));
    snprintf(r->path, sizeof(r->path), "%s/launch.pb", tmp != NULL ? tmp : "/tmp");
    material_code(text, &r->code);
    r->kernel = (struct emu_kernel){.name = "k",
                                    .code = &r->code,
                                    .simd = SIMD,
                                    .slm_bytes = 256,
                                    .local_id_dims = 2,
                                    .walk_order = {1, 0, 2},
                                    .scratch_bytes = 2048,
                                    .private_bytes = 12,
                                    .arg_count = 5,
                                    .payload = payload,
                                    .payload_count = 4,
                                    .surface = surface,
                                    .surface_count = 2,
                                    .sampler = sampler,
                                    .sampler_count = 2};
    r->program = emu_program_new(&r->kernel, &r->err);
    if (r->program == NULL)
        fail_msg("%s", r->err.text);
    r->mem = emu_mem_new();
    r->memory = calloc(1, BYTES);
    for (unsigned i = 0; i < 1000; i++)
        r->memory[(i * 3001u) % 4096] = (uint8_t)i; /* then 2 MB of zeros */
    r->memory[BYTES - 1] = 77;
    memset(r->constant, 5, sizeof(r->constant));
    assert_int_equal(emu_mem_map(r->mem, r->memory, BYTES, 0, &r->va, &r->err),
                     IGPU_OK);
    assert_int_equal(emu_mem_map(r->mem, r->constant, sizeof(r->constant),
                                 EMU_MAP_READ_ONLY, &r->constant_va, &r->err),
                     IGPU_OK);
    r->value = UINT64_C(0x1234567890ABCDEF);
    r->image = (struct emu_image){.kind = IMAGE_2D,
                                  .linear = true,
                                  .order = IMAGE_RGBA,
                                  .type = IMAGE_UNORM8,
                                  .width = 33,
                                  .height = 7,
                                  .depth = 1,
                                  .array_size = 1,
                                  .row_pitch = 256,
                                  .slice_pitch = 256 * 7,
                                  .va = r->va + 4096};
    r->state = (struct emu_sampler){.address = SAMPLER_CLAMP, .linear = true};
    r->arg[0] = (struct emu_arg){
        .kind = EMU_ARG_BUFFER, .va = r->va + 64, .size = BYTES - 64, .before = 64};
    r->arg[1] = (struct emu_arg){.kind = EMU_ARG_VALUE, .value = &r->value, .size = 8};
    r->arg[2] = (struct emu_arg){.kind = EMU_ARG_LOCAL, .size = 512};
    r->arg[3] =
        (struct emu_arg){.kind = EMU_ARG_IMAGE, .image = &r->image, .size = 7 * 256};
    r->arg[4] = (struct emu_arg){.kind = EMU_ARG_SAMPLER, .sampler = &r->state};
    r->launch = (struct emu_launch){.work_dim = 2,
                                    .global = {ITEMS, 2, 1},
                                    .local = {16, 2, 1},
                                    .offset = {3, 0, 0},
                                    .arg = r->arg,
                                    .arg_count = 5,
                                    .part = {{ITEMS, 2, 1}, {16, 2, 1}, {1, 0, 0}},
                                    .hw_threads = 336,
                                    .max_instructions = 12345,
                                    .lenient = true,
                                    .printf_va = 0x7000};
}

static void close_rig(struct rig *r)
{
    emu_program_free(r->program);
    emu_mem_free(r->mem);
    isa_code_free(&r->code);
    free(r->memory);
    (void)remove(r->path);
}

/* ---- writing, in steps that tests leave out or replace ---- */

static void begin(struct rig *r)
{
    struct trace_header header = {"test", "skl", "test.cl", "", false, true};
    struct trace_kernel kernel = {.name = "k",
                                  .build_options = "",
                                  .simd = SIMD,
                                  .slm_bytes = 256,
                                  .grf_count = 128,
                                  .code = r->code,
                                  .blocks = *emu_program_blocks(r->program)};
    uint32_t index;

    r->w = trace_writer_open(r->path, &header, NULL, &r->err);
    assert_non_null(r->w);
    assert_int_equal(trace_writer_kernel(r->w, &kernel, &index, &r->err), IGPU_OK);
}

static void abi(struct rig *r)
{
    assert_int_equal(launch_write_abi(r->w, r->program, NULL, 0, &r->err), IGPU_OK);
}

static void launch(struct rig *r, bool inputs)
{
    struct trace_arg arg[5] = {{TRACE_ARG_BUFFER, r->arg[0].size, r->arg[0].va, NULL},
                               {TRACE_ARG_VALUE, 8, 0, (const uint8_t *)&r->value},
                               {TRACE_ARG_LOCAL, 512, 0, NULL},
                               {TRACE_ARG_IMAGE, r->arg[3].size, r->image.va, NULL},
                               {TRACE_ARG_SAMPLER, 0, 0, NULL}};
    struct trace_launch l = {.dims = 2,
                             .global = {ITEMS, 2, 1},
                             .local = {16, 2, 1},
                             .offset = {3, 0, 0},
                             .slm_bytes = 768,
                             .threads_per_group = 4,
                             .threads = 16,
                             .nargs = 5,
                             .args = arg};

    if (inputs)
        assert_int_equal(launch_write_inputs(r->w, &r->launch, &r->err), IGPU_OK);
    assert_int_equal(trace_writer_launch_begin(r->w, &l, NULL, &r->err), IGPU_OK);
    assert_int_equal(trace_writer_launch_end(r->w, &r->err), IGPU_OK);
}

static void end(struct rig *r)
{
    if (trace_writer_close(r->w, &r->err) != IGPU_OK)
        fail_msg("%s", r->err.text);
}

/* ---- reading ---- */

static void same_kernel(const struct emu_kernel *a, const struct emu_kernel *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->simd, b->simd);
    assert_int_equal(a->slm_bytes, b->slm_bytes);
    assert_int_equal(a->local_id_dims, b->local_id_dims);
    assert_memory_equal(a->walk_order, b->walk_order, sizeof(a->walk_order));
    assert_int_equal(a->scratch_bytes, b->scratch_bytes);
    assert_int_equal(a->private_bytes, b->private_bytes);
    assert_int_equal(a->arg_count, b->arg_count);
    assert_int_equal(a->payload_count, b->payload_count);
    for (uint32_t i = 0; i < a->payload_count; i++) {
        assert_int_equal(a->payload[i].kind, b->payload[i].kind);
        assert_int_equal(a->payload[i].offset, b->payload[i].offset);
        assert_int_equal(a->payload[i].size, b->payload[i].size);
        assert_int_equal(a->payload[i].arg, b->payload[i].arg);
        assert_int_equal(a->payload[i].source_offset, b->payload[i].source_offset);
        assert_int_equal(a->payload[i].alignment, b->payload[i].alignment);
    }
    assert_int_equal(a->surface_count, b->surface_count);
    for (uint32_t i = 0; i < a->surface_count; i++) {
        assert_int_equal(a->surface[i].bti, b->surface[i].bti);
        assert_int_equal(a->surface[i].arg, b->surface[i].arg);
        assert_int_equal(a->surface[i].is_image, b->surface[i].is_image);
    }
    assert_int_equal(a->sampler_count, b->sampler_count);
    for (uint32_t i = 0; i < a->sampler_count; i++) {
        assert_int_equal(a->sampler[i].index, b->sampler[i].index);
        assert_int_equal(a->sampler[i].arg, b->sampler[i].arg);
        assert_int_equal(a->sampler[i].fixed.address, b->sampler[i].fixed.address);
        assert_int_equal(a->sampler[i].fixed.normalized,
                         b->sampler[i].fixed.normalized);
        assert_int_equal(a->sampler[i].fixed.linear, b->sampler[i].fixed.linear);
    }
}

static void same_launch(const struct emu_launch *a, const struct emu_launch *b)
{
    const struct emu_image *x = b->arg[3].image, *y = a->arg[3].image;

    assert_int_equal(a->work_dim, b->work_dim);
    assert_memory_equal(a->global, b->global, sizeof(a->global));
    assert_memory_equal(a->local, b->local, sizeof(a->local));
    assert_memory_equal(a->offset, b->offset, sizeof(a->offset));
    assert_memory_equal(&a->part, &b->part, sizeof(a->part));
    assert_int_equal(a->hw_threads, b->hw_threads);
    assert_int_equal(a->max_instructions, b->max_instructions);
    assert_int_equal(a->lenient, b->lenient);
    assert_int_equal(a->printf_va, b->printf_va);
    assert_int_equal(a->arg_count, b->arg_count);
    for (uint32_t i = 0; i < a->arg_count; i++) {
        assert_int_equal(a->arg[i].kind, b->arg[i].kind);
        assert_int_equal(a->arg[i].size, b->arg[i].size);
        assert_int_equal(a->arg[i].va, b->arg[i].va);
        assert_int_equal(a->arg[i].before, b->arg[i].before);
    }
    assert_memory_equal(a->arg[1].value, b->arg[1].value, 8);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->linear, y->linear);
    assert_int_equal(x->order, y->order);
    assert_int_equal(x->type, y->type);
    assert_int_equal(x->width, y->width);
    assert_int_equal(x->height, y->height);
    assert_int_equal(x->row_pitch, y->row_pitch);
    assert_int_equal(x->slice_pitch, y->slice_pitch);
    assert_int_equal(x->va, y->va);
    assert_int_equal(a->arg[4].sampler->address, b->arg[4].sampler->address);
    assert_int_equal(a->arg[4].sampler->linear, b->arg[4].sampler->linear);
    assert_int_equal(a->arg[4].sampler->normalized, b->arg[4].sampler->normalized);
}

static void what_is_written_is_read(void **state)
{
    struct trace_reader *reader;
    struct launch_file *f;
    struct emu_mem *other;
    uint64_t bytes = 0;
    struct rig r;

    (void)state;
    open_rig(&r);
    begin(&r);
    abi(&r);
    assert_int_equal(launch_write_memory(r.w, r.mem, &r.err), IGPU_OK);
    launch(&r, true);
    launch(&r, true);
    end(&r);
    assert_null(trace_open(r.path, NULL, &r.err));
    assert_non_null(strstr(r.err.text, "run it with --execute"));
    reader = trace_open_launches(r.path, NULL, &r.err);
    assert_non_null(reader);
    assert_int_equal(trace_summary(reader)->minor, TRACE_MINOR_LAUNCHES);
    assert_int_equal(launch_file_open(&f, reader, NULL, &r.err), IGPU_OK);
    same_kernel(emu_program_kernel(launch_file_program(f, 1)), &r.kernel);
    same_launch(launch_file_launch(f, 1), &r.launch);
    assert_memory_equal(launch_file_buffer(f, 1, 0, &bytes), r.memory + 64, BYTES - 64);
    assert_int_equal(bytes, BYTES - 64);
    assert_memory_equal(launch_file_buffer(f, 1, 3, &bytes), r.memory + 4096, 7 * 256);
    assert_null(launch_file_buffer(f, 1, 1, &bytes));
    assert_null(launch_file_buffer(f, 1, 9, &bytes));
    assert_memory_equal(
        emu_mem_host(launch_file_mem(f), r.constant_va, sizeof(r.constant)), r.constant,
        sizeof(r.constant));
    launch_file_close(f);

    other = emu_mem_new(); /* somebody else's: the file's own is left out */
    assert_int_equal(launch_file_open(&f, reader, other, &r.err), IGPU_OK);
    assert_null(emu_mem_host(other, r.va, 1));
    launch_file_close(f);
    emu_mem_free(other);
    trace_close(reader);
    close_rig(&r);
}

/* ---- what is refused ---- */

static void expect(struct rig *r, const char *words)
{
    struct trace_reader *reader;
    struct launch_file *f = NULL;

    end(r);
    reader = trace_open_launches(r->path, NULL, &r->err);
    if (reader == NULL)
        fail_msg("%s", r->err.text);
    assert_int_equal(launch_file_open(&f, reader, NULL, &r->err), IGPU_BAD_INPUT);
    assert_null(f);
    if (strstr(r->err.text, words) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", r->err.text, words);
    trace_close(reader);
    close_rig(r);
}

static void add(struct rig *r, enum trace_kind kind, const ProtobufCMessage *message)
{
    assert_int_equal(trace_writer_add(r->w, kind, message, &r->err), IGPU_OK);
}

static void memory_is_in_its_buffer(void **state)
{
    Vigpu__Trace__Memory m = VIGPU__TRACE__MEMORY__INIT;
    uint8_t byte = 1;
    struct rig r;

    (void)state;
    for (int i = 0; i < 5; i++) {
        static const char *const words[] = {
            "memory outside its buffer", "memory outside its buffer",
            "memory outside its buffer", "overlaps the buffer",
            "more memory than a launch file has"};
        open_rig(&r);
        begin(&r);
        abi(&r);
        m.address = 0x10000;
        m.bytes = i == 0 ? 0 : i == 4 ? UINT64_MAX : 100; /* 0: no buffer before it */
        m.data.data = &byte;
        m.data.len = 1;
        add(&r, TRACE_KIND_MEMORY, &m.base);
        m.bytes = i == 3 ? 200 : 0;
        m.address = i == 1 ? 0x10000 + 100 : i == 2 ? 0xFFFF : 0x10000 + 99;
        add(&r, TRACE_KIND_MEMORY, &m.base);
        launch(&r, true);
        expect(&r, words[i]);
    }
}

static void an_abi_has_columns_of_one_length(void **state)
{
    uint32_t walk[3] = {0, 1, 2}, one[1] = {0}, kind[1] = {EMU_PAYLOAD_KIND_COUNT};
    uint32_t wrong[3] = {1, 1, 1}, many[1] = {99};
    struct rig r;

    (void)state;
    for (int i = 0; i < 6; i++) {
        static const char *const words[] = {
            "the payload's columns differ",
            "the order of local ids is none",
            "a count is too large",
            "a piece of the payload is of no known kind",
            "scratch or private",
            "a sampler is none"};
        Vigpu__Trace__Abi a = VIGPU__TRACE__ABI__INIT;
        int32_t arg[1] = {-1};

        open_rig(&r);
        begin(&r);
        a.walk_order = i == 1 ? wrong : walk;
        a.n_walk_order = 3;
        a.local_id_dims = i == 2 ? 4 : 1;
        a.payload_kind = i == 3 ? kind : one;
        a.n_payload_kind = i == 0 || i == 3;
        a.payload_offset = a.payload_size = a.payload_arg = one;
        a.payload_source = a.payload_align = one;
        a.n_payload_offset = a.n_payload_size = a.n_payload_arg = i == 3;
        a.n_payload_source = a.n_payload_align = i == 3;
        a.scratch_bytes = i == 4 ? 1u << 30 : 0;
        a.sampler_index = one;
        a.sampler_arg = arg;
        a.sampler_state = many;
        a.n_sampler_index = a.n_sampler_arg = a.n_sampler_state = i == 5;
        add(&r, TRACE_KIND_ABI, &a.base);
        expect(&r, words[i]);
    }
}

static void every_kernel_and_launch_is_described(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r); /* a launch without inputs */
    begin(&r);
    abi(&r);
    launch(&r, false);
    expect(&r, "without its description");
    open_rig(&r); /* inputs too many */
    begin(&r);
    abi(&r);
    launch(&r, true);
    assert_int_equal(launch_write_inputs(r.w, &r.launch, &r.err), IGPU_OK);
    expect(&r, "more of its kind than launches");
    open_rig(&r); /* a second ABI */
    begin(&r);
    abi(&r);
    abi(&r);
    launch(&r, true);
    expect(&r, "more of its kind than kernels");
    open_rig(&r); /* inputs before the ABI */
    begin(&r);
    launch(&r, true);
    abi(&r);
    expect(&r, "its kernel has not come yet");
}

static void inputs_are_those_of_the_launch(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r);
    begin(&r);
    abi(&r);
    r.launch.arg_count = 4;
    launch(&r, true);
    expect(&r, "other arguments than its launch");
    open_rig(&r);
    begin(&r);
    abi(&r);
    r.image.row_pitch = 3;
    launch(&r, true);
    expect(&r, "an image's description is not valid");
    open_rig(&r);
    begin(&r);
    abi(&r);
    r.image.kind = IMAGE_KIND_COUNT;
    launch(&r, true);
    expect(&r, "an image's description is not valid");
    open_rig(&r);
    begin(&r);
    abi(&r);
    r.state.address = 7;
    launch(&r, true);
    expect(&r, "a sampler is none");
    open_rig(&r);
    begin(&r);
    abi(&r);
    r.arg[0].before = UINT64_MAX;
    launch(&r, true);
    expect(&r, "a buffer begins before all memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(memory_is_in_its_buffer),
        cmocka_unit_test(an_abi_has_columns_of_one_length),
        cmocka_unit_test(every_kernel_and_launch_is_described),
        cmocka_unit_test(inputs_are_those_of_the_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
