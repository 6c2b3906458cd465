/* fences.c - a Vulkan program for tests/bridge/test_vulkan.sh: fences and semaphores
 * have a state. What nobody signals is not signalled, and waits for it end in time;
 * work that is submitted before its semaphore is signalled comes behind it, whoever
 * signals.
 *   fences SHADERS */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "right.h"
#include "vk.h"

enum { WORDS = 64 };
#define SHORT UINT64_C(20000000) /* ns */
#define LONG UINT64_C(60000000000)

static struct buffer words;
static struct table table;
static VkPipeline triples;

static uint32_t first_word(void)
{
    return *(volatile uint32_t *)words.host;
}

/* x = 3 x + 1 of each word. */
static VkCommandBuffer triple(void)
{
    VkCommandBuffer c = begin_commands();

    dispatch(c, &table, triples, 1);
    barrier(c);
    must(vkEndCommandBuffer(c), "commands");
    return c;
}

/* ---- fences ------------------------------------------------------------- */

static VkFence new_fence(VkFenceCreateFlags flags)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                    .flags = flags};
    VkFence f;

    must(vkCreateFence(device, &info, NULL, &f), "fence");
    return f;
}

static void submit(VkFence fence)
{
    VkCommandBuffer c = triple();
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &c};

    must(vkQueueSubmit(queue, 1, &info, fence), "submit");
}

static void fences(void)
{
    VkFence both[2] = {new_fence(0), new_fence(VK_FENCE_CREATE_SIGNALED_BIT)};

    check(vkGetFenceStatus(device, both[0]) == VK_NOT_READY, "a new fence");
    check(vkGetFenceStatus(device, both[1]) == VK_SUCCESS, "one made signalled");
    check(vkWaitForFences(device, 1, both, 1, SHORT) == VK_TIMEOUT,
          "a wait for nothing");
    check(vkWaitForFences(device, 2, both, 0, SHORT) == VK_SUCCESS, "either");
    check(vkWaitForFences(device, 2, both, 1, SHORT) == VK_TIMEOUT, "both");
    submit(both[0]);
    check(vkWaitForFences(device, 2, both, 1, LONG) == VK_SUCCESS, "both, of work");
    must(vkResetFences(device, 2, both), "reset");
    check(vkGetFenceStatus(device, both[0]) == VK_NOT_READY &&
              vkGetFenceStatus(device, both[1]) == VK_NOT_READY,
          "reset fences");
}

/* ---- timelines ---------------------------------------------------------- */

static VkSemaphore new_semaphore(VkSemaphoreType type, uint64_t value)
{
    const VkSemaphoreTypeCreateInfo kind = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = type,
        .initialValue = value};
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &kind};
    VkSemaphore s;

    must(vkCreateSemaphore(device, &info, NULL, &s), "semaphore");
    return s;
}

static void submit_between(VkSemaphore wait, uint64_t from, VkSemaphore signal,
                           uint64_t to)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait != VK_NULL_HANDLE,
        .pWaitSemaphoreValues = &from,
        .signalSemaphoreValueCount = signal != VK_NULL_HANDLE,
        .pSignalSemaphoreValues = &to};
    VkCommandBuffer c = triple();
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = wait != VK_NULL_HANDLE,
                               .pWaitSemaphores = &wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &c,
                               .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                               .pSignalSemaphores = &signal};

    must(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "submit");
}

static VkResult wait_for(uint32_t count, const VkSemaphore *s, const uint64_t *value,
                         int any, uint64_t ns)
{
    const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .flags = any ? VK_SEMAPHORE_WAIT_ANY_BIT : 0,
                                      .semaphoreCount = count,
                                      .pSemaphores = s,
                                      .pValues = value};

    return vkWaitSemaphores(device, &info, ns);
}

static void signal_to(VkSemaphore s, uint64_t value)
{
    const VkSemaphoreSignalInfo info = {.sType =
                                            VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                        .semaphore = s,
                                        .value = value};

    must(vkSignalSemaphore(device, &info), "signal");
}

static int value_is(VkSemaphore s, uint64_t value)
{
    uint64_t now = 0;

    must(vkGetSemaphoreCounterValue(device, s, &now), "value");
    return now == value;
}

