/* device_info.c - clGetDeviceInfo: the numbers of Intel's driver for Gen9, but for
 * what this one does otherwise (memory, extensions, images). See ocl.h. */
#include <string.h>
#include <unistd.h>

#include "bridge/drivers/ocl/ocl.h"

cl_uint ocl_device_threads(const struct _cl_device_id *d)
{
    return (cl_uint)(d->config.gpu_subslices * d->config.eu_count *
                     d->config.eu_threads);
}

/* Four fifths of the host's memory, which the GPU shares. */
static cl_ulong global_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    if (pages <= 0 || page <= 0)
        return (cl_ulong)1 << 30;
    return (cl_ulong)pages * (cl_ulong)page / 5 * 4 & ~(cl_ulong)0xFFFFF;
}

/* Surfaces have 32-bit offsets. */
cl_ulong ocl_max_alloc(void)
{
    const cl_ulong limit = ((cl_ulong)1 << 32) - OCL_PAGE;
    cl_ulong half = global_bytes() / 2;

    return half < limit ? half : limit;
}

cl_ulong ocl_alloc_limit(cl_bitfield flags)
{
    return (flags & CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL) != 0 ? global_bytes()
                                                               : ocl_max_alloc();
}

/* CPU and GPU have one memory: whoever allocates it, both reach it. */
#define USM_ACCESS                                                                     \
    (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |                                           \
     CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL)

struct number {
    cl_device_info name;
    char kind; /* u cl_uint, l cl_ulong, z size_t */
    cl_ulong value;
};

static const struct number numbers[] = {
    {CL_DEVICE_TYPE, 'l', CL_DEVICE_TYPE_GPU},
    {CL_DEVICE_VENDOR_ID, 'u', 0x8086},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 'u', 3},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, 'z', OCL_MAX_GROUP},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 'u', 16},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 'u', 8},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 'u', 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 'u', 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 'u', 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 'u', 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 'u', 8},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 'u', 16},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 'u', 8},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 'u', 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 'u', 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 'u', 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 'u', 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 'u', 8},
    {CL_DEVICE_ADDRESS_BITS, 'u', 64},
    {CL_DEVICE_MAX_PARAMETER_SIZE, 'z', 2048},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 'u', 1024},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 'u', 128},
    {CL_DEVICE_SINGLE_FP_CONFIG, 'l',
     CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
         CL_FP_ROUND_TO_INF | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT},
    {CL_DEVICE_DOUBLE_FP_CONFIG, 'l',
     CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
         CL_FP_ROUND_TO_INF | CL_FP_FMA},
    {CL_DEVICE_HALF_FP_CONFIG, 'l',
     CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
         CL_FP_ROUND_TO_INF | CL_FP_FMA},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, 'u', CL_READ_WRITE_CACHE},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 'u', 64},
    {CL_DEVICE_MAX_CONSTANT_ARGS, 'u', 8},
    {CL_DEVICE_LOCAL_MEM_TYPE, 'u', CL_LOCAL},
    {CL_DEVICE_LOCAL_MEM_SIZE, 'l', 65536},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, 'u', CL_FALSE},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, 'u', CL_TRUE},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, 'z', 1},
    {CL_DEVICE_ENDIAN_LITTLE, 'u', CL_TRUE},
    {CL_DEVICE_AVAILABLE, 'u', CL_TRUE},
    {CL_DEVICE_COMPILER_AVAILABLE, 'u', CL_TRUE},
    {CL_DEVICE_LINKER_AVAILABLE, 'u', CL_TRUE},
    {CL_DEVICE_EXECUTION_CAPABILITIES, 'l', CL_EXEC_KERNEL},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, 'l',
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 'l', 0},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 'u', 0},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 'u', 0},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, 'u', 0},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, 'u', 0},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, 'z', 4 << 20},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, 'u', CL_TRUE},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 'u', 0},
    {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 'l', 0},
    {CL_DEVICE_REFERENCE_COUNT, 'u', 1},
    {CL_DEVICE_SVM_CAPABILITIES, 'l',
     CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER},
    {CL_DEVICE_MAX_PIPE_ARGS, 'u', 16},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 'u', 1},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, 'u', OCL_PIPE_PACKET},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 'z', 65536},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 'u', 64},
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 'u', 64},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 'u', 64},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, 'u', OCL_MAX_GROUP / 8},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 'u', CL_TRUE},
    {CL_DEVICE_NUMERIC_VERSION, 'u', CL_MAKE_VERSION(3, 0, 0)},
    {CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, 'u', CL_MAKE_VERSION(1, 2, 0)},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, 'l',
     CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
         CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
         CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, 'l',
     CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
         CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
         CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
         CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, 'u', CL_TRUE},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, 'u', CL_TRUE},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, 'u', CL_TRUE},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 'l', 0},
    {CL_DEVICE_PIPE_SUPPORT, 'u', CL_TRUE},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 'z', 32},
    {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, 'l', USM_ACCESS},
    {CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, 'l', USM_ACCESS},
    {CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, 'l', USM_ACCESS},
    {CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, 'l', USM_ACCESS},
    {CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, 'l', 0},
};

