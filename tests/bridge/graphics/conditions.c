/* conditions.c - a Vulkan program for tests/bridge/test_vulkan.sh: dispatches that a
 * word in memory lets happen or not, in a command buffer and in a second one that it
 * runs. */
#include "vk.h"

enum { RUNS = 8 };

static struct table t;
static VkPipeline add;

static void look_up(const char *name, void *fn)
{
    PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);

    if (found == NULL)
        lacks(name);
    memcpy(fn, &found, sizeof(found));
}

static void add_to_sum(VkCommandBuffer c, uint32_t more)
{
    vkCmdPushConstants(c, t.layout, VK_SHADER_STAGE_ALL, 0, sizeof(more), &more);
    dispatch(c, &t, add, 1);
}

/* Commands that another buffer runs, where its condition holds. */
static VkCommandBuffer second(uint32_t more)
{
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT condition = {
        .sType =
            VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
        .conditionalRenderingEnable = VK_TRUE};
    const VkCommandBufferInheritanceInfo from = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &condition};
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .pInheritanceInfo = &from};
    VkCommandBuffer c = new_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);

    must(vkBeginCommandBuffer(c, &info), "commands");
    add_to_sum(c, more);
    must(vkEndCommandBuffer(c), "commands");
    return c;
}

int main(int argc, char **argv)
{
    static const char *const extension[] = {
        VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
    VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
        .conditionalRendering = VK_TRUE,
        .inheritedConditionalRendering = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &conditional};
    const struct binding b = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    PFN_vkCmdBeginConditionalRenderingEXT begin;
    PFN_vkCmdEndConditionalRenderingEXT end;
    struct buffer sum, condition;
    VkCommandBuffer c;
    uint32_t wanted = 0;

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 1, extension, &features);
    look_up("vkCmdBeginConditionalRenderingEXT", &begin);
    look_up("vkCmdEndConditionalRenderingEXT", &end);
    t = new_table(&b, 1, 0);
    add = new_compute(&t, "add.comp");
    sum = new_buffer(4);
    condition = new_buffer(8);
    put_buffer(&t, 0, 0, b.type, sum.buffer);
    ((uint32_t *)condition.host)[1] = 0x100;

    c = begin_commands();
    for (uint32_t i = 0; i < RUNS; i++) { /* each adds a bit of its own */
        const VkConditionalRenderingBeginInfoEXT how = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
            .buffer = condition.buffer,
            .offset = i & 1 ? 4 : 0,
            .flags = i & 2 ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0};
        VkCommandBuffer other = second(1u << i);

        begin(c, &how);
        if (i & 4)
            vkCmdExecuteCommands(c, 1, &other);
        else
            add_to_sum(c, 1u << i);
        end(c);
        barrier(c);
        wanted |= ((i & 1) != 0) != ((i & 2) != 0) ? 1u << i : 0;
    }
    add_to_sum(c, 1u << RUNS);
    finish(c);
    wanted |= 1u << RUNS;
    printf("0x%X, 0x%X expected\n", *(uint32_t *)sum.host, wanted);
    return *(uint32_t *)sum.host != wanted;
}