static void values(void)
{
    VkSemaphore s[2] = {new_semaphore(VK_SEMAPHORE_TYPE_TIMELINE, 5),
                        new_semaphore(VK_SEMAPHORE_TYPE_TIMELINE, 0)};
    const uint64_t next[2] = {6, 1}, now[2] = {5, 0};

    check(value_is(s[0], 5) && value_is(s[1], 0), "first values");
    check(wait_for(2, s, now, 0, SHORT) == VK_SUCCESS, "what is there");
    check(wait_for(2, s, next, 1, SHORT) == VK_TIMEOUT, "what is not, either");
    signal_to(s[0], 7);
    check(value_is(s[0], 7), "a value signalled");
    check(wait_for(2, s, next, 1, SHORT) == VK_SUCCESS, "one of two");
    check(wait_for(2, s, next, 0, SHORT) == VK_TIMEOUT, "both of two");
}

/* Two pieces of work wait for the program, which writes meanwhile. */
static void released(void)
{
    VkSemaphore s = new_semaphore(VK_SEMAPHORE_TYPE_TIMELINE, 0);
    const uint64_t done = 3;

    *(uint32_t *)words.host = 0;
    submit_between(s, 1, s, 2);
    submit_between(s, 2, s, 3);
    (void)usleep(50000);
    check(first_word() == 0 && value_is(s, 0), "work that waits for the program");
    *(uint32_t *)words.host = 100;
    signal_to(s, 1);
    check(wait_for(1, &s, &done, 0, LONG) == VK_SUCCESS && first_word() == 904,
          "sees what was written before it was released");
    check(value_is(s, 3), "and signals");
}

static void *release(void *semaphore)
{
    (void)usleep(50000);
    signal_to((VkSemaphore)semaphore, 9);
    return NULL;
}

/* A wait in one thread for what another one signals. */
static void across_threads(void)
{
    VkSemaphore s = new_semaphore(VK_SEMAPHORE_TYPE_TIMELINE, 0);
    const uint64_t nine = 9;
    pthread_t thread;

    (void)pthread_create(&thread, NULL, release, (void *)s);
    check(wait_for(1, &s, &nine, 0, LONG) == VK_SUCCESS, "another thread's signal");
    (void)pthread_join(thread, NULL);
}

static void binary(void)
{
    VkSemaphore s = new_semaphore(VK_SEMAPHORE_TYPE_BINARY, 0);

    *(uint32_t *)words.host = 1;
    for (uint32_t i = 0; i < 3; i++) {
        submit_between(VK_NULL_HANDLE, 0, s, 0);
        submit_between(s, 0, VK_NULL_HANDLE, 0);
    }
    must(vkQueueWaitIdle(queue), "wait");
    check(first_word() == 1093, "binary semaphores, again and again");
}

/* ---- files -------------------------------------------------------------- */

/* A fence's state goes by a file to another one. */
static void shared(void)
{
    PFN_vkGetFenceFdKHR get;
    PFN_vkImportFenceFdKHR import;
    const VkExportFenceCreateInfo as_file = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT |
                       VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                    .pNext = &as_file};
    VkFenceGetFdInfoKHR from = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
                                .handleType =
                                    VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkImportFenceFdInfoKHR to = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                 .handleType =
                                     VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkFence by_file = new_fence(0), by_sync = new_fence(0);

    get = (PFN_vkGetFenceFdKHR)vkGetDeviceProcAddr(device, "vkGetFenceFdKHR");
    import = (PFN_vkImportFenceFdKHR)vkGetDeviceProcAddr(device, "vkImportFenceFdKHR");
    must(vkCreateFence(device, &info, NULL, &from.fence), "fence");
    must(get(device, &from, &to.fd), "its file");
    to.fence = by_file;
    must(import(device, &to), "import");
    check(vkGetFenceStatus(device, by_file) == VK_NOT_READY, "a shared fence");
    submit(from.fence);
    check(vkWaitForFences(device, 1, &by_file, 1, LONG) == VK_SUCCESS,
          "signalled by its other name");
    from.handleType = to.handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
    must(get(device, &from, &to.fd), "a file of what is signalled");
    to.fence = by_sync;
    to.flags = VK_FENCE_IMPORT_TEMPORARY_BIT;
    must(import(device, &to), "import");
    check(vkGetFenceStatus(device, by_sync) == VK_SUCCESS, "goes on as such");
}

int main(int argc, char **argv)
{
    static const char *const files = "VK_KHR_external_fence_fd";
    const struct binding one = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkPhysicalDeviceTimelineSemaphoreFeatures timelines = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = (void *)&timelines};

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 1, &files, &features);
    words = new_buffer(WORDS * 4);
    table = new_table(&one, 1, 0);
    put_buffer(&table, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, words.buffer);
    triples = new_compute(&table, "triple.comp");
    fences();
    values();
    released();
    across_threads();
    binary();
    shared();
    must(vkQueueWaitIdle(queue), "wait");
    return wrong;
}
