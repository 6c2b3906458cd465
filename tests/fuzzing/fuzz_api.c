/* fuzz_api.c - the OpenCL driver: each byte of the input chooses a call, the next ones
 * its arguments, among them objects of the wrong kind, released ones and NULL. The
 * kernel is a seed of fuzz_zebin, so that no compiler runs. A call may fail; the
 * process may not. Nothing waits for ever: before a call that waits, all user events
 * are set. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzzing/fuzz.h"

#define KERNEL_FILE "tests/fuzzing/corpus/zebin/small.bin"
enum {
    OBJECTS = 12,
    HOST = 1 << 20,
    MAX_CALLS = 64,
    MAX_BINARY = 1 << 16,
    INFO = 4096
};

/* Every object of one input, whatever it is: a wrong one is as good as a right one. */
static void *object[OBJECTS];
static uint8_t kind[OBJECTS];
enum { NONE, CONTEXT, QUEUE, MEM, SAMPLER, PROGRAM, KERNEL, EVENT, USER_EVENT };

static cl_platform_id platform;
static cl_device_id device[2];
static uint8_t host[HOST], info[INFO];
static uint8_t binary[MAX_BINARY];
static size_t binary_bytes;

static const uint8_t *at, *end;

static uint8_t byte(void)
{
    return at < end ? *at++ : 0;
}

/* Mostly small, sometimes at a limit. */
static size_t number(void)
{
    static const size_t odd[] = {0,        1, 4096, 65536, SIZE_MAX, SIZE_MAX - 3,
                                 1u << 24, 3};
    uint8_t b = byte();

    return b < 240 ? b : odd[b & 7];
}

/* A count of bytes that the host's memory has. */
static size_t host_bytes(void)
{
    return number() % 65536;
}

/* Usually an object of kind `k`, where there is one. */
static void *any(uint8_t k)
{
    uint8_t b = byte();

    if (b >= 250)
        return b & 1 ? NULL : object[b % OBJECTS];
    for (unsigned i = 0; i < OBJECTS; i++) {
        unsigned n = (b + i) % OBJECTS;

        if (kind[n] == k || (k == EVENT && kind[n] == USER_EVENT))
            return object[n];
    }
    return NULL;
}

static void release(unsigned n)
{
    switch (object[n] != NULL ? kind[n] : NONE) {
    case CONTEXT:
        (void)clReleaseContext(object[n]);
        break;
    case QUEUE:
        (void)clReleaseCommandQueue(object[n]);
        break;
    case MEM:
        (void)clReleaseMemObject(object[n]);
        break;
    case SAMPLER:
        (void)clReleaseSampler(object[n]);
        break;
    case PROGRAM:
        (void)clReleaseProgram(object[n]);
        break;
    case KERNEL:
        (void)clReleaseKernel(object[n]);
        break;
    case EVENT:
    case USER_EVENT:
        (void)clReleaseEvent(object[n]);
        break;
    default:
        break;
    }
    kind[n] = NONE; /* the handle stays: a released object is one to use, too */
}

static void keep(uint8_t k, void *o)
{
    unsigned n = byte() % OBJECTS;

    if (o == NULL)
        return;
    for (unsigned i = 0; i < OBJECTS && kind[n] != NONE; i++)
        n = (n + 1) % OBJECTS;
    if (kind[n] == USER_EVENT)
        (void)clSetUserEventStatus(object[n], CL_COMPLETE);
    release(n);
    object[n] = o;
    kind[n] = k;
}

/* From here on no command waits for the program. */
static void settle(void)
{
    for (unsigned n = 0; n < OBJECTS; n++)
        if (kind[n] == USER_EVENT)
            (void)clSetUserEventStatus(object[n], CL_COMPLETE);
}

static cl_bool blocking(void)
{
    cl_bool wait = byte() & 1;

    if (wait)
        settle();
    return wait;
}

/* ---- objects ------------------------------------------------------------- */

