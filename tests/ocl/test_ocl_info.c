/* test_ocl_info.c - what each kind of object tells about itself: what it was made with,
 * in the size that OpenCL gives the answer, and an error for a question that is none.
 * Does not find: limits that no program can live with (test_ocl_compute runs some). */
#define _GNU_SOURCE /* memmem */
#include "rig.h"

/* ASK(value, call up to the question): the answer has exactly the value's size. */
#define ASK(value, ask, object, question)                                              \
    do {                                                                               \
        size_t needed_ = 0;                                                            \
        check(ask(object, question, sizeof(value), &(value), &needed_));               \
        assert_int_equal(needed_, sizeof(value));                                      \
    } while (0)
/* The answer is `wanted`, of this type. */
#define EXPECT(type, wanted, ask, object, question)                                    \
    do {                                                                               \
        type value_;                                                                   \
        ASK(value_, ask, object, question);                                            \
        assert_true(value_ == (wanted));                                               \
    } while (0)
#define EXPECT_TEXT(wanted, ask, object, question)                                     \
    do {                                                                               \
        char text_[4096] = "";                                                         \
        check(ask(object, question, sizeof(text_), text_, NULL));                      \
        assert_string_equal(text_, wanted);                                            \
    } while (0)

enum { NO_QUESTION = 1 };

static void the_platform_tells(void **state)
{
    const struct rig *rig = *state;
    cl_name_version list[64];
    char names[4096] = "", joined[4096] = "";
    size_t bytes = 0;

    EXPECT_TEXT("FULL_PROFILE", clGetPlatformInfo, rig->platform, CL_PLATFORM_PROFILE);
    EXPECT_TEXT("Vigpu", clGetPlatformInfo, rig->platform, CL_PLATFORM_NAME);
    EXPECT_TEXT("Vigpu", clGetPlatformInfo, rig->platform, CL_PLATFORM_VENDOR);
    check(clGetPlatformInfo(rig->platform, CL_PLATFORM_VERSION, sizeof(names), names,
                            NULL));
    assert_memory_equal(names, "OpenCL 3.0 ", 11);
    EXPECT(cl_version, CL_MAKE_VERSION(3, 0, 0), clGetPlatformInfo, rig->platform,
           CL_PLATFORM_NUMERIC_VERSION);
    EXPECT(cl_ulong, 1, clGetPlatformInfo, rig->platform,
           CL_PLATFORM_HOST_TIMER_RESOLUTION);
    check(clGetPlatformInfo(rig->platform, CL_PLATFORM_EXTENSIONS, sizeof(names), names,
                            NULL));
    check(clGetPlatformInfo(rig->platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
                            sizeof(list), list, &bytes));
    for (size_t i = 0; i < bytes / sizeof(*list); i++) {
        strcat(joined, i > 0 ? " " : "");
        strcat(joined, list[i].name);
        assert_int_equal(list[i].version, CL_MAKE_VERSION(1, 0, 0));
    }
    assert_string_equal(joined, names); /* the same in both forms */
    assert_int_equal(
        clGetPlatformInfo(rig->platform, NO_QUESTION, sizeof(names), names, NULL),
        CL_INVALID_VALUE);
    check(clUnloadPlatformCompiler(rig->platform));
    check(clUnloadCompiler());
}

/* Fields of cl_name_version lists: every one is named, all versions are `version`. */
static size_t named(cl_device_id device, cl_device_info question, cl_version version,
                    const char *has)
{
    cl_name_version list[64];
    size_t bytes = 0, found = 0;

    check(clGetDeviceInfo(device, question, sizeof(list), list, &bytes));
    assert_int_equal(bytes % sizeof(*list), 0);
    for (size_t i = 0; i < bytes / sizeof(*list); i++) {
        assert_true(list[i].name[0] != '\0');
        assert_true(version == 0 || list[i].version == version);
        found += strcmp(list[i].name, has) == 0;
    }
    return found;
}

