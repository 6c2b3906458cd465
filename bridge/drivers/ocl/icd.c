/* icd.c - what the ICD loader sees: the dispatch table, extension functions, and those
 * functions of the table that belong to extensions we do not have. */
#include <string.h>

#include "bridge/drivers/ocl/api.h"
#include "bridge/drivers/ocl/counters.h"
#include "bridge/drivers/ocl/ocl.h"

/* ---- extensions that are not offered: sharing with OpenGL and EGL ---------------- */

static cl_mem no_memory_object(cl_context context, cl_int *errcode_ret)
{
    return ocl_result(
        errcode_ret,
        ocl_is(context, OCL_CONTEXT) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT, NULL);
}

static cl_int no_command(cl_command_queue queue)
{
    return ocl_is(queue, OCL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

static cl_mem ocl_gl_buffer(cl_context context, cl_mem_flags flags, cl_GLuint object,
                            int *errcode_ret)
{
    (void)flags;
    (void)object;
    return no_memory_object(context, errcode_ret);
}

static cl_mem ocl_gl_texture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                             cl_GLint level, cl_GLuint texture, cl_int *errcode_ret)
{
    (void)flags;
    (void)target;
    (void)level;
    (void)texture;
    return no_memory_object(context, errcode_ret);
}

static cl_mem ocl_gl_renderbuffer(cl_context context, cl_mem_flags flags,
                                  cl_GLuint object, cl_int *errcode_ret)
{
    (void)flags;
    (void)object;
    return no_memory_object(context, errcode_ret);
}

/* No memory object is of OpenGL. */
static cl_int ocl_gl_object_info(cl_mem mem, cl_gl_object_type *type, cl_GLuint *name)
{
    (void)type;
    (void)name;
    return ocl_is(mem, OCL_MEM) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

static cl_int ocl_gl_texture_info(cl_mem mem, cl_gl_texture_info name, size_t size,
                                  void *value, size_t *needed)
{
    (void)name;
    (void)size;
    (void)value;
    (void)needed;
    return ocl_is(mem, OCL_MEM) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

static cl_int ocl_shared_objects(cl_command_queue queue, cl_uint count,
                                 const cl_mem *objects, cl_uint num_events,
                                 const cl_event *list, cl_event *event)
{
    (void)count;
    (void)objects;
    (void)num_events;
    (void)list;
    (void)event;
    return no_command(queue);
}

static cl_int ocl_gl_context_info(const cl_context_properties *properties,
                                  cl_gl_context_info name, size_t size, void *value,
                                  size_t *needed)
{
    (void)properties;
    (void)name;
    (void)size;
    (void)value;
    (void)needed;
    return CL_INVALID_OPERATION;
}

static cl_event ocl_gl_event(cl_context context, cl_GLsync sync, cl_int *errcode_ret)
{
    (void)sync;
    (void)no_memory_object(context, errcode_ret);
    return NULL;
}

static cl_mem ocl_egl_image(cl_context context, CLeglDisplayKHR display,
                            CLeglImageKHR image, cl_mem_flags flags,
                            const cl_egl_image_properties_khr *properties,
                            cl_int *errcode_ret)
{
    (void)display;
    (void)image;
    (void)flags;
    (void)properties;
    return no_memory_object(context, errcode_ret);
}

static cl_event ocl_egl_event(cl_context context, CLeglSyncKHR sync,
                              CLeglDisplayKHR display, cl_int *errcode_ret)
{
    (void)sync;
    (void)display;
    (void)no_memory_object(context, errcode_ret);
    return NULL;
}

static cl_int ocl_sub_devices(cl_device_id device,
                              const cl_device_partition_property_ext *properties,
                              cl_uint count, cl_device_id *devices, cl_uint *made)
{
    (void)properties;
    return clCreateSubDevices(device, NULL, count, devices, made);
}

/* ---- the table ----------------------------------------------------------------- */

#define ENTRY(name) .name = name,
static const struct _cl_icd_dispatch table = {
    OCL_API(ENTRY).clCreateFromGLBuffer = ocl_gl_buffer,
    .clCreateFromGLTexture = ocl_gl_texture,
    .clCreateFromGLTexture2D = ocl_gl_texture,
    .clCreateFromGLTexture3D = ocl_gl_texture,
    .clCreateFromGLRenderbuffer = ocl_gl_renderbuffer,
    .clGetGLObjectInfo = ocl_gl_object_info,
    .clGetGLTextureInfo = ocl_gl_texture_info,
    .clEnqueueAcquireGLObjects = ocl_shared_objects,
    .clEnqueueReleaseGLObjects = ocl_shared_objects,
    .clGetGLContextInfoKHR = ocl_gl_context_info,
    .clCreateEventFromGLsyncKHR = ocl_gl_event,
    .clCreateFromEGLImageKHR = ocl_egl_image,
    .clEnqueueAcquireEGLObjectsKHR = ocl_shared_objects,
    .clEnqueueReleaseEGLObjectsKHR = ocl_shared_objects,
    .clCreateEventFromEGLSyncKHR = ocl_egl_event,
    .clCreateSubDevicesEXT = ocl_sub_devices,
    .clRetainDeviceEXT = clRetainDevice,
    .clReleaseDeviceEXT = clReleaseDevice,
};
#undef ENTRY

/* The objects point to it: they are made of lower layers. */
static void __attribute__((constructor)) fill_table(void)
{
    ocl_dispatch = table;
}

/* Functions of extensions, and all others by name too: some programs ask so. */
static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
#define ENTRY(name) {#name, (void (*)(void))(name)},
    OCL_API(ENTRY) OCL_USM_API(ENTRY)
#undef ENTRY
        {"clIcdGetPlatformIDsKHR", (void (*)(void))clIcdGetPlatformIDsKHR},
    {"clGetKernelSuggestedLocalWorkSizeKHR",
     (void (*)(void))clGetKernelSuggestedLocalWorkSizeKHR},
    {"clCreateCommandQueueWithPropertiesKHR",
     (void (*)(void))clCreateCommandQueueWithProperties},
    {"clCreateProgramWithILKHR", (void (*)(void))clCreateProgramWithIL},
    {"clCreatePerfCountersCommandQueueINTEL",
     (void (*)(void))clCreatePerfCountersCommandQueueINTEL},
    {"clSetPerformanceConfigurationINTEL",
     (void (*)(void))clSetPerformanceConfigurationINTEL},
    {"clCreateBufferWithPropertiesINTEL", (void (*)(void))clCreateBufferWithProperties},
};

__attribute__((visibility("default"))) CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *name)
{
    void *address = NULL;

    for (size_t i = 0; name != NULL && i < sizeof(functions) / sizeof(functions[0]);
         i++)
        if (strcmp(name, functions[i].name) == 0)
            memcpy(&address, &functions[i].function, sizeof(address));
    return address;
}

CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    return ocl_is(platform, OCL_PLATFORM) ? clGetExtensionFunctionAddress(name) : NULL;
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                       cl_uint *num_platforms)
{
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}