static void make_object(uint8_t which)
{
    static const cl_image_format formats[] = {{CL_RGBA, CL_UNORM_INT8},
                                              {CL_R, CL_FLOAT},
                                              {CL_RGBA, CL_HALF_FLOAT},
                                              {CL_DEPTH, CL_FLOAT}};
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY};
    cl_image_desc desc = {.image_type = types[byte() & 3]};
    cl_buffer_region region;
    cl_mem_flags flags = (cl_mem_flags)1 << byte() % 12;
    bool use = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    cl_int error;

    switch (which) {
    case 0:
        keep(CONTEXT,
             clCreateContext(NULL, 1 + byte() % 2, device, NULL, NULL, &error));
        break;
    case 1:
        keep(QUEUE, clCreateCommandQueue(any(CONTEXT), device[byte() & 1], byte() & 3,
                                         &error));
        break;
    case 2:
        keep(MEM, clCreateBuffer(any(CONTEXT), flags, use ? host_bytes() : number(),
                                 use ? host : NULL, &error));
        break;
    case 3:
        region = (cl_buffer_region){number(), number()};
        keep(MEM, clCreateSubBuffer(any(MEM), flags, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &error));
        break;
    case 4:
        desc.image_width = byte() % 33;
        desc.image_height = byte() % 33;
        desc.image_depth = byte() % 33;
        desc.image_array_size = byte() % 9;
        desc.buffer = byte() > 200 ? any(MEM) : NULL;
        keep(MEM, clCreateImage(any(CONTEXT), flags, &formats[byte() & 3], &desc,
                                use ? host : NULL, &error));
        break;
    case 5:
        keep(SAMPLER, clCreateSampler(any(CONTEXT), byte() & 1, 0x1130u + byte() % 6,
                                      0x1140u + (byte() & 1), &error));
        break;
    case 6:
        keep(USER_EVENT, clCreateUserEvent(any(CONTEXT), &error));
        break;
    default:
        keep(MEM, clCreatePipe(any(CONTEXT), flags, (cl_uint)number(),
                               (cl_uint)number(), NULL, &error));
        break;
    }
}

static void make_program(uint8_t which)
{
    const unsigned char *image = binary;
    const char *source = "kernel void k() {}";
    cl_int error, each;

    switch (which) {
    case 0:
        keep(PROGRAM, clCreateProgramWithBinary(any(CONTEXT), 1, device, &binary_bytes,
                                                &image, &each, &error));
        break;
    case 1:
        keep(PROGRAM,
             clCreateProgramWithSource(any(CONTEXT), 1, &source, NULL, &error));
        break;
    case 2: {
        cl_program p = any(PROGRAM);
        size_t size = 0;

        /* Only what needs no compiler. */
        if (clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof(info), info, &size) ==
                CL_SUCCESS &&
            size <= 1)
            (void)clBuildProgram(p, byte() & 1, device, NULL, NULL, NULL);
        break;
    }
    default:
        keep(KERNEL,
             clCreateKernel(any(PROGRAM), byte() < 250 ? "small" : "none", &error));
        break;
    }
}

static void set_arg(void)
{
    void *o = any((byte() & 1) ? MEM : SAMPLER);
    size_t size = byte() & 1 ? sizeof(o) : host_bytes() % 256;
    cl_kernel kernel = any(KERNEL);
    cl_uint index = byte() % 5;

    memcpy(info, &o, sizeof(o));
    (void)clSetKernelArg(kernel, index, size, byte() > 250 ? NULL : (void *)info);
}

/* ---- commands ------------------------------------------------------------ */

struct list {
    cl_event event[2];
    cl_uint count;
};

static struct list wait_list(void)
{
    struct list l = {{NULL, NULL}, byte() % 3};

    for (cl_uint i = 0; i < l.count; i++)
        l.event[i] = any(EVENT);
    return l;
}

static void size3(size_t *v)
{
    for (unsigned i = 0; i < 3; i++)
        v[i] = byte() % 33;
}

