/* vulkan.c - for tests/bridge/test_vulkan.sh: a Vulkan program that loads libvulkan by
 * itself, as most programs and all of Python do. Each of DEVICES devices fills a
 * buffer; the last draws a triangle whose left half a clip distance takes away. Both
 * are checked here; a line and status 1 tell what is wrong. vulkan VERTEX.spv
 * FRAGMENT.spv */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { DEVICES = 40, SIZE = 64, BYTES = SIZE * SIZE * 4 };

static PFN_vkGetInstanceProcAddr lookup;
static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static PFN_vkGetDeviceProcAddr device_lookup;

#define OF(name) PFN_##name name = (PFN_##name)lookup(instance, #name)
#define OF_DEVICE(name) PFN_##name name = (PFN_##name)device_lookup(device, #name)

static void check(int good, const char *what)
{
    if (good)
        return;
    printf("wrong: %s\n", what);
    exit(1);
}

static void make_instance(void)
{
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                             .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &app};
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL), *found;
    uint32_t one = 1;

    check(library != NULL, "no libvulkan.so.1");
    found = dlsym(library, "vkGetInstanceProcAddr");
    memcpy(&lookup, &found, sizeof(lookup));
    OF(vkCreateInstance);
    check(vkCreateInstance(&info, NULL, &instance) == VK_SUCCESS, "no instance");
    OF(vkEnumeratePhysicalDevices);
    (void)vkEnumeratePhysicalDevices(instance, &one, &physical);
    check(physical != NULL, "no device");
    device_lookup = (PFN_vkGetDeviceProcAddr)lookup(instance, "vkGetDeviceProcAddr");
}

static void make_device(void)
{
    static const float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType =
                                         VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features new = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceFeatures features = {.shaderClipDistance = VK_TRUE};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &new,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .pEnabledFeatures = &features};
    OF(vkCreateDevice);

    check(vkCreateDevice(physical, &info, NULL, &device) == VK_SUCCESS, "no device");
}

/* Memory that the host sees, or any. */
static VkDeviceMemory memory_of(VkMemoryRequirements need)
{
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = need.size};
    VkPhysicalDeviceMemoryProperties kinds;
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    OF(vkGetPhysicalDeviceMemoryProperties);
    OF_DEVICE(vkAllocateMemory);

    vkGetPhysicalDeviceMemoryProperties(physical, &kinds);
    for (uint32_t i = kinds.memoryTypeCount; i-- > 0;)
        if ((need.memoryTypeBits >> i & 1) != 0 &&
            (kinds.memoryTypes[i].propertyFlags & wanted) == wanted)
            info.memoryTypeIndex = i;
    check(vkAllocateMemory(device, &info, NULL, &memory) == VK_SUCCESS, "no memory");
    return memory;
}

/* A buffer of BYTES, which *host is. */
static VkBuffer make_buffer(uint32_t **host)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = BYTES,
                               .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements need;
    VkDeviceMemory memory;
    VkBuffer buffer;
    void *at = NULL;
    OF_DEVICE(vkCreateBuffer);
    OF_DEVICE(vkGetBufferMemoryRequirements);
    OF_DEVICE(vkBindBufferMemory);
    OF_DEVICE(vkMapMemory);

    check(vkCreateBuffer(device, &info, NULL, &buffer) == VK_SUCCESS, "no buffer");
    vkGetBufferMemoryRequirements(device, buffer, &need);
    memory = memory_of(need);
    (void)vkBindBufferMemory(device, buffer, memory, 0);
    (void)vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &at);
    *host = at;
    return buffer;
}

static VkCommandBuffer begin(void)
{
    VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandBufferCount = 1};
    VkCommandBufferBeginInfo how = {.sType =
                                        VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    OF_DEVICE(vkCreateCommandPool);
    OF_DEVICE(vkAllocateCommandBuffers);
    OF_DEVICE(vkBeginCommandBuffer);

    (void)vkCreateCommandPool(device, &pool_info, NULL, &info.commandPool);
    (void)vkAllocateCommandBuffers(device, &info, &commands);
    (void)vkBeginCommandBuffer(commands, &how);
    return commands;
}

static void run(VkCommandBuffer commands)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands};
    VkQueue queue;
    OF_DEVICE(vkEndCommandBuffer);
    OF_DEVICE(vkGetDeviceQueue);
    OF_DEVICE(vkQueueSubmit);
    OF_DEVICE(vkDeviceWaitIdle);

    (void)vkEndCommandBuffer(commands);
    vkGetDeviceQueue(device, 0, 0, &queue);
    check(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS,
          "no submission");
    (void)vkDeviceWaitIdle(device);
}