static void a_device_tells(void **state)
{
    const struct rig *rig = *state;
    cl_device_id d = rig->device[0];
    size_t sizes[3], subs[3], most = 0;
    cl_ulong alloc, global, host[2];
    cl_device_partition_property part = 1;

    EXPECT(cl_platform_id, rig->platform, clGetDeviceInfo, d, CL_DEVICE_PLATFORM);
    EXPECT(cl_device_id, NULL, clGetDeviceInfo, d, CL_DEVICE_PARENT_DEVICE);
    EXPECT_TEXT("Intel(R) Corporation", clGetDeviceInfo, d, CL_DEVICE_VENDOR);
    EXPECT(cl_uint, 0x8086, clGetDeviceInfo, d, CL_DEVICE_VENDOR_ID);
    ASK(sizes, clGetDeviceInfo, d, CL_DEVICE_MAX_WORK_ITEM_SIZES);
    ASK(most, clGetDeviceInfo, d, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(sizes[i], most);
    ASK(alloc, clGetDeviceInfo, d, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    ASK(global, clGetDeviceInfo, d, CL_DEVICE_GLOBAL_MEM_SIZE);
    assert_true(alloc >= global / 4 ||
                alloc >= UINT32_MAX - 65536); /* of the standard */
    EXPECT(cl_ulong, alloc, clGetDeviceInfo, d, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
    EXPECT(size_t, alloc, clGetDeviceInfo, d,
           CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE);
    EXPECT(size_t, 2048, clGetDeviceInfo, d, CL_DEVICE_MAX_PARAMETER_SIZE);
    EXPECT(cl_ulong, 786432, clGetDeviceInfo, d, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    EXPECT(cl_ulong, 2 * 786432, clGetDeviceInfo, rig->device[1],
           CL_DEVICE_GLOBAL_MEM_CACHE_SIZE); /* GT3 has two slices */
    ASK(part, clGetDeviceInfo, d, CL_DEVICE_PARTITION_PROPERTIES);
    assert_int_equal(part, 0);
    EXPECT(cl_bool, CL_TRUE, clGetDeviceInfo, d, CL_DEVICE_IMAGE_SUPPORT);
    EXPECT(size_t, 16384, clGetDeviceInfo, d, CL_DEVICE_IMAGE2D_MAX_WIDTH);
    EXPECT(cl_uint, 16, clGetDeviceInfo, d, CL_DEVICE_MAX_SAMPLERS);
    ASK(subs, clGetDeviceInfo, d, CL_DEVICE_SUB_GROUP_SIZES_INTEL);
    assert_true(subs[0] == 8 && subs[1] == 16 && subs[2] == 32);
    assert_int_equal(named(d, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, "OpenCL C"), 4);
    assert_int_equal(named(d, CL_DEVICE_OPENCL_C_FEATURES, CL_MAKE_VERSION(3, 0, 0),
                           "__opencl_c_fp64"),
                     1);
    assert_int_equal(
        named(d, CL_DEVICE_ILS_WITH_VERSION, CL_MAKE_VERSION(1, 2, 0), "SPIR-V"), 1);
    assert_int_equal(named(d, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0, ""), 0);
    assert_int_equal(named(d, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, "cl_khr_fp16"), 1);
    assert_int_equal(clGetDeviceInfo(d, NO_QUESTION, sizeof(most), &most, NULL),
                     CL_INVALID_VALUE);
    check(clRetainDevice(d)); /* a root device is not counted */
    check(clReleaseDevice(d));
    EXPECT(cl_uint, 1, clGetDeviceInfo, d, CL_DEVICE_REFERENCE_COUNT);

    check(clGetHostTimer(d, &host[0]));
    check(clGetDeviceAndHostTimer(d, &global, &host[1]));
    assert_true(host[1] >= host[0] && global == host[1]);
    assert_int_equal(clGetHostTimer(d, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetDeviceAndHostTimer(d, NULL, &host[1]), CL_INVALID_VALUE);
    assert_int_equal(clGetHostTimer((cl_device_id)rig->queue, host), CL_INVALID_DEVICE);
    assert_int_equal(clGetDeviceAndHostTimer((cl_device_id)rig->queue, &global, host),
                     CL_INVALID_DEVICE);
}

/* As Intel's driver has it, on which this test runs, too. */
static void a_device_tells_its_place(void **state)
{
    const struct rig *rig = *state;
    cl_device_pci_bus_info_khr place = {9, 9, 9, 9};
    cl_uchar uuid[CL_UUID_SIZE_KHR], driver[CL_UUID_SIZE_KHR];
    const cl_uchar known[CL_UUID_SIZE_KHR] = {0x86, 0x80, 0, 0, 0x12, 0x19};
    char extensions[8192];

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_EXTENSIONS, sizeof(extensions),
                          extensions, NULL));
    assert_non_null(strstr(extensions, "cl_khr_pci_bus_info"));
    assert_non_null(strstr(extensions, "cl_khr_device_uuid"));
    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(place),
                          &place, NULL));
    assert_true(place.pci_domain == 0 && place.pci_bus == 0 && place.pci_device == 2 &&
                place.pci_function == 0);
    check(
        clGetDeviceInfo(rig->device[0], CL_DEVICE_UUID_KHR, sizeof(uuid), uuid, NULL));
    assert_memory_equal(uuid, known, sizeof(uuid));
    check(clGetDeviceInfo(rig->device[0], CL_DRIVER_UUID_KHR, sizeof(driver), driver,
                          NULL));
    EXPECT(cl_bool, CL_FALSE, clGetDeviceInfo, rig->device[0],
           CL_DEVICE_LUID_VALID_KHR);
    EXPECT(cl_uint, 0, clGetDeviceInfo, rig->device[0], CL_DEVICE_NODE_MASK_KHR);
}

/* Hints and engines of a queue, as Intel's driver has them. */
static void queues_take_hints_and_their_engine(void **state)
{
    static const struct {
        cl_queue_properties list[5];
        cl_int status;
    } cases[] = {
        {{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0}, CL_SUCCESS},
        {{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_THROTTLE_KHR,
          CL_QUEUE_THROTTLE_MED_KHR, 0},
         CL_SUCCESS},
        {{CL_QUEUE_FAMILY_INTEL, 0, CL_QUEUE_INDEX_INTEL, 0, 0}, CL_SUCCESS},
        {{CL_QUEUE_FAMILY_INTEL, 0, 0}, CL_INVALID_QUEUE_PROPERTIES},
        {{CL_QUEUE_FAMILY_INTEL, 1, CL_QUEUE_INDEX_INTEL, 0, 0},
         CL_INVALID_QUEUE_PROPERTIES},
        {{CL_QUEUE_FAMILY_INTEL, 0, CL_QUEUE_INDEX_INTEL, 1, 0},
         CL_INVALID_QUEUE_PROPERTIES},
    };
    const struct rig *rig = *state;
    cl_queue_family_properties_intel family;
    cl_mem buffer;
    cl_int status;

    check(clGetDeviceInfo(rig->device[0], CL_DEVICE_QUEUE_FAMILY_PROPERTIES_INTEL,
                          sizeof(family), &family, NULL));
    assert_true(family.properties == (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                      CL_QUEUE_PROFILING_ENABLE) &&
                family.capabilities == CL_QUEUE_DEFAULT_CAPABILITIES_INTEL &&
                family.count == 1);
    assert_string_equal(family.name, "rcs");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cl_command_queue queue = clCreateCommandQueueWithProperties(
            rig->context, rig->device[0], cases[i].list, &status);

        assert_int_equal(status, cases[i].status);
        assert_int_equal(queue != NULL, cases[i].status == CL_SUCCESS);
        if (queue == NULL)
            continue;
        EXPECT(cl_uint, 0, clGetCommandQueueInfo, queue, CL_QUEUE_FAMILY_INTEL);
        EXPECT(cl_uint, 0, clGetCommandQueueInfo, queue, CL_QUEUE_INDEX_INTEL);
        check(clReleaseCommandQueue(queue));
    }
    buffer =
        clCreateBuffer(rig->context, CL_MEM_FORCE_HOST_MEMORY_INTEL, 64, NULL, &status);
    check(status);
    check(clReleaseMemObject(buffer));
}

