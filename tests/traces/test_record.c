/* test_record.c - from a source to a verified trace, and every way in which that is
 * refused: no file is left then. */
#include "test_trace_util.h"

#include <glob.h>

#include "igpu/hash.h"
#include "tests/traces/zebin_image.h"
#include "traces/program/compile.h"
#include "traces/record/record.h"

static const char source[] =
    "__kernel void scale(__global uint *o, __global const uint *a, uint f) {\n"
    "  size_t i = get_global_id(0); o[i] = a[i] * f; }\n"
    "__kernel void beyond(__global uint *o, uint n) {\n"
    "  o[get_global_id(0)] = o[get_global_id(0) + n]; }\n"
    "__kernel void forever(__global volatile uint *o) {\n"
    "  while (o[0] == 0) o[1] += 1; }\n"
    "__kernel void look(__read_only image2d_t i, __global float4 *o) {\n"
    "  o[get_global_id(0)] = read_imagef(i, (int2)(0, 0)); }\n"
    "__attribute__((intel_reqd_sub_group_size(16)))\n"
    "__attribute__((reqd_work_group_size(64, 2, 1)))\n"
    "__kernel void fixed(__global uint *o) {\n"
    "  o[get_global_id(0) + 128 * get_global_id(1)] = 1; }\n"
    "__kernel void take(__global uint *o) {\n"
    "  o[1 + get_global_id(0)] = atomic_inc(o); }\n"
    "__kernel void third(__global uint *o, uint3 v) {\n"
    "  o[get_global_id(0)] = v.z; }\n"
    "__kernel void count(__global uint *o) { atomic_inc(o); }\n"
    "typedef float real;\n"
    "struct both { int i; float f; };\n"
    "__kernel void typed(__global float *o, float f, short2 s, real r, struct both b) "
    "{\n"
    "    o[get_global_id(0)] = f + s.x + r + b.i + b.f; }\n";

static char folder[200], cl[256], trace[256];

static int write_source(void **state)
{
    const char *dir = getenv("IGPU_TMP");

    (void)state;
    (void)snprintf(folder, sizeof(folder), "%s", dir ? dir : ".");
    (void)snprintf(cl, sizeof(cl), "%s/record-%ld.cl", folder, (long)getpid());
    (void)temp_name(trace, sizeof(trace), "record");
    if (setenv("XDG_CACHE_HOME", folder, 1) != 0)
        return -1;
    write_file(cl, source, sizeof(source) - 1);
    return 0;
}

static int remove_source(void **state)
{
    (void)state;
    return remove(cl);
}

static void open_kernel(struct record_program *p, const char *kernel)
{
    struct igpu_err err = {.text = ""};

    assert_ok(record_open(p, cl, "skl", NULL, kernel, NULL, &err), err);
}

/* One dimension of `global` in groups of `local`. */
static struct record_job job_of(uint64_t global, uint64_t local, struct argspec *arg,
                                const char *const *text, uint32_t args)
{
    struct record_job job = {.dims = 1,
                             .global = {global},
                             .local = {local},
                             .arg = arg,
                             .arg_count = args,
                             .trace = trace,
                             .device = "skl",
                             .file = "record.cl",
                             .command_line = "igpu record"};
    struct igpu_err err = {.text = ""};

    for (uint32_t i = 0; i < args; i++)
        assert_ok(argspec_parse(text[i], &arg[i], &err), err);
    return job;
}

static void expect_no_file(void)
{
    char beginning[300];
    glob_t found;

    (void)snprintf(beginning, sizeof(beginning), "%s*", trace);
    assert_int_equal(glob(beginning, 0, NULL, &found), GLOB_NOMATCH);
}

/* The run is refused with `status` and a text that has `words`. */
static void expect_refused(const char *kernel, const struct record_job *job,
                           enum igpu_status status, const char *words)
{
    struct record_program p;
    struct record_result result;
    struct igpu_err err = {.text = ""};

    open_kernel(&p, kernel);
    assert_int_equal(record_run(&p, job, &result, &err), status);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, words);
    record_result_free(&p, &result);
    record_close(&p);
    expect_no_file();
}

/* ---- what works --------------------------------------------------------- */

static const char *const scale_args[] = {"buf:4096:zero", "buf:4096:iota", "u32:3"};

