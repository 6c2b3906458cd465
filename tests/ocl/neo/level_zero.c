/* level_zero.c - a small program of Level Zero: `level_zero KERNELS.spv` runs its
 * kernels `add` (c[i] = a[i] + b[i]) and `spin` (n rounds on one item), and checks
 * copies, fills, events, barriers, several descriptors in a list, and timestamps.
 * Prints a line for what it looked at; exit status 1: something was wrong. */
#include <level_zero/ze_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/spirv_module.h"

enum { N = 1000, GROUP = 32 };

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;
static ze_command_queue_handle_t queue;
static ze_event_pool_handle_t pool;
static int failures;

static void must(ze_result_t result, const char *what)
{
    if (result == ZE_RESULT_SUCCESS)
        return;
    printf("%s: 0x%x\n", what, (unsigned)result);
    exit(1);
}
#define MUST(call) must((call), #call)

static void check(int good, const char *what)
{
    printf("%s %s\n", good ? "ok" : "not ok", what);
    failures += !good;
}

static void *shared(size_t bytes)
{
    ze_device_mem_alloc_desc_t d = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t h = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *p = NULL;

    MUST(zeMemAllocShared(context, &d, &h, bytes, 64, device, &p));
    return p;
}

static ze_event_handle_t event(uint32_t index)
{
    ze_event_desc_t d = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                         .index = index,
                         .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                         .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t e;

    MUST(zeEventCreate(pool, &d, &e));
    return e;
}

static ze_command_list_handle_t list(void)
{
    ze_command_list_desc_t d = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t l;

    MUST(zeCommandListCreate(context, device, &d, &l));
    return l;
}

static void run(ze_command_list_handle_t l)
{
    MUST(zeCommandListClose(l));
    MUST(zeCommandQueueExecuteCommandLists(queue, 1, &l, NULL));
    MUST(zeCommandQueueSynchronize(queue, UINT64_MAX));
    MUST(zeCommandListDestroy(l));
}

static ze_module_handle_t load_module(const void *text, size_t bytes)
{
    ze_module_desc_t d = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                          .format = ZE_MODULE_FORMAT_IL_SPIRV,
                          .inputSize = bytes,
                          .pInputModule = text};
    ze_module_handle_t module;

    MUST(zeModuleCreate(context, device, &d, &module, NULL));
    return module;
}

static ze_module_handle_t load(const char *path)
{
    FILE *file = fopen(path, "rb");
    static uint8_t text[1 << 20];
    size_t bytes;

    if (file == NULL) {
        printf("%s: cannot be read\n", path);
        exit(1);
    }
    bytes = fread(text, 1, sizeof(text), file);
    (void)fclose(file);
    return load_module(text, bytes);
}

static ze_kernel_handle_t kernel(ze_module_handle_t module, const char *name)
{
    ze_kernel_desc_t d = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t k;

    MUST(zeKernelCreate(module, &d, &k));
    return k;
}

static void open_device(void)
{
    ze_device_properties_t p = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    ze_context_desc_t c = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_command_queue_desc_t q = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_event_pool_desc_t e = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                              .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                                       ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                              .count = 8};
    uint32_t one = 1;

    MUST(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    MUST(zeDriverGet(&one, &driver));
    MUST(zeDeviceGet(driver, &one, &device));
    MUST(zeDeviceGetProperties(device, &p));
    printf("# %s, %u MHz\n", p.name, p.coreClockRate);
    check(p.coreClockRate == 1150 && p.deviceId == 0x1912, "the device's properties");
    MUST(zeContextCreate(driver, &c, &context));
    MUST(zeCommandQueueCreate(context, device, &q, &queue));
    MUST(zeEventPoolCreate(context, &e, 1, &device, &pool));
}

/* Copies, fills, a launch with a part of a group, each behind the one before by an
 * event or a barrier; all in one list. */