static void image_command(uint8_t which, cl_command_queue q, const struct list *l,
                          cl_event *event)
{
    size_t origin[3], region[3], other[3], row, slice;
    const cl_event *events = l->count ? l->event : NULL;
    cl_mem mem = any(MEM), second = any(MEM);
    cl_int error;

    size3(origin);
    size3(region);
    size3(other);
    row = byte() & 1 ? 0 : 2u * byte();
    slice = byte() & 1 ? 0 : 64u * byte();
    switch (which) {
    case 0:
        (void)clEnqueueReadImage(q, mem, blocking(), origin, region, row, slice, host,
                                 l->count, events, event);
        break;
    case 1:
        (void)clEnqueueWriteImage(q, mem, blocking(), origin, region, row, slice, host,
                                  l->count, events, event);
        break;
    case 2:
        (void)clEnqueueCopyImage(q, mem, second, origin, other, region, l->count,
                                 events, event);
        break;
    case 3:
        (void)clEnqueueFillImage(q, mem, host, origin, region, l->count, events, event);
        break;
    case 4:
        (void)clEnqueueCopyImageToBuffer(q, mem, second, origin, region, number(),
                                         l->count, events, event);
        break;
    case 5:
        (void)clEnqueueCopyBufferToImage(q, mem, second, number(), origin, region,
                                         l->count, events, event);
        break;
    case 6: {
        void *p =
            clEnqueueMapImage(q, mem, blocking(), 1u << byte() % 3, origin, region,
                              &row, &slice, l->count, events, event, &error);

        if (p != NULL)
            (void)clEnqueueUnmapMemObject(q, mem, byte() > 240 ? host : p, 0, NULL,
                                          NULL);
        break;
    }
    case 7:
        (void)clEnqueueReadBufferRect(q, mem, blocking(), origin, other, region, row,
                                      slice, row, slice, host, l->count, events, event);
        break;
    default:
        (void)clEnqueueCopyBufferRect(q, mem, second, origin, other, region, row, slice,
                                      row, slice, l->count, events, event);
        break;
    }
}

static void buffer_command(uint8_t which, cl_command_queue q, const struct list *l,
                           cl_event *event)
{
    const cl_event *events = l->count ? l->event : NULL;
    cl_mem mem = any(MEM), second = any(MEM);
    size_t offset = number();
    cl_int error;

    switch (which) {
    case 0:
        (void)clEnqueueReadBuffer(q, mem, blocking(), offset, host_bytes(), host,
                                  l->count, events, event);
        break;
    case 1:
        (void)clEnqueueWriteBuffer(q, mem, blocking(), offset, host_bytes(), host,
                                   l->count, events, event);
        break;
    case 2:
        (void)clEnqueueCopyBuffer(q, mem, second, offset, number(), number(), l->count,
                                  events, event);
        break;
    case 3:
        (void)clEnqueueFillBuffer(q, mem, host, number() % 200, offset, number(),
                                  l->count, events, event);
        break;
    case 4:
        (void)clEnqueueMigrateMemObjects(q, 1, &mem, byte() & 3, l->count, events,
                                         event);
        break;
    default: {
        void *p = clEnqueueMapBuffer(q, mem, blocking(), 1u << byte() % 3, offset,
                                     number(), l->count, events, event, &error);

        if (p != NULL)
            (void)clEnqueueUnmapMemObject(q, mem, p, 0, NULL, NULL);
        break;
    }
    }
}

static void launch(cl_command_queue q, const struct list *l, cl_event *event)
{
    const cl_event *events = l->count ? l->event : NULL;
    size_t global[3] = {number() % 257, 1, 1}, local[3] = {byte() % 65, 1, 1},
           offset[3] = {number(), 0, 0};

    (void)clEnqueueNDRangeKernel(q, any(KERNEL), 1 + byte() % 3,
                                 byte() & 1 ? offset : NULL, global,
                                 byte() & 1 ? local : NULL, l->count, events, event);
}

static void command(uint8_t which)
{
    cl_command_queue q = any(QUEUE);
    struct list l = wait_list();
    const cl_event *events = l.count ? l.event : NULL;
    cl_event made = NULL, *event = byte() & 1 ? &made : NULL;

    if (which < 9)
        image_command(which, q, &l, event);
    else if (which < 15)
        buffer_command(which - 9, q, &l, event);
    else if (which < 18)
        launch(q, &l, event);
    else if (which == 18)
        (void)clEnqueueMarkerWithWaitList(q, l.count, events, event);
    else
        (void)clEnqueueBarrierWithWaitList(q, l.count, events, event);
    keep(EVENT, made);
}