/* The limits of images: those of the full profile, on devices with images only. */
static const struct number image_numbers[] = {
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, 'u', 128},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 'u', 128},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 'u', 128},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, 'z', 16384},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, 'z', 16384},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, 'z', 16384},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, 'z', 16384},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, 'z', 2048},
    {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 'z', 1 << 27},
    {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 'z', 2048},
    {CL_DEVICE_MAX_SAMPLERS, 'u', 16},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 'u', 4},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 'u', 4},
};

static const struct {
    cl_device_info name;
    const char *text;
} texts[] = {
    {CL_DEVICE_VENDOR, "Intel(R) Corporation"},
    {CL_DRIVER_VERSION, IGPU_VERSION},
    {CL_DEVICE_PROFILE, "FULL_PROFILE"},
    {CL_DEVICE_VERSION, "OpenCL 3.0 Vigpu"},
    {CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 "},
    {CL_DEVICE_IL_VERSION, "SPIR-V_1.2 "},
    {CL_DEVICE_BUILT_IN_KERNELS, ""},
    /* None, in the form that the specification gives it. */
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"},
};

static cl_int answer_number(const struct ocl_answer *a, const struct number *n)
{
    switch (n->kind) {
    case 'u':
        return ocl_answer_uint(a, (cl_uint)n->value);
    case 'z':
        return ocl_answer_size(a, (size_t)n->value);
    default:
        return ocl_answer_ulong(a, n->value);
    }
}

static void set_name(cl_name_version *n, const char *name, cl_uint major, cl_uint minor)
{
    memset(n, 0, sizeof(*n));
    n->version = CL_MAKE_VERSION(major, minor, 0);
    strncpy(n->name, name, sizeof(n->name) - 1);
}

static cl_int answer_versions(const struct ocl_answer *a)
{
    static const cl_uint version[][2] = {{1, 0}, {1, 1}, {1, 2}, {3, 0}};
    cl_name_version list[4];

    for (unsigned i = 0; i < 4; i++)
        set_name(&list[i], "OpenCL C", version[i][0], version[i][1]);
    return ocl_answer_bytes(a, list, sizeof(list));
}

static cl_int answer_features(const struct ocl_answer *a)
{
    static const char *const feature[] = {
        "__opencl_c_3d_image_writes",
        "__opencl_c_atomic_order_acq_rel",
        "__opencl_c_atomic_order_seq_cst",
        "__opencl_c_atomic_scope_all_devices",
        "__opencl_c_atomic_scope_device",
        "__opencl_c_fp64",
        "__opencl_c_generic_address_space",
        "__opencl_c_images",
        "__opencl_c_int64",
        "__opencl_c_pipes",
        "__opencl_c_program_scope_global_variables",
        "__opencl_c_read_write_images",
        "__opencl_c_subgroups",
        "__opencl_c_work_group_collective_functions",
    };
    enum { FEATURES = sizeof(feature) / sizeof(feature[0]) };
    cl_name_version list[FEATURES];

    for (unsigned i = 0; i < FEATURES; i++)
        set_name(&list[i], feature[i], 3, 0);
    return ocl_answer_bytes(a, list, sizeof(list));
}

/* cl_intel_device_attribute_query: the machine of the cycle model. And what
 * clSetKernelExecInfo() takes for an EU's arbiters. */
static cl_int answer_intel(cl_device_id d, cl_device_info name,
                           const struct ocl_answer *a)
{
    static const cl_uint policies[] = {
        CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_OLDEST_FIRST_INTEL,
        CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_ROUND_ROBIN_INTEL,
        CL_KERNEL_EXEC_INFO_THREAD_ARBITRATION_POLICY_AFTER_DEPENDENCY_ROUND_ROBIN_INTEL};
    static const cl_queue_family_properties_intel family = {
        .properties =
            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
        .capabilities = CL_QUEUE_DEFAULT_CAPABILITIES_INTEL,
        .count = 1,
        .name = "rcs"}; /* the one engine: render */
    const struct igpu_config *c = &d->config;

    switch (name) {
    case CL_DEVICE_QUEUE_FAMILY_PROPERTIES_INTEL:
        return ocl_answer_bytes(a, &family, sizeof(family));
    case CL_DEVICE_IP_VERSION_INTEL:
        return ocl_answer_uint(a, 9 << 16); /* Gen9 to Intel's driver */
    case CL_DEVICE_ID_INTEL:
        return ocl_answer_uint(a, d->known->pci_id);
    case CL_DEVICE_NUM_SLICES_INTEL:
        return ocl_answer_uint(a, (cl_uint)c->gpu_slices);
    case CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL:
        return ocl_answer_uint(a, (cl_uint)(c->gpu_subslices / c->gpu_slices));
    case CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL:
        return ocl_answer_uint(a, (cl_uint)c->eu_count);
    case CL_DEVICE_NUM_THREADS_PER_EU_INTEL:
        return ocl_answer_uint(a, (cl_uint)c->eu_threads);
    case CL_DEVICE_FEATURE_CAPABILITIES_INTEL:
        return ocl_answer_ulong(a, 0); /* no DP4A, no DPAS */
    case CL_DEVICE_SUPPORTED_THREAD_ARBITRATION_POLICY_INTEL:
        return ocl_answer_bytes(a, policies, sizeof(policies));
    default:
        return CL_INVALID_VALUE;
    }
}

/* cl_khr_device_uuid and cl_khr_pci_bus_info, as of Intel's driver: the device by
 * vendor and PCI id, the driver by its version, and a place on the bus, where several
 * GPUs of ours have a domain each. */
static cl_int answer_identity(cl_device_id d, cl_device_info name,
                              const struct ocl_answer *a)
{
    const cl_device_pci_bus_info_khr place = {(cl_uint)(d - ocl_device(0)), 0, 2, 0};
    const cl_uint id[CL_UUID_SIZE_KHR / 4] = {0x8086, d->known->pci_id};
    char version[CL_UUID_SIZE_KHR] = "";

    switch (name) {
    case CL_DEVICE_UUID_KHR:
        return ocl_answer_bytes(a, id, sizeof(id));
    case CL_DRIVER_UUID_KHR:
        strncpy(version, "vigpu " IGPU_VERSION, sizeof(version) - 1);
        return ocl_answer_bytes(a, version, sizeof(version));
    case CL_DEVICE_LUID_VALID_KHR:
        return ocl_answer_uint(a, CL_FALSE); /* those are Windows's */
    case CL_DEVICE_LUID_KHR:
        return ocl_answer_bytes(a, (const char[CL_LUID_SIZE_KHR]){0}, CL_LUID_SIZE_KHR);
    case CL_DEVICE_NODE_MASK_KHR:
        return ocl_answer_uint(a, 0);
    case CL_DEVICE_PCI_BUS_INFO_KHR:
        return ocl_answer_bytes(a, &place, sizeof(place));
    default:
        return answer_intel(d, name, a);
    }
}

/* What needs the device, or more than a number. */
static cl_int answer_special(cl_device_id d, cl_device_info name,
                             const struct ocl_answer *a)
{
    static const size_t sizes[3] = {OCL_MAX_GROUP, OCL_MAX_GROUP, OCL_MAX_GROUP};
    static const cl_device_partition_property none = 0;
    cl_name_version il;

    switch (name) {
    case CL_DEVICE_NAME:
        return ocl_answer_text(a, d->name);
    case CL_DEVICE_EXTENSIONS:
        return ocl_answer_text(a, ocl_extensions());
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return ocl_answer_extensions(a);
    case CL_DEVICE_PLATFORM:
        return ocl_answer_pointer(a, ocl_platform());
    case CL_DEVICE_PARENT_DEVICE:
        return ocl_answer_pointer(a, NULL);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return ocl_answer_uint(a,
                               (cl_uint)(d->config.gpu_subslices * d->config.eu_count));
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return ocl_answer_uint(a, (cl_uint)(d->config.gpu_clock_hz / 1000000));
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return ocl_answer_bytes(a, sizes, sizeof(sizes));
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return ocl_answer_ulong(a, global_bytes());
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return ocl_answer_ulong(a, ocl_max_alloc());
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
        return ocl_answer_size(a, (size_t)ocl_max_alloc());
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return ocl_answer_ulong(a, d->config.gpu_slices * 786432);
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE:
        return ocl_answer_bytes(a, &none, sizeof(none));
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
        return answer_versions(a);
    case CL_DEVICE_OPENCL_C_FEATURES:
        return answer_features(a);
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return ocl_answer_bytes(a, NULL, 0);
    case CL_DEVICE_ILS_WITH_VERSION:
        set_name(&il, "SPIR-V", 1, 2);
        return ocl_answer_bytes(a, &il, sizeof(il));
    case CL_DEVICE_IMAGE_SUPPORT:
        return ocl_answer_uint(a, ocl_has_images());
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
        return ocl_answer_bytes(a, (const size_t[3]){8, 16, 32}, 3 * sizeof(size_t));
    default:
        return answer_identity(d, name, a);
    }
}

cl_bool ocl_has_images(void)
{
    return CL_TRUE;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device,
                                                cl_device_info param_name,
                                                size_t param_value_size,
                                                void *param_value,
                                                size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};
    struct number n;

    if (!ocl_is(device, OCL_DEVICE))
        return CL_INVALID_DEVICE;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (numbers[i].name == param_name)
            return answer_number(&a, &numbers[i]);
    for (size_t i = 0; i < sizeof(image_numbers) / sizeof(image_numbers[0]); i++)
        if (image_numbers[i].name == param_name) {
            n = image_numbers[i];
            n.value = ocl_has_images() ? n.value : 0;
            return answer_number(&a, &n);
        }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].name == param_name)
            return ocl_answer_text(&a, texts[i].text);
    return answer_special(device, param_name, &a);
}