static void a_context_tells(void **state)
{
    const struct rig *rig = *state;
    const cl_context_properties wanted[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)(intptr_t)rig->platform, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, wanted[1],
                                           CL_CONTEXT_PLATFORM, wanted[1], 0};
    cl_context_properties list[3];
    cl_device_id device[2];
    cl_int status;
    cl_context context =
        clCreateContextFromType(wanted, CL_DEVICE_TYPE_GPU, NULL, NULL, &status);

    check(status);
    EXPECT(cl_uint, 2, clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES);
    ASK(device, clGetContextInfo, context, CL_CONTEXT_DEVICES);
    assert_memory_equal(device, rig->device, sizeof(device));
    ASK(list, clGetContextInfo, context, CL_CONTEXT_PROPERTIES);
    assert_memory_equal(list, wanted, sizeof(list));
    check(clRetainContext(context));
    EXPECT(cl_uint, 2, clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT);
    check(clReleaseContext(context));
    EXPECT(cl_uint, 1, clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT);
    assert_int_equal(clGetContextInfo(context, NO_QUESTION, sizeof(list), list, NULL),
                     CL_INVALID_VALUE);
    check(clReleaseContext(context));
    assert_null(clCreateContext(twice, 1, rig->device, NULL, NULL, &status));
    assert_int_equal(status, CL_INVALID_PROPERTY);
    assert_null(
        clCreateContextFromType(wanted, CL_DEVICE_TYPE_CPU, NULL, NULL, &status));
    assert_int_equal(status, CL_DEVICE_NOT_FOUND);
}

