/* test_ocl_program.c - programs from binaries, SPIR-V and linked objects; what programs
 * and kernels tell about themselves. */
#include "rig.h"

#include <elf.h>

#include "tests/support/spirv_module.h"

static const char triple[] = "kernel void triple(global int *a, const int unused)\n"
                             "{ a[get_global_id(0)] *= 3; }\n";

/* Run `name` of the program over 0..31 and expect each item times `factor`. */
static void expect_factor(const struct rig *rig, cl_program program, const char *name,
                          int factor)
{
    int a[32];
    cl_int status, zero = 0;
    cl_uint args = 0;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    cl_mem buffer;

    check(status);
    for (int i = 0; i < 32; i++)
        a[i] = i;
    buffer = rig_buffer(rig, sizeof(a), a);
    check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(args), &args, NULL));
    if (args > 1)
        check(clSetKernelArg(kernel, 1, sizeof(zero), &zero));
    rig_run(rig, kernel, 32, 0);
    rig_read(rig, buffer, a, sizeof(a));
    for (int i = 0; i < 32; i++)
        assert_int_equal(a[i], factor * i);
    check(clReleaseMemObject(buffer));
    check(clReleaseKernel(kernel));
}

/* The program's binary for the first device; the caller frees it. */
static unsigned char *binary_of(cl_program program, size_t *bytes)
{
    unsigned char *binary;

    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(*bytes), bytes,
                           NULL));
    binary = malloc(*bytes);
    assert_non_null(binary);
    check(
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
    return binary;
}

static void a_binary_makes_the_same_program(void **state)
{
    const struct rig *rig = *state;
    cl_program source = rig_program(rig, triple, NULL), program;
    cl_int one = 99, status;
    cl_program_binary_type type = 0;
    size_t bytes;
    unsigned char *binary = binary_of(source, &bytes);

    assert_memory_equal(binary, "\177ELF", 4);
    program = clCreateProgramWithBinary(rig->context, 1, rig->device, &bytes,
                                        (const unsigned char **)&binary, &one, &status);
    check(status);
    check(one);
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    check(clGetProgramBuildInfo(program, rig->device[0], CL_PROGRAM_BINARY_TYPE,
                                sizeof(type), &type, NULL));
    assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    expect_factor(rig, program, "triple", 3);
    check(clReleaseProgram(program));
    check(clReleaseProgram(source));
    for (size_t cut = 8; cut < bytes; cut += bytes / 7) { /* damaged: an error */
        assert_null(clCreateProgramWithBinary(rig->context, 1, rig->device, &cut,
                                              (const unsigned char **)&binary, &one,
                                              &status));
        assert_int_equal(status, CL_INVALID_BINARY);
    }
    free(binary);
}

/* What a program is given holds patch tokens too, which nGEN puts its code in. */
static void patch_tokens_make_the_same_program(void **state)
{
    const struct rig *rig = *state;
    cl_program source = rig_program(rig, triple, NULL), program;
    cl_int status;
    size_t bytes;
    unsigned char *binary = binary_of(source, &bytes);
    const unsigned char *tokens;
    Elf64_Ehdr header;
    Elf64_Shdr section;

    memcpy(&header, binary, sizeof(header));
    do { /* Intel's has SPIR-V before it */
        assert_true(header.e_shnum-- > 0);
        memcpy(&section, binary + header.e_shoff + header.e_shnum * sizeof(section),
               sizeof(section));
    } while (section.sh_type != 0xFF000005);
    assert_in_range(section.sh_offset + section.sh_size, 0, bytes);
    tokens = binary + section.sh_offset;
    bytes = section.sh_size;
    assert_memory_equal(tokens, "CTNI", 4);
    program = clCreateProgramWithBinary(rig->context, 1, rig->device, &bytes, &tokens,
                                        NULL, &status);
    check(status);
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    expect_factor(rig, program, "triple", 3);
    check(clReleaseProgram(program));
    check(clReleaseProgram(source));
    free(binary);
}

