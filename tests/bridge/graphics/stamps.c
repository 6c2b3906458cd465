/* stamps.c - a Vulkan program for tests/bridge/test_gl_time.sh: timestamps around
 * dispatches of 10 and of 2,000 rounds, in one command buffer, and calibrated ones. */
#include "right.h"
#include "vk.h"

enum { DISPATCHES = 2, STAMPS = 2 * DISPATCHES };

static uint64_t calibrated(void)
{
    const VkCalibratedTimestampInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
        .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT};
    PFN_vkGetCalibratedTimestampsEXT get;
    PFN_vkVoidFunction found =
        vkGetDeviceProcAddr(device, "vkGetCalibratedTimestampsEXT");
    uint64_t now = 0, deviation;

    memcpy(&get, &found, sizeof(get));
    must(get(device, 1, &info, &now, &deviation), "a calibrated timestamp");
    return now;
}

int main(int argc, char **argv)
{
    const char *const extension[] = {VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME};
    const VkQueryPoolCreateInfo info = {.sType =
                                            VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = STAMPS};
    const struct binding sum = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const uint32_t rounds[DISPATCHES] = {10, 2000};
    uint64_t stamp[STAMPS], before, behind, few, many;
    struct buffer buffer;
    struct table table;
    VkPipeline pipeline;
    VkQueryPool queries;
    VkCommandBuffer c;

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 1, extension, NULL);
    must(vkCreateQueryPool(device, &info, NULL, &queries), "queries");
    buffer = new_buffer(64);
    table = new_table(&sum, 1, 0);
    put_buffer(&table, 0, 0, sum.type, buffer.buffer);
    pipeline = new_compute(&table, "rounds.comp");
    before = calibrated();
    c = begin_commands();
    vkCmdResetQueryPool(c, queries, 0, STAMPS);
    for (uint32_t i = 0; i < DISPATCHES; i++) {
        vkCmdPushConstants(c, table.layout, VK_SHADER_STAGE_ALL, 0, 4, &rounds[i]);
        vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 2 * i);
        dispatch(c, &table, pipeline, 1);
        barrier(c);
        vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries,
                            2 * i + 1);
    }
    finish(c);
    behind = calibrated();
    must(vkGetQueryPoolResults(device, queries, 0, STAMPS, sizeof(stamp), stamp,
                               sizeof(stamp[0]), VK_QUERY_RESULT_64_BIT),
         "results");
    few = stamp[1] - stamp[0];
    many = stamp[3] - stamp[2];
    printf("10 rounds: %llu ticks, 2000: %llu\n", (unsigned long long)few,
           (unsigned long long)many);
    check(before <= stamp[0] && stamp[0] <= stamp[1] && stamp[1] <= stamp[2] &&
              stamp[2] <= stamp[3] && stamp[3] <= behind,
          "no time goes back");
    check(many > 50 * few, "200 times the rounds take more than 50 times as long");
    return wrong;
}
