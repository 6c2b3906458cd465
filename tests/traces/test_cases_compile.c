/* test_cases_compile.c - every kernel of the list compiles at every SIMD width it
 * claims, takes the arguments its cases give, and its machine code holds what it is
 * there to exercise. tests/run: timeout=600 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/isa_decode.h"
#include "traces/kernels/cases.h"
#include "traces/program/compile.h"
#include "traces/program/loader.h"

static struct case_list cases;

static int load(void **state)
{
    struct igpu_err err = {.text = ""};

    (void)state;
    return cases_load("traces/kernels/cases.yaml", &cases, &err) == IGPU_OK ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    cases_free(&cases);
    return 0;
}

static struct loader_program *compiled(const struct kernel_case *c, unsigned simd)
{
    char path[256], options[256];
    struct compile_request request = {.source_path = path,
                                      .device = "skl",
                                      .options = options,
                                      .cache_dir = getenv("IGPU_TMP")};
    struct compile_result result;
    struct loader_program *program = NULL;
    struct igpu_err err = {.text = ""};

    (void)snprintf(path, sizeof(path), "%s/%s", cases.folder, c->file);
    assert_int_equal(case_options(c, simd, options, sizeof(options)), 0);
    if (compile_opencl(&request, &result, &err) != IGPU_OK ||
        loader_open_memory(c->file, result.image, result.bytes, &program, &err) !=
            IGPU_OK)
        fail_msg("%s %s: %s", path, options, err.text);
    compile_free(&result);
    return program;
}

static bool takes(const struct loader_kernel *kernel, size_t i,
                  const struct argspec *spec)
{
    const char *qualifier = "", *bytes = NULL;

    for (uint32_t k = 0; k < kernel->arg_infos; k++) {
        if (kernel->arg_info[k].index == (int32_t)i) {
            qualifier = kernel->arg_info[k].address_qualifier;
            bytes = strrchr(kernel->arg_info[k].type_name, ';');
        }
    }
    switch (spec->kind) {
    case ARGSPEC_BUFFER:
        return strcmp(qualifier, "__global") == 0;
    case ARGSPEC_LOCAL:
        return strcmp(qualifier, "__local") == 0;
    case ARGSPEC_IMAGE:
    case ARGSPEC_SAMPLER:
        return false; /* no case has one */
    case ARGSPEC_VALUE:
        break;
    }
    return strcmp(qualifier, "__private") == 0 && bytes != NULL &&
           strtoull(bytes + 1, NULL, 10) == spec->bytes;
}

static void expect_kernel(const struct loader_program *program,
                          const struct kernel_case *c, unsigned simd)
{
    const struct loader_kernel *kernel = loader_find(program, c->kernel);

    if (kernel == NULL)
        fail_msg("%s has no kernel %s", c->file, c->kernel);
    if (kernel->simd_size != simd)
        fail_msg("%s is SIMD%u, claimed SIMD%u", c->name, kernel->simd_size, simd);
    if (kernel->arg_infos != c->arg_count)
        fail_msg("%s takes %u arguments, the case gives %zu", c->name,
                 kernel->arg_infos, c->arg_count);
    for (size_t i = 0; i < c->arg_count; i++) {
        if (!takes(kernel, i, &c->args[i]))
            fail_msg("%s: argument %zu is not '%s'", c->name, i, c->arg_texts[i]);
    }
}

static bool same_source(const struct kernel_case *a, const struct kernel_case *b)
{
    return strcmp(a->file, b->file) == 0 && strcmp(a->options, b->options) == 0;
}

static bool runs_at(const struct kernel_case *c, unsigned simd)
{
    for (size_t i = 0; i < c->simd_count; i++) {
        if (c->simd[i] == simd)
            return true;
    }
    return false;
}

/* Compile each source once for a width, and look at all its cases. */
static void expect_width(unsigned simd)
{
    for (size_t i = 0; i < cases.count; i++) {
        struct loader_program *program = NULL;
        bool earlier = false;

        for (size_t k = 0; k < i; k++)
            earlier = earlier || (same_source(&cases.cases[k], &cases.cases[i]) &&
                                  runs_at(&cases.cases[k], simd));
        if (earlier)
            continue;
        for (size_t k = i; k < cases.count; k++) {
            if (!same_source(&cases.cases[k], &cases.cases[i]) ||
                !runs_at(&cases.cases[k], simd))
                continue;
            if (program == NULL)
                program = compiled(&cases.cases[k], simd);
            expect_kernel(program, &cases.cases[k], simd);
        }
        loader_free(program);
    }
}