static void objects_link_to_programs_and_libraries(void **state)
{
    static const char *const text[] = {
        "#include \"factor.h\"\n"
        "int scale(int x);\n"
        "kernel void apply(global int *a)\n"
        "{ a[get_global_id(0)] = scale(a[get_global_id(0)]) * FACTOR; }\n",
        "int scale(int x) { return 5 * x; }\n", "#define FACTOR 7\n"};
    const struct rig *rig = *state;
    const char *name = "factor.h";
    cl_program object[3], library, program, both[2];
    cl_program_binary_type type = 0;
    cl_int status;

    for (int i = 0; i < 3; i++)
        object[i] = clCreateProgramWithSource(rig->context, 1, (const char **)&text[i],
                                              NULL, NULL);
    assert_int_equal(
        clCompileProgram(object[0], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
        CL_COMPILE_PROGRAM_FAILURE);
    check(clCompileProgram(object[0], 0, NULL, NULL, 1, &object[2], &name, NULL, NULL));
    check(clCompileProgram(object[1], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    check(clGetProgramBuildInfo(object[0], rig->device[0], CL_PROGRAM_BINARY_TYPE,
                                sizeof(type), &type, NULL));
    assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    library = clLinkProgram(rig->context, 0, NULL, "-create-library", 1, &object[1],
                            NULL, NULL, &status);
    check(status);
    both[0] = object[0];
    both[1] = library;
    program = clLinkProgram(rig->context, 0, NULL, NULL, 2, both, NULL, NULL, &status);
    check(status);
    expect_factor(rig, program, "apply", 35);
    assert_null(
        clLinkProgram(rig->context, 0, NULL, "-bogus", 1, object, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_LINKER_OPTIONS);
    assert_null(
        clLinkProgram(rig->context, 0, NULL, NULL, 1, &object[2], NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_OPERATION); /* was not compiled */
    check(clReleaseProgram(program));
    check(clReleaseProgram(library));
    for (int i = 0; i < 3; i++)
        check(clReleaseProgram(object[i]));
}

static void every_language_version_compiles(void **state)
{
    static const char *const options[] = {"-cl-std=CL1.1", "-cl-std=CL1.2",
                                          "-cl-std=CL2.0", "-cl-std=CL3.0", NULL};
    static const int versions[] = {110, 120, 200, 300, 120};
    const struct rig *rig = *state;

    for (int i = 0; i < 5; i++) {
        cl_program program = rig_program(rig,
                                         "kernel void times(global int *a)\n"
                                         "{ a[get_global_id(0)] *= "
                                         "__OPENCL_C_VERSION__; }\n",
                                         options[i]);

        expect_factor(rig, program, "times", versions[i]);
        check(clReleaseProgram(program));
    }
}

static void no_source_is_no_kernel(void **state)
{
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, "", NULL);
    size_t kernels = 99;

    check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(kernels), &kernels,
                           NULL));
    assert_int_equal(kernels, 0);
    check(clReleaseProgram(program));
}

static void a_kernel_tells_its_attributes(void **state)
{
    static const char source[] =
        "kernel __attribute__((work_group_size_hint(1, 2, 1)))\n"
        "__attribute__((vec_type_hint(float4))) void hints(global int *a) { *a = 1; }\n"
        "kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
        "__attribute__((intel_reqd_sub_group_size(8))) void demands(global int *a)\n"
        "{ *a = 2; }\n"
        "kernel void nothing(global int *a) { *a = 3; }\n";
    static const char *const want[][2] = {
        {"hints", "work_group_size_hint(1,2,1) vec_type_hint(float4)"},
        {"demands", "reqd_work_group_size(8,1,1) intel_reqd_sub_group_size(8)"},
        {"nothing", ""}};
    const struct rig *rig = *state;

    for (int i = 0; i < 3; i++) {
        cl_kernel kernel = rig_kernel(rig, source, want[i][0]);
        char text[128];

        check(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL));
        assert_string_equal(text, want[i][1]);
        check(clReleaseKernel(kernel));
    }
}

static void spirv_is_a_program(void **state)
{
    const struct rig *rig = *state;
    const char *text = triple;
    cl_program source = clCreateProgramWithSource(rig->context, 1, &text, NULL, NULL);
    cl_program program;
    cl_int status;
    size_t bytes, il_bytes = 0;
    unsigned char *il;

    check(clCompileProgram(source, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    il = binary_of(source, &bytes); /* an object is SPIR-V */
    program = clCreateProgramWithIL(rig->context, il, bytes, &status);
    check(status);
    check(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &il_bytes));
    assert_int_equal(il_bytes, bytes);
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    expect_factor(rig, program, "triple", 3);
    check(clReleaseProgram(program));
    check(clReleaseProgram(source));
    free(il);
}

/* Intel's compiler ends in a crash by it as it is. */
static void spirv_of_dpcpp_is_a_program(void **state)
{
    enum { ITEMS = 64 };
    const struct rig *rig = *state;
    const size_t global[2] = {16, ITEMS / 16};
    cl_ulong got[ITEMS] = {0};
    cl_mem out =
        clCreateBuffer(rig->context, CL_MEM_READ_WRITE, sizeof(got), NULL, NULL);
    cl_int status;
    cl_program object = clCreateProgramWithIL(rig->context, spirv_module,
                                              sizeof(spirv_module), &status);
    size_t il_bytes = 0;

    check(status);
    check(clGetProgramInfo(object, CL_PROGRAM_IL, 0, NULL, &il_bytes));
    if (!rig_neo()) /* there it is what the compiler got */
        assert_int_equal(il_bytes, sizeof(spirv_module));
    for (int linked = 0; linked < 2; linked++) {
        cl_program program = object;
        cl_kernel kernel;

        if (linked)
            check(clCompileProgram(object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
        else
            check(clBuildProgram(object, 0, NULL, NULL, NULL, NULL));
        if (linked) {
            program = clLinkProgram(rig->context, 0, NULL, NULL, 1, &object, NULL, NULL,
                                    &status);
            check(status);
        }
        kernel = clCreateKernel(program, "ids", &status);
        check(status);
        check(clSetKernelArg(kernel, 0, sizeof(out), &out));
        check(clEnqueueNDRangeKernel(rig->queue, kernel, 2, NULL, global, NULL, 0, NULL,
                                     NULL));
        check(clEnqueueReadBuffer(rig->queue, out, CL_TRUE, 0, sizeof(got), got, 0,
                                  NULL, NULL));
        for (cl_ulong i = 0; i < ITEMS; i++)
            assert_int_equal(got[i], i);
        memset(got, 0, sizeof(got));
        check(clReleaseKernel(kernel));
        if (linked)
            check(clReleaseProgram(program));
    }
    check(clReleaseProgram(object));
    check(clReleaseMemObject(out));
}

static void kernels_tell_their_arguments(void **state)
{
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, triple, "-cl-kernel-arg-info");
    cl_kernel kernel = clCreateKernel(program, "triple", NULL), all[4], clone;
    cl_kernel_arg_address_qualifier space = 0;
    char text[64] = "";
    size_t size = 0, local[3] = {64, 1, 1}, count = 0;
    cl_uint kernels = 0;

    check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL));
    assert_string_equal(text, "a");
    check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text,
                             NULL));
    assert_string_equal(text, "int*");
    check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space),
                             &space, NULL));
    assert_int_equal(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    check(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE,
                                   sizeof(size), &size, NULL));
    assert_int_equal(size, 256);
    check(clGetKernelWorkGroupInfo(kernel, rig->device[0],
                                   CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                   sizeof(size), &size, NULL));
    check(clGetKernelSubGroupInfo(kernel, rig->device[0],
                                  CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof(local),
                                  local, sizeof(count), &count, NULL));
    assert_int_equal(count, 64 / size);
    check(clCreateKernelsInProgram(program, 4, all, &kernels));
    assert_int_equal(kernels, 1);
    clone = clCloneKernel(kernel, NULL);
    assert_non_null(clone);
    check(clReleaseKernel(clone));
    check(clReleaseKernel(all[0]));
    check(clReleaseProgram(program)); /* the kernel keeps it */
    check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(text), text, NULL));
    assert_string_equal(text, "triple");
    check(clReleaseKernel(kernel));
}