static void a_recorded_trace_verifies_and_tells_what_ran(void **state)
{
    struct argspec arg[3];
    struct record_job job = job_of(1024, 64, arg, scale_args, 3);
    struct record_program p;
    struct record_result result;
    struct trace_reader *r;
    struct igpu_err err = {.text = ""};

    (void)state;
    open_kernel(&p, "scale");
    assert_ok(record_run(&p, &job, &result, &err), err);
    assert_int_equal(result.buffers, 3);
    assert_null(result.buffer[2].host);
    for (uint32_t i = 0; i < 1024; i++) {
        uint32_t v;

        memcpy(&v, result.buffer[0].host + 4 * i, 4);
        assert_int_equal(v, 3 * i);
    }
    r = open_reader(trace);
    assert_ok(trace_verify(r, &err), err);
    assert_string_equal(trace_kernel(r, 0)->name, "scale");
    assert_int_equal(trace_summary(r)->threads, result.counts.threads);
    assert_int_equal(result.counts.threads, 1024 / p.kernel->simd_size);
    assert_int_equal(trace_summary(r)->totals.instructions, result.counts.instructions);
    assert_int_equal(trace_summary(r)->totals.lane_instructions,
                     result.counts.lane_instructions);
    assert_int_equal(trace_launch(r, 0)->nargs, 3);
    assert_int_equal(trace_launch(r, 0)->args[0].address, result.buffer[0].va);
    assert_int_equal(trace_launch(r, 0)->threads_per_group, 64 / p.kernel->simd_size);
    trace_close(r);
    record_result_free(&p, &result);
    record_close(&p);
    assert_int_equal(remove(trace), 0);
}

static void without_a_trace_only_the_buffers_change(void **state)
{
    struct argspec arg[3];
    struct record_job job = job_of(64, 64, arg, scale_args, 3);
    struct record_program p;
    struct record_result result;
    struct igpu_err err = {.text = ""};

    (void)state;
    job.trace = NULL;
    open_kernel(&p, "scale");
    assert_ok(record_run(&p, &job, &result, &err), err);
    assert_int_equal(result.buffer[0].host[4], 3);
    record_result_free(&p, &result);
    record_close(&p);
    expect_no_file();
}

static void a_vector_of_three_takes_its_padding_too(void **state)
{
    const char *const text[] = {"buf:256", "u32:5,6,7,8"};
    const char *const bare[] = {"buf:256", "u32:5,6,7"};
    struct argspec arg[2];
    struct record_job job = job_of(64, 64, arg, text, 2);
    struct record_program p;
    struct record_result result;
    struct igpu_err err = {.text = ""};

    (void)state;
    job.trace = NULL;
    open_kernel(&p, "third");
    assert_ok(record_run(&p, &job, &result, &err), err);
    assert_int_equal(result.buffer[0].host[0], 7);
    record_result_free(&p, &result);
    record_close(&p);
    job = job_of(64, 64, arg, bare, 2);
    expect_refused("third", &job, IGPU_USAGE, "argument 1: a value of 12 bytes");
}

static void a_program_runs_again_after_a_failed_run(void **state)
{
    struct argspec arg[3];
    struct record_job job = job_of(1024, 64, arg, scale_args, 3);
    struct record_program p;
    struct record_result result;
    struct igpu_err err = {.text = ""};

    (void)state;
    open_kernel(&p, "scale");
    job.arg_count = 2;
    assert_int_equal(record_run(&p, &job, &result, &err), IGPU_USAGE);
    record_result_free(&p, &result);
    job.arg_count = 3;
    assert_ok(record_run(&p, &job, &result, &err), err);
    record_result_free(&p, &result);
    record_close(&p);
    assert_int_equal(remove(trace), 0);
}

static void only_atomics_whose_result_is_used_make_the_order_matter(void **state)
{
    struct record_program p;

    (void)state;
    open_kernel(&p, "take");
    assert_true(record_order_matters(&p));
    record_close(&p);
    open_kernel(&p, "count");
    assert_false(record_order_matters(&p));
    record_close(&p);
}