/* ---- questions ----------------------------------------------------------- */

static void ask(uint8_t which)
{
    size_t room = byte() & 1 ? sizeof(info) : byte(), needed = 0;
    cl_uint name = byte() % 32u;
    void *value = byte() & 1 ? info : NULL;

    switch (which) {
    case 0:
        (void)clGetMemObjectInfo(any(MEM), 0x1100u + name, room, value, &needed);
        break;
    case 1:
        (void)clGetImageInfo(any(MEM), 0x1110u + name, room, value, &needed);
        break;
    case 2:
        (void)clGetKernelInfo(any(KERNEL), 0x1190u + name, room, value, &needed);
        break;
    case 3:
        (void)clGetKernelArgInfo(any(KERNEL), byte() % 6u, 0x1196u + name % 5, room,
                                 value, &needed);
        break;
    case 4:
        (void)clGetKernelWorkGroupInfo(any(KERNEL), device[byte() & 1], 0x11b0u + name,
                                       room, value, &needed);
        break;
    case 5: /* CL_PROGRAM_BINARIES writes where the value's pointers say */
        name = name % 16 == 6 ? 0 : name;
        (void)clGetProgramInfo(any(PROGRAM), 0x1160u + name, room, value, &needed);
        break;
    case 6:
        (void)clGetEventInfo(any(EVENT), 0x11d0u + name, room, value, &needed);
        break;
    case 7:
        (void)clGetEventProfilingInfo(any(EVENT), 0x1280u + name, room, value, &needed);
        break;
    case 8:
        (void)clGetContextInfo(any(CONTEXT), 0x1080u + name, room, value, &needed);
        break;
    case 9:
        (void)clGetCommandQueueInfo(any(QUEUE), 0x1090u + name, room, value, &needed);
        break;
    case 10:
        (void)clGetDeviceInfo(device[byte() & 1], 0x1000u + byte(), room, value,
                              &needed);
        break;
    default:
        (void)clGetProgramBuildInfo(any(PROGRAM), device[byte() & 1], 0x1181u + name,
                                    room, value, &needed);
        break;
    }
}

static void one_call(void)
{
    uint8_t which = byte() % 80;
    unsigned n;

    if (which < 8) {
        make_object(which);
    } else if (which < 14) {
        make_program((which - 8) & 3);
    } else if (which < 20) {
        set_arg();
    } else if (which < 60) {
        command((uint8_t)((which - 20) % 20));
    } else if (which < 72) {
        ask(which - 60);
    } else if (which < 75) {
        n = byte() % OBJECTS;
        if (kind[n] == USER_EVENT)
            (void)clSetUserEventStatus(object[n], byte() & 1 ? CL_COMPLETE : -byte());
        release(n);
    } else if (which == 75) {
        (void)clSetUserEventStatus(any(EVENT), byte() & 1 ? CL_COMPLETE : -1);
    } else if (which == 76) {
        struct list l = wait_list();

        settle();
        (void)clWaitForEvents(l.count, l.event);
    } else if (which == 77) {
        (void)clFlush(any(QUEUE));
    } else {
        settle();
        (void)clFinish(any(QUEUE));
    }
}

static void begin(void)
{
    FILE *file = fopen(KERNEL_FILE, "rb");

    /* Nothing of the user's: no list of drivers, no cache. */
    fuzz_check(file != NULL, "cannot read " KERNEL_FILE "; run it in the top folder");
    binary_bytes = fread(binary, 1, sizeof(binary), file);
    (void)fclose(file);
    fuzz_check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
                   clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 2, device, NULL) ==
                       CL_SUCCESS,
               "no platform");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (platform == NULL)
        begin();
    at = data;
    end = data + size;
    memset(object, 0, sizeof(object));
    memset(kind, 0, sizeof(kind));
    for (unsigned i = 0; i < MAX_CALLS && at < end; i++)
        one_call();
    settle();
    for (unsigned n = 0; n < OBJECTS; n++)
        if (kind[n] == QUEUE)
            (void)clFinish(object[n]);
    for (unsigned n = 0; n < OBJECTS; n++)
        release(n);
    return 0;
}
