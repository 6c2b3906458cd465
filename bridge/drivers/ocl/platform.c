/* platform.c - the platform, the list of devices, and what has to do with both. */
#include <string.h>

#include "bridge/drivers/ocl/ocl.h"
#include "bridge/drivers/ocl/setting.h"

#define PLATFORM_VERSION "OpenCL 3.0 Vigpu " IGPU_VERSION

/* What works, as macros for CL_PLATFORM_EXTENSIONS_WITH_VERSION as well. */
static const char *const extension[] = {
    "cl_khr_3d_image_writes",
    "cl_khr_byte_addressable_store",
    "cl_khr_create_command_queue",
    "cl_khr_depth_images",
    "cl_khr_device_uuid",
    "cl_khr_extended_versioning",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_icd",
    "cl_khr_il_program",
    "cl_khr_image2d_from_buffer",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_pci_bus_info",
    "cl_khr_priority_hints",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroups",
    "cl_khr_suggested_local_work_size",
    "cl_khr_throttle_hints",
    "cl_intel_command_queue_families",
    "cl_intel_create_buffer_with_properties",
    "cl_intel_device_attribute_query",
    "cl_intel_media_block_io",
    "cl_intel_mem_force_host_memory",
    "cl_intel_required_subgroup_size",
    "cl_intel_spirv_media_block_io",
    "cl_intel_spirv_subgroups",
    "cl_intel_subgroups",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_long",
    "cl_intel_subgroups_short",
    "cl_intel_unified_shared_memory",
};
enum { EXTENSIONS = sizeof(extension) / sizeof(extension[0]), LIST_BYTES = 2048 };

static struct _cl_platform_id platform = {
    {&ocl_dispatch, OCL_PLATFORM, 1, 1, NULL},
};

static struct _cl_device_id device[OCL_DEVICES];

static char extension_list[LIST_BYTES];
static unsigned device_count;

/* IGPU_DEVICE_NAME: programs that have tables by device look for the hardware's name.
 */
static const char *device_name(const struct igpu_device *known)
{
    const char *name = setting_text(SETTING_DEVICE_NAME);

    if (name == NULL)
        return known->ours;
    return strcmp(name, "exact") == 0 ? known->model : name;
}

static void add_device(const struct igpu_device *known)
{
    struct _cl_device_id *d = &device[device_count++];

    d->o = (struct ocl_object){&ocl_dispatch, OCL_DEVICE, 1, 1, NULL};
    d->known = known;
    d->name = device_name(known);
    (void)igpu_config_preset(&d->config, known->preset, NULL);
}

/* Once, when the loader asks for the platform first: before any other thread. */
static void __attribute__((constructor)) set_up(void)
{
    const char *only = setting_text(SETTING_DEVICE);
    const struct igpu_device *known = only != NULL ? igpu_device_find(only) : NULL;

    if (known != NULL) {
        add_device(known);
    } else {
        add_device(igpu_device_find("skl"));
        add_device(igpu_device_find("kbl"));
    }
    if (only != NULL && known == NULL)
        setting_complain(SETTING_DEVICE, "expected skl, kbl, kbl-gt2 or cfl-gt2");
    for (unsigned i = 0; i < EXTENSIONS; i++) {
        if (i > 0)
            strcat(extension_list, " ");
        strcat(extension_list, extension[i]);
    }
}

struct _cl_platform_id *ocl_platform(void)
{
    return &platform;
}

struct _cl_device_id *ocl_device(unsigned index)
{
    return &device[index];
}

const char *ocl_extensions(void)
{
    return extension_list;
}

