/* measures.c - a Vulkan program for tests/bridge/test_gl_counters.sh: the counters of
 * VK_KHR_performance_query around dispatches of 10 and of 2,000 rounds. */
#include "right.h"
#include "vk.h"

enum { MOST = 1024 };

static uint32_t counters;
static VkPerformanceCounterKHR counter[MOST];
static VkPerformanceCounterDescriptionKHR text[MOST];

#define CALL(name, ...)                                                                \
    do {                                                                               \
        PFN_##name call;                                                               \
        PFN_vkVoidFunction found = vkGetInstanceProcAddr(vulkan, #name);               \
        memcpy(&call, &found, sizeof(call));                                           \
        must(call(__VA_ARGS__), #name);                                                \
    } while (0)

/* The number of a counter of that name. */
static uint32_t find(const char *name)
{
    for (uint32_t i = 0; i < counters; i++)
        if (strcmp(text[i].name, name) == 0)
            return i;
    printf("no counter %s\n", name);
    exit(VK_FAILS);
}

static VkQueryPool new_pool(const uint32_t *wanted, uint32_t count)
{
    const VkQueryPoolPerformanceCreateInfoKHR which = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
        .counterIndexCount = count,
        .pCounterIndices = wanted};
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = &which,
        .queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
        .queryCount = 1};
    PFN_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR passes_of;
    PFN_vkVoidFunction found = vkGetInstanceProcAddr(
        vulkan, "vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR");
    uint32_t passes = 0;
    VkQueryPool made;

    memcpy(&passes_of, &found, sizeof(passes_of));
    passes_of(gpu, &which, &passes);
    check(passes == 1, "one pass for counters of one set");
    must(vkCreateQueryPool(device, &info, NULL, &made), "query pool");
    return made;
}

static void measure(VkQueryPool queries, const struct table *table, VkPipeline pipeline,
                    uint32_t rounds, VkPerformanceCounterResultKHR *result,
                    size_t bytes)
{
    VkCommandBuffer c = begin_commands();

    vkCmdResetQueryPool(c, queries, 0, 1);
    finish(c);
    c = begin_commands();
    vkCmdPushConstants(c, table->layout, VK_SHADER_STAGE_ALL, 0, 4, &rounds);
    vkCmdBeginQuery(c, queries, 0, 0);
    dispatch(c, table, pipeline, 1);
    barrier(c);
    vkCmdEndQuery(c, queries, 0);
    finish(c);
    must(vkGetQueryPoolResults(device, queries, 0, 1, bytes, result, bytes,
                               VK_QUERY_RESULT_WAIT_BIT),
         "results");
}

int main(int argc, char **argv)
{
    const char *const extension[] = {VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME};
    VkPhysicalDevicePerformanceQueryFeaturesKHR on = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
        .performanceCounterQueryPools = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &on};
    const VkAcquireProfilingLockInfoKHR lock = {
        .sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
        .timeout = UINT64_MAX};
    const struct binding sum = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkPerformanceCounterResultKHR few[2], many[2];
    uint32_t wanted[2];
    struct buffer buffer;
    struct table table;
    VkPipeline pipeline;
    VkQueryPool queries;

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 1, extension, &features);
    for (uint32_t i = 0; i < MOST; i++) {
        counter[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
        text[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
    }
    counters = MOST;
    CALL(vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR, gpu, 0,
         &counters, counter, text);
    printf("%u counters\n", counters);
    wanted[0] = find("GPU Time Elapsed");
    wanted[1] = find("GPU Core Clocks");
    CALL(vkAcquireProfilingLockKHR, device, &lock);
    queries = new_pool(wanted, 2);
    buffer = new_buffer(64);
    table = new_table(&sum, 1, 0);
    put_buffer(&table, 0, 0, sum.type, buffer.buffer);
    pipeline = new_compute(&table, "rounds.comp");
    measure(queries, &table, pipeline, 10, few, sizeof(few));
    measure(queries, &table, pipeline, 2000, many, sizeof(many));
    printf("10 rounds: %llu ns, %llu clocks; 2000: %llu, %llu\n",
           (unsigned long long)few[0].uint64, (unsigned long long)few[1].uint64,
           (unsigned long long)many[0].uint64, (unsigned long long)many[1].uint64);
    check(many[1].uint64 > 50 * few[1].uint64,
          "200 times the rounds take more than 50 times as long");
    return wrong;
}
