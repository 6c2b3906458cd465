/* events.c - a Vulkan program for tests/bridge/test_vulkan.sh: commands wait for events
 * that other commands, or the program before it sends them, have set.
 *   events SHADERS [never]: the last wait is for one that nobody sets */
#include "right.h"
#include "vk.h"

enum { WORDS = 64 };

static VkEvent new_event(void)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent e;

    must(vkCreateEvent(device, &info, NULL, &e), "event");
    return e;
}

static void wait_for(VkCommandBuffer c, VkPipelineStageFlags set_by, VkEvent e)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};

    vkCmdWaitEvents(c, 1, &e, set_by, VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &all, 0, NULL,
                    0, NULL);
}

static int all_are(const struct buffer *b, uint32_t value)
{
    const uint32_t *word = b->host;

    for (uint32_t i = 0; i < WORDS; i++)
        if (word[i] != value)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    const VkBufferCopy all = {0, 0, WORDS * 4};
    VkEvent by_commands, by_program;
    struct buffer a, b;
    VkCommandBuffer c;

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 0, NULL, NULL);
    by_commands = new_event();
    by_program = new_event();
    a = new_buffer(WORDS * 4);
    b = new_buffer(WORDS * 4);

    c = begin_commands();
    vkCmdFillBuffer(c, a.buffer, 0, WORDS * 4, 7);
    vkCmdSetEvent(c, by_commands, VK_PIPELINE_STAGE_TRANSFER_BIT);
    wait_for(c, VK_PIPELINE_STAGE_TRANSFER_BIT, by_commands);
    vkCmdCopyBuffer(c, a.buffer, b.buffer, 1, &all);
    finish(c);
    check(all_are(&b, 7), "an event that commands set");
    check(vkGetEventStatus(device, by_commands) == VK_EVENT_SET, "the program sees it");

    c = begin_commands(); /* set in one batch, waited for in another */
    wait_for(c, VK_PIPELINE_STAGE_TRANSFER_BIT, by_commands);
    vkCmdResetEvent(c, by_commands, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdFillBuffer(c, b.buffer, 0, WORDS * 4, 8);
    finish(c);
    check(all_are(&b, 8), "an event of commands before");
    check(vkGetEventStatus(device, by_commands) == VK_EVENT_RESET, "and its reset");

    must(vkSetEvent(device, by_program), "set event");
    c = begin_commands();
    wait_for(c, VK_PIPELINE_STAGE_HOST_BIT, by_program);
    vkCmdFillBuffer(c, b.buffer, 0, WORDS * 4, 9);
    finish(c);
    check(all_are(&b, 9), "an event that the program set");

    if (argc > 2) {
        must(vkResetEvent(device, by_program), "reset event");
        c = begin_commands();
        wait_for(c, VK_PIPELINE_STAGE_HOST_BIT, by_program);
        finish(c);
    }
    return wrong;
}