cl_int ocl_answer_extensions(const struct ocl_answer *a)
{
    cl_name_version list[EXTENSIONS];

    memset(list, 0, sizeof(list));
    for (unsigned i = 0; i < EXTENSIONS; i++) {
        list[i].version = CL_MAKE_VERSION(1, 0, 0);
        strncpy(list[i].name, extension[i], sizeof(list[i].name) - 1);
    }
    return ocl_answer_bytes(a, list, sizeof(list));
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries,
                                                 cl_platform_id *platforms,
                                                 cl_uint *num_platforms)
{
    if ((num_entries == 0 && platforms != NULL) ||
        (platforms == NULL && num_platforms == NULL))
        return CL_INVALID_VALUE;
    if (platforms != NULL)
        platforms[0] = &platform;
    if (num_platforms != NULL)
        *num_platforms = 1;
    return CL_SUCCESS;
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clGetPlatformInfo(cl_platform_id id, cl_platform_info param_name,
                  size_t param_value_size, void *param_value,
                  size_t *param_value_size_ret)
{
    const struct ocl_answer a = {param_value_size, param_value, param_value_size_ret};

    if (!ocl_is(id, OCL_PLATFORM))
        return CL_INVALID_PLATFORM;
    switch (param_name) {
    case CL_PLATFORM_PROFILE:
        return ocl_answer_text(&a, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return ocl_answer_text(&a, PLATFORM_VERSION);
    case CL_PLATFORM_NUMERIC_VERSION:
        return ocl_answer_uint(&a, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME:
        return ocl_answer_text(&a, "Vigpu");
    case CL_PLATFORM_VENDOR:
        return ocl_answer_text(&a, "Vigpu");
    case CL_PLATFORM_EXTENSIONS:
        return ocl_answer_text(&a, extension_list);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return ocl_answer_extensions(&a);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return ocl_answer_ulong(&a, 1);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return ocl_answer_text(&a, "VIGPU");
    default:
        return CL_INVALID_VALUE;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id id, cl_device_type type,
                                               cl_uint num_entries,
                                               cl_device_id *devices,
                                               cl_uint *num_devices)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                 CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                 CL_DEVICE_TYPE_CUSTOM;
    unsigned count = device_count;

    if (!ocl_is(id, OCL_PLATFORM))
        return CL_INVALID_PLATFORM;
    if (type == 0 || (type != CL_DEVICE_TYPE_ALL && (type & ~known) != 0))
        return CL_INVALID_DEVICE_TYPE;
    if ((num_entries == 0 && devices != NULL) ||
        (devices == NULL && num_devices == NULL))
        return CL_INVALID_VALUE;
    if ((type & CL_DEVICE_TYPE_GPU) == 0) {
        if ((type & CL_DEVICE_TYPE_DEFAULT) == 0)
            return CL_DEVICE_NOT_FOUND;
        count = 1;
    }
    for (unsigned i = 0; devices != NULL && i < count && i < num_entries; i++)
        devices[i] = ocl_device(i);
    if (num_devices != NULL)
        *num_devices = count;
    return CL_SUCCESS;
}

/* Root devices are not counted. */
CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id id)
{
    return ocl_is(id, OCL_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id id)
{
    return ocl_is(id, OCL_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

/* Gen9 is one tile, which no property parts: CL_DEVICE_PARTITION_PROPERTIES is empty.
 * Intel's driver says FAILED then, of whatever property. */
CL_API_ENTRY cl_int CL_API_CALL
clCreateSubDevices(cl_device_id id, const cl_device_partition_property *properties,
                   cl_uint num_devices, cl_device_id *out_devices, cl_uint *count)
{
    if (!ocl_is(id, OCL_DEVICE))
        return CL_INVALID_DEVICE;
    if (properties == NULL || (properties[0] != CL_DEVICE_PARTITION_EQUALLY &&
                               properties[0] != CL_DEVICE_PARTITION_BY_COUNTS &&
                               properties[0] != CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
        return CL_INVALID_VALUE;
    if ((out_devices == NULL && count == NULL) ||
        (out_devices != NULL && num_devices == 0))
        return CL_INVALID_VALUE;
    return CL_DEVICE_PARTITION_FAILED;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id id,
                                                        cl_ulong *device_timestamp,
                                                        cl_ulong *host_timestamp)
{
    if (!ocl_is(id, OCL_DEVICE))
        return CL_INVALID_DEVICE;
    if (device_timestamp == NULL || host_timestamp == NULL)
        return CL_INVALID_VALUE;
    *device_timestamp = *host_timestamp = ocl_host_now();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id id,
                                               cl_ulong *host_timestamp)
{
    if (!ocl_is(id, OCL_DEVICE))
        return CL_INVALID_DEVICE;
    if (host_timestamp == NULL)
        return CL_INVALID_VALUE;
    *host_timestamp = ocl_host_now();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler(void)
{
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id id)
{
    return ocl_is(id, OCL_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