static void a_queue_tells(void **state)
{
    const struct rig *rig = *state;
    const cl_queue_properties wanted[] = {CL_QUEUE_PROPERTIES,
                                          CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_queue_properties sized[] = {CL_QUEUE_SIZE, 4096, 0};
    cl_command_queue_properties old = 0;
    cl_queue_properties list[3];
    cl_int status;
    cl_command_queue queue = clCreateCommandQueueWithProperties(
        rig->context, rig->device[0], wanted, &status);

    check(status);
    EXPECT(cl_context, rig->context, clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT);
    EXPECT(cl_device_id, rig->device[0], clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE);
    EXPECT(cl_command_queue_properties, CL_QUEUE_PROFILING_ENABLE,
           clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES);
    ASK(list, clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY);
    assert_memory_equal(list, wanted, sizeof(list));
    check(clRetainCommandQueue(queue));
    EXPECT(cl_uint, 2, clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
    check(clReleaseCommandQueue(queue));
    EXPECT(cl_command_queue, NULL, clGetCommandQueueInfo, queue,
           CL_QUEUE_DEVICE_DEFAULT);
    assert_int_equal(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 4, list, NULL),
                     CL_INVALID_COMMAND_QUEUE); /* of queues on the device */
    assert_int_equal(clGetCommandQueueInfo(queue, NO_QUESTION, 4, list, NULL),
                     CL_INVALID_VALUE);
    check(clFlush(queue));
    assert_int_equal(
        clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, &old),
        CL_INVALID_OPERATION);
    assert_int_equal(old, CL_QUEUE_PROFILING_ENABLE);
    assert_int_equal(clSetCommandQueueProperty(queue, 1u << 20, CL_TRUE, NULL),
                     CL_INVALID_VALUE);
    check(clReleaseCommandQueue(queue));
    assert_null(clCreateCommandQueueWithProperties(rig->context, rig->device[0], sized,
                                                   &status));
    assert_int_equal(status, CL_INVALID_QUEUE_PROPERTIES);
}