static void fill(uint32_t value)
{
    VkCommandBuffer commands = begin();
    uint32_t *host;
    VkBuffer buffer = make_buffer(&host);
    OF_DEVICE(vkCmdFillBuffer);

    vkCmdFillBuffer(commands, buffer, 0, BYTES, value);
    run(commands);
    check(host[0] == value && host[BYTES / 4 - 1] == value, "a filled buffer");
}

/* ---- a triangle --------------------------------------------------------- */

static VkShaderModule module_of(const char *path)
{
    static uint32_t words[4096];
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .pCode = words};
    FILE *file = fopen(path, "rb");
    VkShaderModule module = VK_NULL_HANDLE;
    OF_DEVICE(vkCreateShaderModule);

    check(file != NULL, path);
    info.codeSize = 4 * fread(words, 4, sizeof(words) / 4, file);
    (void)fclose(file);
    (void)vkCreateShaderModule(device, &info, NULL, &module);
    return module;
}

static VkPipeline make_pipeline(char **shader)
{
    static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    VkPipelineShaderStageCreateInfo stage[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = module_of(shader[0]),
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = module_of(shader[1]),
         .pName = "main"}};
    VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkViewport view = {.width = SIZE, .height = SIZE, .maxDepth = 1};
    VkRect2D all = {.extent = {SIZE, SIZE}};
    VkPipelineViewportStateCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &view,
        .scissorCount = 1,
        .pScissors = &all};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState whole = {.colorWriteMask = 15};
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &whole};
    VkPipelineRenderingCreateInfo target = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &target,
        .stageCount = 2,
        .pStages = stage,
        .pVertexInputState = &vertices,
        .pInputAssemblyState = &assembly,
        .pViewportState = &views,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pColorBlendState = &blend};
    VkPipeline pipeline = VK_NULL_HANDLE;
    OF_DEVICE(vkCreatePipelineLayout);
    OF_DEVICE(vkCreateGraphicsPipelines);

    (void)vkCreatePipelineLayout(device, &layout, NULL, &info.layout);
    (void)vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    check(pipeline != VK_NULL_HANDLE, "no pipeline");
    return pipeline;
}

static VkImage make_image(void)
{
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                              .extent = {SIZE, SIZE, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    VkMemoryRequirements need;
    VkImage image;
    OF_DEVICE(vkCreateImage);
    OF_DEVICE(vkGetImageMemoryRequirements);
    OF_DEVICE(vkBindImageMemory);

    check(vkCreateImage(device, &info, NULL, &image) == VK_SUCCESS, "no image");
    vkGetImageMemoryRequirements(device, image, &need);
    (void)vkBindImageMemory(device, image, memory_of(need), 0);
    return image;
}

static VkImageView view_of(VkImage image)
{
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    VkImageView view = VK_NULL_HANDLE;
    OF_DEVICE(vkCreateImageView);

    (void)vkCreateImageView(device, &info, NULL, &view);
    return view;
}

static void wait(VkCommandBuffer commands)
{
    VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
    OF_DEVICE(vkCmdPipelineBarrier);

    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0,
                         NULL);
}

static void draw(char **shader)
{
    VkCommandBuffer commands = begin();
    VkImage image = make_image();
    VkRenderingAttachmentInfo target = {.sType =
                                            VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                        .imageView = view_of(image),
                                        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {.extent = {SIZE, SIZE}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &target};
    VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                              .imageExtent = {SIZE, SIZE, 1}};
    uint32_t *host, wrong = 0;
    VkBuffer buffer = make_buffer(&host);
    OF_DEVICE(vkCmdBeginRendering);
    OF_DEVICE(vkCmdBindPipeline);
    OF_DEVICE(vkCmdDraw);
    OF_DEVICE(vkCmdEndRendering);
    OF_DEVICE(vkCmdCopyImageToBuffer);

    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(shader));
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    wait(commands);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &copy);
    run(commands);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        wrong += host[i] != (i % SIZE < SIZE / 2 ? 0 : 0xFF00FF00);
    printf("%u pixels wrong\n", wrong);
    check(wrong == 0, "a clipped triangle");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    make_instance();
    for (uint32_t i = 1; i <= DEVICES; i++) {
        make_device();
        fill(i * 0x01010101);
        if (i == DEVICES)
            draw(argv + 1);
        OF_DEVICE(vkDestroyDevice);
        vkDestroyDevice(device, NULL); /* its objects are few */
    }
    return 0;
}