static void the_hash_is_fnv_1a(void **state)
{
    (void)state;
    assert_true(igpu_fnv(IGPU_FNV_BEGIN, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(igpu_fnv(IGPU_FNV_BEGIN, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(igpu_fnv(IGPU_FNV_BEGIN, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

/* ---- refused before the run --------------------------------------------- */

static void expect_not_opened(const char *file, const char *kernel,
                              enum igpu_status status, const char *words)
{
    struct record_program p;
    struct igpu_err err = {.text = ""};

    assert_int_equal(record_open(&p, file, "skl", NULL, kernel, NULL, &err), status);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, words);
    assert_null(p.mem); /* nothing is left to close */
    assert_null(p.image);
}

static void an_unknown_kernel_is_named_with_one_that_exists(void **state)
{
    (void)state;
    expect_not_opened(cl, "scael", IGPU_USAGE, "has no kernel scael; its first is");
}

static void a_file_with_several_kernels_needs_a_choice(void **state)
{
    (void)state;
    expect_not_opened(cl, NULL, IGPU_USAGE, "has 9 kernels; choose one with -k");
}

static void a_file_that_is_missing_or_no_zebin_is_refused(void **state)
{
    char name[256];

    (void)state;
    (void)snprintf(name, sizeof(name), "%s/record-%ld.bin", folder, (long)getpid());
    expect_not_opened(name, "scale", IGPU_BAD_INPUT, name);
    write_file(name, "not a zebin", 11);
    expect_not_opened(name, "scale", IGPU_BAD_INPUT, name);
    assert_int_equal(remove(name), 0);
}

static void a_source_that_does_not_compile_is_refused(void **state)
{
    char name[256];

    (void)state;
    (void)snprintf(name, sizeof(name), "%s/broken-%ld.cl", folder, (long)getpid());
    write_file(name, "__kernel void k() { syntax }\n", 29);
    expect_not_opened(name, NULL, IGPU_BAD_INPUT, "error");
    assert_int_equal(remove(name), 0);
}

static void an_unknown_option_is_told(void **state)
{
    struct record_program p;
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(record_open(&p, cl, "skl", "-bogus", "scale", NULL, &err),
                     IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "Unrecognized build options: -bogus"));
}

static void an_image_is_read_and_its_trace_verifies(void **state)
{
    struct argspec arg[2];
    const char *const text[] = {"image2d:4x4:rgba-f32:ramp:1065353216:1", "buf:1K"};
    struct record_job job = job_of(64, 64, arg, text, 2);
    struct record_program p;
    struct record_result result;
    struct trace_reader *r;
    struct igpu_err err = {.text = ""};

    (void)state;
    open_kernel(&p, "look");
    assert_int_equal(record_run(&p, &job, &result, &err), IGPU_OK);
    for (unsigned i = 0; i < 256; i++) /* the texel 0, 0 */
        assert_int_equal(((uint32_t *)(void *)result.buffer[1].host)[i],
                         1065353216 + i % 4);
    record_result_free(&p, &result);
    record_close(&p);
    r = open_reader(trace);
    assert_ok(trace_verify(r, &err), err);
    trace_close(r);
    assert_int_equal(remove(trace), 0);
}

static void code_of_another_width_than_required_is_refused(void **state)
{
    struct compile_request request = {
        .source_path = cl, .device = "skl", .cache_dir = ""};
    struct compile_result built;
    struct image image;
    struct record_program p;
    struct igpu_err err = {.text = ""};
    char name[256];

    (void)state;
    (void)snprintf(name, sizeof(name), "%s/width-%ld.bin", folder, (long)getpid());
    assert_ok(compile_opencl(&request, &built, &err), err);
    image = (struct image){built.image, built.bytes};
    write_file(name, image.bytes, image.size);
    assert_ok(record_open(&p, name, "skl", NULL, "scale", NULL, &err), err);
    assert_int_equal(p.kernel->simd_size, 32);
    record_close(&p);
    /* The first kernel's; compilers write this key only now and then. */
    image_replace(&image, "subgroup_independent_forward_progress: true",
                  "required_sub_group_size: 32                ");
    write_file(name, image.bytes, image.size);
    assert_ok(record_open(&p, name, "skl", NULL, "scale", NULL, &err), err);
    assert_int_equal(p.kernel->required_sub_group_size, 32);
    record_close(&p);
    image_replace(&image, "required_sub_group_size: 32", "required_sub_group_size: 16");
    write_file(name, image.bytes, image.size);
    expect_not_opened(name, "scale", IGPU_BAD_INPUT,
                      "kernel scale requires sub-groups of 16 work-items but was "
                      "compiled to SIMD32");
    compile_free(&built);
    assert_int_equal(remove(name), 0);
}

static void a_wrong_number_of_arguments_is_refused(void **state)
{
    struct argspec arg[4];
    const char *const text[] = {"buf:4096", "buf:4096", "u32:3", "u32:4"};
    struct record_job few = job_of(64, 64, arg, text, 2);
    struct record_job many = job_of(64, 64, arg, text, 4);

    (void)state;
    expect_refused("scale", &few, IGPU_USAGE, "takes 3 arguments, 2 given");
    expect_refused("scale", &many, IGPU_USAGE, "takes 3 arguments, 4 given");
}

static void a_wrong_kind_or_size_of_argument_is_refused(void **state)
{
    struct argspec arg[3];
    const char *const value[] = {"u32:1", "buf:4096", "u32:3"};
    const char *const buffer[] = {"buf:4096", "buf:4096", "buf:64"};
    const char *const narrow[] = {"buf:4096", "buf:4096", "u16:3"};
    const char *const wide[] = {"buf:4096", "buf:4096", "u64:3"};
    const char *const missing[] = {"buf:4096:file:/nonexistent", "buf:4096", "u32:3"};
    struct record_job job = job_of(64, 64, arg, value, 3);

    (void)state;
    expect_refused("scale", &job, IGPU_USAGE,
                   "argument 0: a value given, kernel scale takes a buffer");
    job = job_of(64, 64, arg, buffer, 3);
    expect_refused("scale", &job, IGPU_USAGE, "argument 2");
    job = job_of(64, 64, arg, narrow, 3);
    expect_refused("scale", &job, IGPU_USAGE,
                   "argument 2: u16 given, kernel scale takes a uint; use u32:VALUE");
    job = job_of(64, 64, arg, wide, 3);
    expect_refused("scale", &job, IGPU_USAGE, "argument 2: u64 given");
    job = job_of(64, 64, arg, missing, 3);
    expect_refused("scale", &job, IGPU_BAD_INPUT, "/nonexistent");
}

/* Where the source has a number type; signed or not is the same to --arg. */
static void a_value_of_another_type_is_refused(void **state)
{
    static const struct {
        const char *value[5], *words; /* NULL: accepted */
    } row[] = {
        {{"buf:4096", "f32:1", "u16:2,3", "f32:4", "i32:5,6"}, NULL},
        {{"buf:4096", "f32:1", "i16:2,3", "u32:4", "i64:5"}, NULL}, /* not known */
        {{"buf:4096", "i32:1", "i16:2,3", "f32:4", "i64:5"},
         "argument 1: i32 given, kernel typed takes a float; use f32:VALUE"},
        {{"buf:4096", "f16:1,2", "i16:2,3", "f32:4", "i64:5"},
         "argument 1: f16 given, kernel typed takes a float"},
        {{"buf:4096", "f32:1", "f16:2,3", "f32:4", "i64:5"},
         "argument 2: f16 given, kernel typed takes a short2; use i16:VALUE"},
        {{"buf:4096", "f32:1", "i32:2", "f32:4", "i64:5"},
         "argument 2: i32 given, kernel typed takes a short2"},
        {{"buf:4096", "f32:1", "i16:2", "f32:4", "i64:5"},
         "argument 2: a value of 2 bytes, kernel typed takes one of 4"},
        {{"buf:4096", "f32:1", "i16:2,3", "f16:4", "i64:5"},
         "argument 3: a value of 2 bytes, kernel typed takes one of 4"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct argspec arg[5];
        struct record_job job = job_of(64, 64, arg, row[i].value, 5);
        struct record_program p;
        struct record_result result;
        struct igpu_err err = {.text = ""};

        if (row[i].words != NULL) {
            expect_refused("typed", &job, IGPU_USAGE, row[i].words);
            continue;
        }
        job.trace = NULL;
        open_kernel(&p, "typed");
        assert_ok(record_run(&p, &job, &result, &err), err);
        record_result_free(&p, &result);
        record_close(&p);
    }
}

static void sizes_that_do_not_divide_are_refused(void **state)
{
    static const uint64_t sizes[][2] = {
        {100, 64}, {64, 0}, {0, 64}, {2048, 2048}, {UINT64_C(1) << 40, 64}};
    struct argspec arg[3];

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct record_job job = job_of(sizes[i][0], sizes[i][1], arg, scale_args, 3);

        expect_refused("scale", &job, IGPU_USAGE, "dimension 0: global size");
    }
}

static void groups_and_launches_that_are_too_large_are_refused(void **state)
{
    struct argspec arg[3];
    struct record_job job = job_of(1024, 1024, arg, scale_args, 3);

    (void)state;
    job.dims = 2;
    job.global[1] = job.local[1] = 2;
    expect_refused("scale", &job, IGPU_USAGE, "a work-group of 2048 work-items");
    job = job_of(UINT32_MAX, 1, arg, scale_args, 3);
    job.dims = 3;
    job.global[1] = job.global[2] = UINT32_MAX;
    job.local[1] = job.local[2] = 1;
    expect_refused("scale", &job, IGPU_USAGE, "hardware threads in one launch");
}

static void a_required_group_size_must_be_given(void **state)
{
    struct argspec arg[1];
    const char *const text[] = {"buf:4096"};
    struct record_job job = job_of(128, 64, arg, text, 1);
    struct record_program p;
    struct record_result result;
    struct igpu_err err = {.text = ""};

    (void)state;
    expect_refused("fixed", &job, IGPU_USAGE,
                   "requires work-groups of 64 x 2 x 1; dimension 1 has local size 1");
    job.dims = 2;
    job.global[1] = job.local[1] = 2;
    job.local[0] = 32;
    expect_refused("fixed", &job, IGPU_USAGE, "dimension 0 has local size 32");
    job.local[0] = 64;
    open_kernel(&p, "fixed");
    assert_ok(record_run(&p, &job, &result, &err), err);
    record_result_free(&p, &result);
    record_close(&p);
    assert_int_equal(remove(trace), 0);
}

static void a_trace_that_cannot_be_written_is_refused(void **state)
{
    struct argspec arg[3];
    struct record_job job = job_of(64, 64, arg, scale_args, 3);

    (void)state;
    job.trace = "/nonexistent/folder/t.pb";
    expect_refused("scale", &job, IGPU_USAGE, "/nonexistent/folder/t.pb");
}

/* ---- stopped during the run --------------------------------------------- */

static void a_read_outside_every_buffer_stops_the_run(void **state)
{
    struct argspec arg[2];
    const char *const far[] = {"buf:4096", "u32:1000000"};
    struct record_job job = job_of(1024, 64, arg, far, 2);

    (void)state;
    expect_refused("beyond", &job, IGPU_SIM_ERROR, "kernel beyond");
}

static void a_read_one_element_behind_the_buffer_stops_the_run(void **state)
{
    struct argspec arg[2];
    const char *const near[] = {"buf:4096", "u32:1"};
    struct record_job job = job_of(1024, 64, arg, near, 2);

    (void)state;
    expect_refused("beyond", &job, IGPU_SIM_ERROR, "kernel beyond");
}

static void an_endless_loop_stops_at_the_instruction_limit(void **state)
{
    struct argspec arg[1];
    const char *const text[] = {"buf:4096:zero"};
    struct record_job job = job_of(64, 64, arg, text, 1);

    (void)state;
    job.max_instructions = 100000;
    expect_refused("forever", &job, IGPU_SIM_ERROR, "limit of instructions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_trace_verifies_and_tells_what_ran),
        cmocka_unit_test(without_a_trace_only_the_buffers_change),
        cmocka_unit_test(a_vector_of_three_takes_its_padding_too),
        cmocka_unit_test(a_program_runs_again_after_a_failed_run),
        cmocka_unit_test(only_atomics_whose_result_is_used_make_the_order_matter),
        cmocka_unit_test(the_hash_is_fnv_1a),
        cmocka_unit_test(an_unknown_kernel_is_named_with_one_that_exists),
        cmocka_unit_test(a_file_with_several_kernels_needs_a_choice),
        cmocka_unit_test(a_file_that_is_missing_or_no_zebin_is_refused),
        cmocka_unit_test(a_source_that_does_not_compile_is_refused),
        cmocka_unit_test(an_unknown_option_is_told),
        cmocka_unit_test(an_image_is_read_and_its_trace_verifies),
        cmocka_unit_test(code_of_another_width_than_required_is_refused),
        cmocka_unit_test(a_wrong_number_of_arguments_is_refused),
        cmocka_unit_test(a_wrong_kind_or_size_of_argument_is_refused),
        cmocka_unit_test(a_value_of_another_type_is_refused),
        cmocka_unit_test(sizes_that_do_not_divide_are_refused),
        cmocka_unit_test(groups_and_launches_that_are_too_large_are_refused),
        cmocka_unit_test(a_required_group_size_must_be_given),
        cmocka_unit_test(a_trace_that_cannot_be_written_is_refused),
        cmocka_unit_test(a_read_outside_every_buffer_stops_the_run),
        cmocka_unit_test(a_read_one_element_behind_the_buffer_stops_the_run),
        cmocka_unit_test(an_endless_loop_stops_at_the_instruction_limit),
    };

    return cmocka_run_group_tests_name("record", tests, write_source, remove_source);
}