/* Build `source` for each device with options of its own. */
static cl_program build_for_each(cl_context context, const cl_device_id device[2],
                                 const char *source, const char *const options[2])
{
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

    for (int i = 0; i < 2; i++)
        check(clBuildProgram(program, 1, &device[i], options[i], NULL, NULL));
    return program;
}

/* Launch k of the program on the second device with `args` arguments, all the buffer.
 */
static void run_on_second(cl_context context, cl_device_id device, cl_program program,
                          cl_uint args)
{
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer = clCreateBuffer(context, 0, 256, NULL, NULL);
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, "k", &status);
    const size_t one = 1;

    check(status);
    for (cl_uint i = 0; i < args; i++)
        check(clSetKernelArg(kernel, i, sizeof(buffer), &buffer));
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    check(clFinish(queue));
    check(clReleaseKernel(kernel));
    check(clReleaseMemObject(buffer));
    check(clReleaseCommandQueue(queue));
}

static void a_kernel_has_the_same_arguments_on_each_device(void **state)
{
    static const char source[] =
        "kernel void other(global int *a) { *a = 1; }\n"
        "#if ARGS == 1\nkernel void k(global int *a) { *a = 1; }\n"
        "#elif ARGS == 3\nkernel void k(global int *a, global int *b, global int *c)\n"
        "{ *a = *b + *c; }\n"
        "#else\nkernel void k(TYPE a, global int *b) { *b = (int)a; }\n#endif\n";
    static const char *const differ[][2] = {
        {"-DARGS=1", "-DARGS=3"},
        {"-DARGS=3", "-DARGS=1"},
        {"-DARGS=2 -DTYPE=int", "-DARGS=2 -DTYPE=float"},
        {"-DARGS=2 -DTYPE=int", "-DARGS=2 -DTYPE=long"}};
    static const char *const same[2] = {"-DARGS=3", "-DARGS=3 -cl-opt-disable"};
    const struct rig *rig = *state;
    cl_context context = clCreateContext(NULL, 2, rig->device, NULL, NULL, NULL);
    cl_program program;
    cl_kernel kernel[3];
    cl_uint kernels = 0;
    cl_int status;

    for (size_t i = 0; i < sizeof(differ) / sizeof(differ[0]); i++) {
        program = build_for_each(context, rig->device, source, differ[i]);
        kernel[0] = clCreateKernel(program, "k", &status);
        if (kernel[0] != NULL) { /* what a program that does not look would do */
            check(clReleaseKernel(kernel[0]));
            run_on_second(context, rig->device[1], program, i == 0 ? 1 : 3);
        }
        assert_int_equal(status, CL_INVALID_KERNEL_DEFINITION);
        check(clCreateKernelsInProgram(program, 1, kernel, &kernels));
        assert_int_equal(kernels, 1); /* the other */
        check(clReleaseKernel(kernel[0]));
        check(clReleaseProgram(program));
    }
    program = build_for_each(context, rig->device, source, same);
    run_on_second(context, rig->device[1], program, 3);
    check(clReleaseProgram(program));
    check(clReleaseContext(context));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_makes_the_same_program),
        cmocka_unit_test(patch_tokens_make_the_same_program),
        cmocka_unit_test(objects_link_to_programs_and_libraries),
        cmocka_unit_test(every_language_version_compiles),
        cmocka_unit_test(a_kernel_has_the_same_arguments_on_each_device),
        cmocka_unit_test(no_source_is_no_kernel),
        cmocka_unit_test(a_kernel_tells_its_attributes),
        cmocka_unit_test(spirv_is_a_program),
        cmocka_unit_test(spirv_of_dpcpp_is_a_program),
        cmocka_unit_test(kernels_tell_their_arguments),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