static void a_buffer_tells(void **state)
{
    const struct rig *rig = *state;
    static _Alignas(4096) char host[8192];
    const cl_buffer_region half = {4096, 4096};
    cl_mem_properties none[1];
    cl_int status;
    cl_mem part, buffer = clCreateBufferWithProperties(
                     rig->context, (cl_mem_properties[]){0}, CL_MEM_USE_HOST_PTR,
                     sizeof(host), host, &status);
    void *mapped;

    check(status);
    part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &status);
    check(status);
    EXPECT(cl_mem_object_type, CL_MEM_OBJECT_BUFFER, clGetMemObjectInfo, part,
           CL_MEM_TYPE);
    EXPECT(size_t, 4096, clGetMemObjectInfo, part, CL_MEM_SIZE);
    EXPECT(size_t, 4096, clGetMemObjectInfo, part, CL_MEM_OFFSET);
    EXPECT(void *, host, clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR);
    EXPECT(void *, host + 4096, clGetMemObjectInfo, part, CL_MEM_HOST_PTR);
    EXPECT(cl_context, rig->context, clGetMemObjectInfo, part, CL_MEM_CONTEXT);
    EXPECT(cl_mem, buffer, clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT);
    EXPECT(cl_mem, NULL, clGetMemObjectInfo, buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
    EXPECT(cl_bool, CL_FALSE, clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER);
    ASK(none, clGetMemObjectInfo, buffer, CL_MEM_PROPERTIES);
    assert_int_equal(none[0], 0);
    mapped = clEnqueueMapBuffer(rig->queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0,
                                NULL, NULL, &status);
    check(status);
    EXPECT(cl_uint, 1, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT);
    check(clEnqueueUnmapMemObject(rig->queue, buffer, mapped, 0, NULL, NULL));
    check(clFinish(rig->queue));
    EXPECT(cl_uint, 0, clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT);
    assert_int_equal(clGetMemObjectInfo(part, NO_QUESTION, 8, none, NULL),
                     CL_INVALID_VALUE);
    assert_null(
        clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &status));
    assert_int_equal(status, CL_INVALID_MEM_OBJECT); /* no part of a part */
    assert_null(clCreateSubBuffer(buffer, 0, 0, &half, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    check(clReleaseMemObject(part));
    check(clReleaseMemObject(buffer));
}

/* One image of each shape: its sizes, and 0 for those that it has not. */
static void an_image_tells(void **state)
{
    static const struct {
        cl_mem_object_type type;
        size_t width, height, depth, array;
    } shape[] = {{CL_MEM_OBJECT_IMAGE1D, 33, 0, 0, 0},
                 {CL_MEM_OBJECT_IMAGE1D_ARRAY, 33, 0, 0, 3},
                 {CL_MEM_OBJECT_IMAGE2D, 33, 7, 0, 0},
                 {CL_MEM_OBJECT_IMAGE2D_ARRAY, 33, 7, 0, 3},
                 {CL_MEM_OBJECT_IMAGE3D, 33, 7, 5, 0}};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const struct rig *rig = *state;

    for (unsigned i = 0; i < sizeof(shape) / sizeof(*shape); i++) {
        const cl_image_desc desc = {.image_type = shape[i].type,
                                    .image_width = shape[i].width,
                                    .image_height = shape[i].height,
                                    .image_depth = shape[i].depth,
                                    .image_array_size = shape[i].array};
        bool layers = shape[i].depth > 0 || shape[i].array > 0;
        cl_image_format told;
        size_t row, slice;
        cl_int status;
        cl_mem image = clCreateImage(rig->context, 0, &format, &desc, NULL, &status);

        check(status);
        ASK(told, clGetImageInfo, image, CL_IMAGE_FORMAT);
        assert_memory_equal(&told, &format, sizeof(told));
        EXPECT(size_t, 4, clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE);
        EXPECT(size_t, shape[i].width, clGetImageInfo, image, CL_IMAGE_WIDTH);
        EXPECT(size_t, shape[i].height, clGetImageInfo, image, CL_IMAGE_HEIGHT);
        EXPECT(size_t, shape[i].depth, clGetImageInfo, image, CL_IMAGE_DEPTH);
        EXPECT(size_t, shape[i].array, clGetImageInfo, image, CL_IMAGE_ARRAY_SIZE);
        ASK(row, clGetImageInfo, image, CL_IMAGE_ROW_PITCH);
        ASK(slice, clGetImageInfo, image, CL_IMAGE_SLICE_PITCH);
        assert_true(row >= 4 * shape[i].width);
        assert_true(layers ? slice >= row : slice == 0);
        EXPECT(cl_mem, NULL, clGetImageInfo, image, CL_IMAGE_BUFFER);
        EXPECT(cl_uint, 0, clGetImageInfo, image, CL_IMAGE_NUM_MIP_LEVELS);
        EXPECT(cl_uint, 0, clGetImageInfo, image, CL_IMAGE_NUM_SAMPLES);
        assert_int_equal(clGetImageInfo(image, NO_QUESTION, 8, &row, NULL),
                         CL_INVALID_VALUE);
        check(clReleaseMemObject(image));
    }
}

static void a_sampler_tells(void **state)
{
    const struct rig *rig = *state;
    const cl_sampler_properties wanted[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                            CL_FALSE,
                                            CL_SAMPLER_ADDRESSING_MODE,
                                            CL_ADDRESS_REPEAT,
                                            CL_SAMPLER_FILTER_MODE,
                                            CL_FILTER_LINEAR,
                                            0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties unknown[] = {NO_QUESTION, 0, 0};
    cl_sampler_properties list[7];
    cl_int status;
    cl_sampler s = clCreateSamplerWithProperties(rig->context, wanted, &status);

    check(status);
    EXPECT(cl_context, rig->context, clGetSamplerInfo, s, CL_SAMPLER_CONTEXT);
    EXPECT(cl_bool, CL_FALSE, clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS);
    EXPECT(cl_addressing_mode, CL_ADDRESS_REPEAT, clGetSamplerInfo, s,
           CL_SAMPLER_ADDRESSING_MODE);
    EXPECT(cl_filter_mode, CL_FILTER_LINEAR, clGetSamplerInfo, s,
           CL_SAMPLER_FILTER_MODE);
    ASK(list, clGetSamplerInfo, s, CL_SAMPLER_PROPERTIES);
    assert_memory_equal(list, wanted, sizeof(list));
    check(clRetainSampler(s));
    EXPECT(cl_uint, 2, clGetSamplerInfo, s, CL_SAMPLER_REFERENCE_COUNT);
    check(clReleaseSampler(s));
    assert_int_equal(clGetSamplerInfo(s, NO_QUESTION, 8, list, NULL), CL_INVALID_VALUE);
    check(clReleaseSampler(s));
    s = clCreateSamplerWithProperties(rig->context, NULL, &status); /* the defaults */
    check(status);
    EXPECT(cl_bool, CL_TRUE, clGetSamplerInfo, s, CL_SAMPLER_NORMALIZED_COORDS);
    EXPECT(cl_addressing_mode, CL_ADDRESS_CLAMP, clGetSamplerInfo, s,
           CL_SAMPLER_ADDRESSING_MODE);
    EXPECT(cl_filter_mode, CL_FILTER_NEAREST, clGetSamplerInfo, s,
           CL_SAMPLER_FILTER_MODE);
    check(clReleaseSampler(s));
    assert_null(clCreateSamplerWithProperties(rig->context, twice, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(clCreateSamplerWithProperties(rig->context, unknown, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
    assert_null(
        clCreateSampler(rig->context, 2, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &status));
    assert_int_equal(status, CL_INVALID_VALUE);
}

static const char two[] = "kernel void second(global int *a) { *a = 1; }\n"
                          "__attribute__((reqd_work_group_size(16, 2, 1)))\n"
                          "kernel void first(global int *a, local int *b)\n"
                          "{ local int c[64]; c[get_local_id(0)] = *b; barrier(1);\n"
                          "  *a = c[0]; }\n";

static void a_program_tells(void **state)
{
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, two, "-DUNUSED=1");
    char names[64] = "";
    cl_device_id device;
    cl_build_status built;

    EXPECT(cl_context, rig->context, clGetProgramInfo, program, CL_PROGRAM_CONTEXT);
    EXPECT(cl_uint, 1, clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES);
    ASK(device, clGetProgramInfo, program, CL_PROGRAM_DEVICES);
    assert_ptr_equal(device, rig->device[0]);
    EXPECT_TEXT(two, clGetProgramInfo, program, CL_PROGRAM_SOURCE);
    EXPECT(size_t, 2, clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS);
    check(
        clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL));
    assert_true(strcmp(names, "second;first") == 0 ||
                strcmp(names, "first;second") == 0);
    EXPECT(cl_bool, CL_FALSE, clGetProgramInfo, program,
           CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT);
    check(clRetainProgram(program));
    EXPECT(cl_uint, 2, clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT);
    check(clReleaseProgram(program));
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof(built),
                                &built, NULL));
    assert_int_equal(built, CL_BUILD_SUCCESS);
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS,
                                sizeof(names), names, NULL));
    assert_string_equal(names, "-DUNUSED=1");
    assert_int_equal(clGetProgramInfo(program, NO_QUESTION, 8, names, NULL),
                     CL_INVALID_VALUE);
    check(clReleaseProgram(program));
}