static void add(ze_module_handle_t module)
{
    ze_command_list_handle_t l = list();
    ze_kernel_handle_t k = kernel(module, "add");
    ze_group_count_t groups = {N / GROUP, 1, 1};
    ze_event_handle_t copied = event(0);
    int *a = shared(N * sizeof(int)), *b = shared(N * sizeof(int));
    int *c = shared(N * sizeof(int)), *from = shared(N * sizeof(int)), seven = 7;
    int bad = 0;

    for (int i = 0; i < N; i++)
        from[i] = 3 * i;
    MUST(zeCommandListAppendMemoryCopy(l, a, from, N * sizeof(int), copied, 0, NULL));
    MUST(zeCommandListAppendMemoryFill(l, b, &seven, sizeof(seven), N * sizeof(int),
                                       NULL, 1, &copied));
    MUST(zeCommandListAppendMemoryFill(l, c, &seven, sizeof(seven), N * sizeof(int),
                                       NULL, 0, NULL));
    MUST(zeCommandListAppendBarrier(l, NULL, 0, NULL));
    MUST(zeKernelSetGroupSize(k, GROUP, 1, 1));
    MUST(zeKernelSetArgumentValue(k, 0, sizeof(a), &a));
    MUST(zeKernelSetArgumentValue(k, 1, sizeof(b), &b));
    MUST(zeKernelSetArgumentValue(k, 2, sizeof(c), &c));
    MUST(zeCommandListAppendLaunchKernel(l, k, &groups, NULL, 0, NULL));
    run(l);
    for (int i = 0; i < N; i++)
        bad += c[i] != (i < N / GROUP * GROUP ? 3 * i + 7 : 7);
    check(bad == 0, "copies, fills and a launch");
    check(zeEventQueryStatus(copied) == ZE_RESULT_SUCCESS, "an event is signalled");
}

static uint64_t spin(ze_module_handle_t module, int rounds, uint32_t index,
                     uint64_t last[2])
{
    ze_command_list_handle_t l = list();
    ze_kernel_handle_t k = kernel(module, "spin");
    ze_event_handle_t done = event(index);
    ze_group_count_t groups = {1, 1, 1};
    ze_kernel_timestamp_result_t t;
    int *a = shared(64);

    MUST(zeKernelSetGroupSize(k, 1, 1, 1));
    MUST(zeKernelSetArgumentValue(k, 0, sizeof(a), &a));
    MUST(zeKernelSetArgumentValue(k, 1, sizeof(rounds), &rounds));
    MUST(zeCommandListAppendLaunchKernel(l, k, &groups, done, 0, NULL));
    run(l);
    MUST(zeEventHostSynchronize(done, UINT64_MAX));
    MUST(zeEventQueryKernelTimestamp(done, &t));
    last[0] = t.global.kernelStart;
    last[1] = t.global.kernelEnd;
    return t.global.kernelEnd - t.global.kernelStart;
}

static void times(ze_module_handle_t module, int simulated)
{
    uint64_t first[2], second[2], few = spin(module, 10, 1, first);
    uint64_t many = spin(module, 2000, 2, second);

    printf("# 10 rounds: %llu ticks, 2000: %llu\n", (unsigned long long)few,
           (unsigned long long)many);
    check(first[0] <= first[1] && first[1] <= second[0] && second[0] <= second[1],
          "timestamps never go back");
    if (simulated)
        check(many > 50 * few && few < 100, "they tell simulated time");
}

/* A kernel as DPC++ writes it, by which the compiler would end in a crash. */
static void dpcpp(void)
{
    enum { ITEMS = 64 };
    ze_kernel_handle_t k =
        kernel(load_module(spirv_module, sizeof(spirv_module)), "ids");
    uint64_t *out = shared(ITEMS * sizeof(*out));
    const ze_group_count_t groups = {1, ITEMS / 16, 1};
    ze_command_list_handle_t l = list();
    int good = 1;

    MUST(zeKernelSetGroupSize(k, 16, 1, 1));
    MUST(zeKernelSetArgumentValue(k, 0, sizeof(out), &out));
    MUST(zeCommandListAppendLaunchKernel(l, k, &groups, NULL, 0, NULL));
    run(l);
    for (uint64_t i = 0; i < ITEMS; i++)
        good &= out[i] == i;
    check(good, "a kernel of DPC++");
}

int main(int argc, char **argv)
{
    ze_module_handle_t module;

    open_device();
    module = load(argc > 1 ? argv[1] : "");
    add(module);
    dpcpp();
    times(module, argc > 2 && strcmp(argv[2], "time") == 0);
    return failures != 0;
}