static void all_compile_at_simd8(void **state)
{
    (void)state;
    expect_width(8);
}

static void all_compile_at_simd16(void **state)
{
    (void)state;
    expect_width(16);
}

static void all_compile_at_simd32(void **state)
{
    (void)state;
    expect_width(32);
}

static struct isa_kernel_code decoded(const char *name, unsigned simd)
{
    const struct kernel_case *c = cases_find(&cases, name);
    struct loader_program *program;
    const struct loader_kernel *kernel;
    struct isa_kernel_code code;
    struct igpu_err err = {.text = ""};

    if (c == NULL)
        fail_msg("no case %s", name);
    program = compiled(c, simd);
    kernel = loader_find(program, c->kernel);
    assert_non_null(kernel);
    if (isa_decode(name, kernel->text, kernel->text_bytes, &code, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    loader_free(program);
    return code;
}

/* The instructions of the loop that the last backward branch closes. */
static void find_loop(const struct isa_kernel_code *code, uint32_t *first,
                      uint32_t *last)
{
    *first = *last = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_inst *inst = &code->inst[i];

        if ((inst->op == ISA_OP_JMPI || inst->op == ISA_OP_WHILE) &&
            inst->jip != ISA_NO_TARGET && (uint32_t)inst->jip < inst->pc) {
            *first = (uint32_t)isa_find(code, (uint32_t)inst->jip);
            *last = i;
        }
    }
    assert_true(*last > *first);
}

/* In the loop: as many lanes of the operation as given, and few other instructions. */
static void expect_throughput(const char *name, enum isa_opcode op, enum isa_type type,
                              unsigned lanes, unsigned others)
{
    struct isa_kernel_code code = decoded(name, 32);
    uint32_t first, last, done = 0, rest = 0;

    find_loop(&code, &first, &last);
    for (uint32_t i = first; i <= last; i++) {
        const struct isa_inst *inst = &code.inst[i];

        if (inst->op == op && inst->dst.type == type && !inst->no_mask)
            done += inst->exec_size;
        else
            rest++;
    }
    if (done != lanes || rest > others)
        fail_msg("%s: the loop has %u lanes of %s and %u other instructions, expected "
                 "%u and at most %u",
                 name, done, isa_opcode_name(op), rest, lanes, others);
    isa_code_free(&code);
}

static void throughput_loops_hold_their_operation(void **state)
{
    (void)state;
    expect_throughput("mad_sp", ISA_OP_MAD, ISA_TYPE_F, 64 * 32, 4);
    expect_throughput("mad_sp_v4", ISA_OP_MAD, ISA_TYPE_F, 64 * 32, 4);
    expect_throughput("mad_sp_ind", ISA_OP_MAD, ISA_TYPE_F, 64 * 32, 4);
    expect_throughput("mad_sp_private", ISA_OP_MAD, ISA_TYPE_F, 64 * 32, 4);
    expect_throughput("mad_dp", ISA_OP_MAD, ISA_TYPE_DF, 64 * 32, 4);
    expect_throughput("mad_hp", ISA_OP_MAD, ISA_TYPE_HF, 64 * 32, 4);
    expect_throughput("mad_int", ISA_OP_MUL, ISA_TYPE_D, 64 * 32, 4 + 128);
    expect_throughput("mad_int", ISA_OP_ADD, ISA_TYPE_D, 64 * 32, 4 + 128);
    expect_throughput("add_sp", ISA_OP_ADD, ISA_TYPE_F, 64 * 32, 4);
    expect_throughput("sub_dp", ISA_OP_ADD, ISA_TYPE_DF, 64 * 32, 4);
    expect_throughput("mul_sp_v2", ISA_OP_MUL, ISA_TYPE_F, 64 * 32, 4);
    expect_throughput("div_sp", ISA_OP_MATH, ISA_TYPE_F, 7 * 32, 4 + 14);
}

/* Two chains, each of SIMD16: a mad's addend is the result of the last but one. */
static void the_flagship_is_two_dependent_chains(void **state)
{
    struct isa_kernel_code code = decoded("mad_sp", 32);
    const struct isa_inst *before[2] = {NULL, NULL}; /* by half */
    uint32_t first, last;

    (void)state;
    find_loop(&code, &first, &last);
    for (uint32_t i = first; i <= last; i++) {
        const struct isa_inst *inst = &code.inst[i];
        unsigned half = inst->chan_offset / 16u;
        bool follows = before[half & 1] == NULL;

        if (inst->op != ISA_OP_MAD)
            continue;
        assert_int_equal(inst->exec_size, 16);
        for (unsigned s = 0; s < inst->nsrc && !follows; s++)
            follows = inst->src[s].reg == before[half]->dst.reg;
        assert_true(follows);
        before[half] = inst;
    }
    isa_code_free(&code);
}

/* The published chase: shl:q, add:q and one A64 dword gather of one lane. */
static void the_published_chase_is_matched(void **state)
{
    struct isa_kernel_code code = decoded("chase_a64", 32);
    uint32_t first, last, shifts = 0, adds = 0, sends = 0;

    (void)state;
    find_loop(&code, &first, &last);
    for (uint32_t i = first; i <= last; i++) {
        const struct isa_inst *inst = &code.inst[i];

        if (inst->exec_size != 1)
            continue;
        shifts += inst->op == ISA_OP_SHL && inst->dst.type == ISA_TYPE_Q &&
                  inst->src[0].type == ISA_TYPE_D;
        adds += inst->op == ISA_OP_ADD && inst->dst.type == ISA_TYPE_Q;
        sends += inst->op == ISA_OP_SEND && inst->msg.desc == 0x041401ff;
    }
    assert_int_equal(shifts, 16);
    assert_int_equal(adds, 16);
    assert_int_equal(sends, 16);
    isa_code_free(&code);
}

struct need {
    const char *name;
    unsigned simd;
    int op;     /* enum isa_opcode, or -1 */
    int math;   /* enum isa_math, or 0 */
    int family; /* enum isa_family, or 0 */
    int model;  /* enum isa_addr_model of that family, or 0 */
    int other;  /* bytes of an element, or 0 */
};

static bool satisfies(const struct isa_inst *inst, const struct need *need)
{
    return (need->op < 0 || inst->op == need->op) &&
           (need->math == 0 || inst->math == need->math) &&
           (need->family == 0 || inst->msg.family == need->family) &&
           (need->model == 0 || inst->msg.addr_model == need->model) &&
           (need->other == 0 || inst->msg.element_bytes == need->other);
}

static void kernels_hold_what_they_exercise(void **state)
{
    static const struct need needs[] = {
        {"chase_n", 32, -1, 0, ISA_MSG_UNTYPED_READ, ISA_ADDR_BTI, 0},
        {"chase_long", 32, -1, 0, ISA_MSG_SCATTERED_READ, ISA_ADDR_A64, 8},
        {"copy_stateless", 32, -1, 0, 0, ISA_ADDR_A64, 0},
        {"slm_stream_16", 32, -1, 0, ISA_MSG_UNTYPED_READ, ISA_ADDR_SLM, 0},
        {"slm_atomics", 32, -1, 0, ISA_MSG_UNTYPED_ATOMIC, ISA_ADDR_SLM, 0},
        {"reduce_u32", 32, ISA_OP_WAIT, 0, 0, 0, 0},
        {"reduce_u32", 32, -1, 0, ISA_MSG_BARRIER, 0, 0},
        {"matmul_tiled", 32, ISA_OP_MAD, 0, 0, 0, 0},
        {"matmul_tiled", 16, -1, 0, ISA_MSG_BARRIER, 0, 0},
        {"histogram_global", 32, -1, 0, ISA_MSG_UNTYPED_ATOMIC, ISA_ADDR_A64, 4},
        {"histogram_local", 16, -1, 0, ISA_MSG_UNTYPED_ATOMIC, ISA_ADDR_SLM, 4},
        {"atomics64", 16, -1, 0, ISA_MSG_UNTYPED_ATOMIC, ISA_ADDR_A64, 8},
        {"divergent", 32, ISA_OP_ELSE, 0, 0, 0, 0},
        {"divergent", 32, ISA_OP_JOIN, 0, 0, 0, 0},
        {"collatz", 32, ISA_OP_WHILE, 0, 0, 0, 0},
        {"mandelbrot", 16, ISA_OP_BREAK, 0, 0, 0, 0},
        {"control", 32, ISA_OP_GOTO, 0, 0, 0, 0},
        {"call_noinline", 16, ISA_OP_CALL, 0, 0, 0, 0},
        {"call_noinline", 16, ISA_OP_RET, 0, 0, 0, 0},
        {"generic_pointer", 32, -1, 0, 0, ISA_ADDR_A64, 0},
        {"generic_pointer", 32, -1, 0, 0, ISA_ADDR_SLM, 0},
        {"int64", 32, ISA_OP_MACH, 0, 0, 0, 0},
        {"div32", 32, -1, ISA_MATH_IQOT, 0, 0, 0},
        {"div32", 32, -1, ISA_MATH_IREM, 0, 0, 0},
        {"div64", 32, ISA_OP_IF, 0, 0, 0, 0},
        {"bits", 32, ISA_OP_CBIT, 0, 0, 0, 0},
        {"bits", 32, ISA_OP_LZD, 0, 0, 0, 0},
        {"bits", 32, ISA_OP_BFREV, 0, 0, 0, 0},
        {"bytes_io", 16, -1, 0, ISA_MSG_SCATTERED_READ, 0, 1},
        {"cvt_float", 16, ISA_OP_RNDE, 0, 0, 0, 0},
        {"ext_native", 16, -1, ISA_MATH_EXP, 0, 0, 0},
        {"ext_native", 16, -1, ISA_MATH_LOG, 0, 0, 0},
        {"ext_native", 16, -1, ISA_MATH_SQT, 0, 0, 0},
        {"ext_native", 16, -1, ISA_MATH_RSQT, 0, 0, 0},
        {"ext_native", 16, -1, ISA_MATH_INV, 0, 0, 0},
        {"ext_native", 16, -1, ISA_MATH_POW, 0, 0, 0},
        {"ext_trig", 16, -1, ISA_MATH_SIN, 0, 0, 0},
        {"ext_trig", 16, -1, ISA_MATH_COS, 0, 0, 0},
        {"ext_double", 16, -1, ISA_MATH_INVM, 0, 0, 0},
        {"ext_double", 16, -1, ISA_MATH_RSQTM, 0, 0, 0},
        {"ext_double", 16, ISA_OP_MADM, 0, 0, 0, 0},
        {"div_dp", 32, ISA_OP_MADM, 0, 0, 0, 0},
        {"half_ops", 32, ISA_OP_MAD, 0, 0, 0, 0},
        {"private_small", 32, -1, 0, 0, ISA_ADDR_STATELESS, 0},
        {"private_large", 32, -1, 0, 0, ISA_ADDR_STATELESS, 0},
        {"mad_dp_v16", 32, -1, 0, ISA_MSG_SCRATCH_READ, 0, 0},
        {"blocks", 16, -1, 0, ISA_MSG_BLOCK_READ, 0, 0},
        {"blocks", 16, -1, 0, ISA_MSG_BLOCK_WRITE, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
        struct isa_kernel_code code = decoded(needs[i].name, needs[i].simd);
        bool found = false;

        for (uint32_t k = 0; k < code.count; k++)
            found = found || satisfies(&code.inst[k], &needs[i]);
        if (!found)
            fail_msg("need %zu: %s at SIMD%u has no %s %s %s %s", i, needs[i].name,
                     needs[i].simd,
                     needs[i].op >= 0 ? isa_opcode_name((enum isa_opcode)needs[i].op)
                                      : "",
                     isa_math_name((enum isa_math)needs[i].math),
                     isa_family_name((enum isa_family)needs[i].family),
                     isa_addr_model_name((enum isa_addr_model)needs[i].model));
        isa_code_free(&code);
    }
}

/* Registers addressed through a0: a shuffle by data. */
static void the_shuffle_addresses_registers(void **state)
{
    struct isa_kernel_code code = decoded("subgroup", 16);
    bool found = false;

    (void)state;
    for (uint32_t k = 0; k < code.count; k++) {
        for (unsigned s = 0; s < code.inst[k].nsrc; s++)
            found = found || (code.inst[k].src[s].indirect && code.inst[k].src[s].vxh);
    }
    assert_true(found);
    isa_code_free(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_compile_at_simd8),
        cmocka_unit_test(all_compile_at_simd16),
        cmocka_unit_test(all_compile_at_simd32),
        cmocka_unit_test(throughput_loops_hold_their_operation),
        cmocka_unit_test(the_flagship_is_two_dependent_chains),
        cmocka_unit_test(the_published_chase_is_matched),
        cmocka_unit_test(kernels_hold_what_they_exercise),
        cmocka_unit_test(the_shuffle_addresses_registers),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