/* The first argument after kernel and device. */
static cl_int group_info(cl_kernel kernel, cl_kernel_work_group_info question,
                         size_t bytes, void *value, size_t *needed)
{
    return clGetKernelWorkGroupInfo(kernel, NULL, question, bytes, value, needed);
}

/* CL_KERNEL_BINARY_PROGRAM_INTEL, which the intercept layer asks for: whole
 * instructions, the same that are in the program's binary; these kernels need no
 * addresses put in. */
static void a_kernel_tells_its_machine_code(void **state)
{
    enum { KERNEL_BINARY_PROGRAM_INTEL = 0x407D };
    const struct rig *rig = *state;
    cl_program program = rig_program(rig, two, NULL);
    unsigned char *binary, *code[2], small[4];
    size_t bytes = 0, n[2] = {0, 0};

    ASK(bytes, clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    binary = malloc(bytes);
    assert_non_null(binary);
    check(
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = clCreateKernel(program, i == 0 ? "first" : "second", NULL);

        check(clGetKernelInfo(kernel, KERNEL_BINARY_PROGRAM_INTEL, 0, NULL, &n[i]));
        assert_true(n[i] >= 32 && n[i] % 8 == 0);
        assert_int_equal(clGetKernelInfo(kernel, KERNEL_BINARY_PROGRAM_INTEL,
                                         sizeof(small), small, NULL),
                         CL_INVALID_VALUE);
        code[i] = malloc(n[i]);
        assert_non_null(code[i]);
        check(
            clGetKernelInfo(kernel, KERNEL_BINARY_PROGRAM_INTEL, n[i], code[i], NULL));
        assert_non_null(memmem(binary, bytes, code[i], n[i]));
        check(clReleaseKernel(kernel));
    }
    assert_true(n[0] != n[1] || memcmp(code[0], code[1], n[0]) != 0);
    free(code[0]);
    free(code[1]);
    free(binary);
    check(clReleaseProgram(program));
}

static void a_kernel_tells(void **state)
{
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, two, "first");
    size_t required[3], multiple = 0;

    EXPECT_TEXT("first", clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME);
    EXPECT(cl_uint, 2, clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS);
    EXPECT(cl_context, rig->context, clGetKernelInfo, kernel, CL_KERNEL_CONTEXT);
    assert_int_equal(clGetKernelInfo(kernel, NO_QUESTION, 8, required, NULL),
                     CL_INVALID_VALUE);
    EXPECT(size_t, 32, group_info, kernel, CL_KERNEL_WORK_GROUP_SIZE);
    ASK(required, group_info, kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
    assert_true(required[0] == 16 && required[1] == 2 && required[2] == 1);
    ASK(multiple, group_info, kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    assert_true(multiple == 8 || multiple == 16 || multiple == 32);
    EXPECT(cl_ulong, 256, group_info, kernel, CL_KERNEL_LOCAL_MEM_SIZE);
    check(clSetKernelArg(kernel, 1, 1000, NULL));
    EXPECT(cl_ulong, 1256, group_info, kernel, CL_KERNEL_LOCAL_MEM_SIZE);
    EXPECT(cl_ulong, 0, group_info, kernel, CL_KERNEL_PRIVATE_MEM_SIZE);
    assert_int_equal(group_info(kernel, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(required),
                                required, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetKernelWorkGroupInfo(kernel, rig->device[1],
                                              CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof(multiple), &multiple, NULL),
                     CL_INVALID_DEVICE); /* it was not built for that one */
    check(clReleaseKernel(kernel));
}

static void a_kernel_tells_its_sub_groups(void **state)
{
    static const char source[] = "__attribute__((intel_reqd_sub_group_size(16)))\n"
                                 "kernel void k(global int *a) { a[get_global_id(0)] = "
                                 "get_sub_group_size(); }\n";
    const struct rig *rig = *state;
    cl_kernel kernel = rig_kernel(rig, source, "k");
    const size_t items[2] = {20, 3}, five = 5, many = 17;
    size_t value, size[3];

#define SUB(question, input, out)                                                      \
    clGetKernelSubGroupInfo(kernel, rig->device[0], question, sizeof(input), &(input), \
                            sizeof(out), &(out), NULL)
    check(SUB(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, items, value));
    assert_int_equal(value, 16);
    check(SUB(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, items, value));
    assert_int_equal(value, 4); /* of 60 work-items */
    check(SUB(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, five, size));
    assert_true(size[0] == 80 && size[1] == 1 && size[2] == 1);
    check(SUB(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, many, size));
    assert_true(size[0] == 0 && size[1] == 0 && size[2] == 0); /* more than a group */
    check(SUB(CL_KERNEL_MAX_NUM_SUB_GROUPS, five, value));
    assert_int_equal(value, 16);
    check(SUB(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, five, value));
    assert_int_equal(value, 0);
    check(SUB(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, five, value));
    assert_int_equal(value, 16);
    assert_int_equal(SUB(NO_QUESTION, five, value), CL_INVALID_VALUE);
#undef SUB
    assert_int_equal(clGetKernelSubGroupInfo(kernel, NULL,
                                             CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3,
                                             items, sizeof(value), &value, NULL),
                     CL_INVALID_VALUE); /* three bytes are no sizes */
    assert_int_equal(clGetKernelSubGroupInfo(kernel, NULL,
                                             CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                             0, NULL, sizeof(size), size, NULL),
                     CL_INVALID_VALUE);
    check(clReleaseKernel(kernel));
}

static void an_event_tells(void **state)
{
    const struct rig *rig = *state;
    cl_event event;

    check(clEnqueueMarker(rig->queue, &event));
    EXPECT(cl_command_queue, rig->queue, clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE);
    EXPECT(cl_context, rig->context, clGetEventInfo, event, CL_EVENT_CONTEXT);
    EXPECT(cl_command_type, CL_COMMAND_MARKER, clGetEventInfo, event,
           CL_EVENT_COMMAND_TYPE);
    check(clRetainEvent(event));
    EXPECT(cl_uint, 2, clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT);
    check(clReleaseEvent(event));
    check(clEnqueueWaitForEvents(rig->queue, 1, &event));
    assert_int_equal(clEnqueueWaitForEvents(rig->queue, 0, NULL), CL_INVALID_VALUE);
    check(clEnqueueBarrier(rig->queue));
    assert_int_equal(clEnqueueMarker(rig->queue, NULL), CL_INVALID_VALUE);
    check(clFinish(rig->queue));
    EXPECT(cl_int, CL_COMPLETE, clGetEventInfo, event,
           CL_EVENT_COMMAND_EXECUTION_STATUS);
    check(clReleaseEvent(event));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_platform_tells),
        cmocka_unit_test(a_device_tells),
        cmocka_unit_test(a_device_tells_its_place),
        cmocka_unit_test(queues_take_hints_and_their_engine),
        cmocka_unit_test(a_context_tells),
        cmocka_unit_test(a_queue_tells),
        cmocka_unit_test(a_buffer_tells),
        cmocka_unit_test(an_image_tells),
        cmocka_unit_test(a_sampler_tells),
        cmocka_unit_test(a_program_tells),
        cmocka_unit_test(a_kernel_tells),
        cmocka_unit_test(a_kernel_tells_its_machine_code),
        cmocka_unit_test(a_kernel_tells_its_sub_groups),
        cmocka_unit_test(an_event_tells),
    };

    rig_environment();
    return cmocka_run_group_tests(tests, rig_open, rig_close);
}
