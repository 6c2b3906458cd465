/* vk.h - what the Vulkan programs of these tests share: a device without a window,
 * buffers and images, pipelines of shaders that lie compiled in a folder. What fails
 * ends the program with 3, what the driver does not offer with 77. */
#ifndef VK_H
#define VK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { VK_FAILS = 3, VK_LACKS = 77 };

static VkInstance vulkan;
static VkPhysicalDevice gpu;
static VkDevice device;
static VkQueue queue;
static VkCommandPool pool;
static const char *shader_folder;

static inline void must(VkResult result, const char *what)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, result);
    exit(VK_FAILS);
}

static inline void lacks(const char *what)
{
    printf("lacks %s\n", what);
    exit(VK_LACKS);
}

/* Of several devices the one that is no processor's. */
static inline void choose_gpu(VkInstance instance)
{
    VkPhysicalDevice each[8];
    VkPhysicalDeviceProperties p;
    uint32_t n = 8;

    if (vkEnumeratePhysicalDevices(instance, &n, each) < 0 || n == 0)
        lacks("a device");
    gpu = each[0];
    for (uint32_t i = 0; i < n; i++) {
        vkGetPhysicalDeviceProperties(each[i], &p);
        if (p.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
            gpu = each[i];
    }
    vkGetPhysicalDeviceProperties(gpu, &p);
    printf("%s\n", p.deviceName);
    fflush(stdout);
}

/* A device with these extensions, of which each must be there, and features. */
static inline void start_vulkan(const char *folder, uint32_t count,
                                const char *const *extension,
                                const VkPhysicalDeviceFeatures2 *features)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo with = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    const float priority = 1;
    const VkDeviceQueueCreateInfo one = {.sType =
                                             VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
    const VkDeviceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &one,
                                     .enabledExtensionCount = count,
                                     .ppEnabledExtensionNames = extension};
    const VkCommandPoolCreateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkResult result;

    shader_folder = folder;
    must(vkCreateInstance(&with, NULL, &vulkan), "instance");
    choose_gpu(vulkan);
    result = vkCreateDevice(gpu, &made, NULL, &device);
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT)
        lacks(count > 0 ? extension[0] : "an extension");
    if (result == VK_ERROR_FEATURE_NOT_PRESENT)
        lacks("a feature");
    must(result, "device");
    vkGetDeviceQueue(device, 0, 0, &queue);
    must(vkCreateCommandPool(device, &commands, NULL, &pool), "command pool");
}

/* ---- memory ------------------------------------------------------------- */

static inline VkDeviceMemory allocate(VkMemoryRequirements r,
                                      VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties p;
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = r.size};
    VkDeviceMemory memory;

    vkGetPhysicalDeviceMemoryProperties(gpu, &p);
    while (info.memoryTypeIndex < p.memoryTypeCount &&
           (!(r.memoryTypeBits >> info.memoryTypeIndex & 1) ||
            (p.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
        info.memoryTypeIndex++;
    must(vkAllocateMemory(device, &info, NULL, &memory), "memory");
    return memory;
}

struct buffer {
    VkBuffer buffer;
    void *host; /* `bytes`, zeros at first */
};

/* For every use, seen by program and device alike. */
static inline struct buffer new_buffer(VkDeviceSize bytes)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage =
            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
            VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
    struct buffer b;
    VkMemoryRequirements r;
    VkDeviceMemory memory;

    must(vkCreateBuffer(device, &info, NULL, &b.buffer), "buffer");
    vkGetBufferMemoryRequirements(device, b.buffer, &r);
    memory = allocate(r, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(vkBindBufferMemory(device, b.buffer, memory, 0), "buffer");
    must(vkMapMemory(device, memory, 0, bytes, 0, &b.host), "buffer");
    memset(b.host, 0, bytes);
    return b;
}

struct image {
    VkImage image;
    VkImageView view;
};

static inline struct image new_image(VkFormat format, uint32_t width, uint32_t height,
                                     VkSampleCountFlagBits samples,
                                     VkImageUsageFlags usage)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {width, height, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = samples,
                                    .usage = usage};
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    struct image i;
    VkMemoryRequirements r;

    must(vkCreateImage(device, &info, NULL, &i.image), "image");
    vkGetImageMemoryRequirements(device, i.image, &r);
    must(vkBindImageMemory(device, i.image, allocate(r, 0), 0), "image");
    view.image = i.image;
    must(vkCreateImageView(device, &view, NULL, &i.view), "image");
    return i;
}

/* ---- commands ----------------------------------------------------------- */

static inline VkCommandBuffer new_commands(VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = level,
        .commandBufferCount = 1};
    VkCommandBuffer c;

    must(vkAllocateCommandBuffers(device, &info, &c), "commands");
    return c;
}

static inline VkCommandBuffer begin_commands(void)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer c = new_commands(VK_COMMAND_BUFFER_LEVEL_PRIMARY);

    must(vkBeginCommandBuffer(c, &info), "commands");
    return c;
}

/* Run it, and wait for its end. */
static inline void finish(VkCommandBuffer c)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &c};

    must(vkEndCommandBuffer(c), "commands");
    must(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "submit");
    must(vkQueueWaitIdle(queue), "wait");
}

/* All that went before is seen by all that follows. */
static inline void barrier(VkCommandBuffer c)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT |
                                                  VK_ACCESS_MEMORY_WRITE_BIT};

    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0,
                         NULL);
}

static inline void to_layout(VkCommandBuffer c, VkImage image, VkImageLayout from,
                             VkImageLayout to)
{
    const VkImageMemoryBarrier change = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};

    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                         &change);
}

/* The image, in TRANSFER_SRC_OPTIMAL or GENERAL, into the buffer, row by row. */
static inline void read_image(VkCommandBuffer c, VkImage image, VkImageLayout layout,
                              uint32_t width, uint32_t height, VkBuffer to)
{
    const VkBufferImageCopy all = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {width, height, 1}};

    vkCmdCopyImageToBuffer(c, image, layout, to, 1, &all);
}

/* ---- pipelines ---------------------------------------------------------- */

/* FOLDER/NAME.spv */
static inline VkShaderModule load_shader(const char *name)
{
    static uint32_t word[1 << 16];
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .pCode = word};
    VkShaderModule module;
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.spv", shader_folder, name);
    file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(VK_FAILS);
    }
    info.codeSize = fread(word, 1, sizeof(word), file);
    fclose(file);
    must(vkCreateShaderModule(device, &info, NULL, &module), path);
    return module;
}

/* Binding 0 and on: an array of `count` descriptors each of `type`. */
struct table {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

enum { MOST_BINDINGS = 8, PUSHED_BYTES = 64 };
struct binding {
    VkDescriptorType type;
    uint32_t count;
};

/* late: descriptors may be changed until commands that use them are submitted. */
static inline struct table new_table(const struct binding *b, uint32_t count, int late)
{
    const VkPushConstantRange pushed = {VK_SHADER_STAGE_ALL, 0, PUSHED_BYTES};
    VkDescriptorSetLayoutBinding each[MOST_BINDINGS] = {{0}};
    VkDescriptorBindingFlags flags[MOST_BINDINGS];
    VkDescriptorPoolSize size[MOST_BINDINGS];
    const VkDescriptorSetLayoutBindingFlagsCreateInfo with_flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &with_flags,
        .flags = late ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = count,
        .pBindings = each};
    struct table t;
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = count > 0,
        .pSetLayouts = &t.set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &pushed};
    const VkDescriptorPoolCreateInfo from = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = late ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
        .maxSets = 1,
        .poolSizeCount = count,
        .pPoolSizes = size};
    VkDescriptorSetAllocateInfo one = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pSetLayouts = &t.set_layout};

    for (uint32_t i = 0; i < count; i++) {
        flags[i] = late ? VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT : 0;
        size[i] = (VkDescriptorPoolSize){b[i].type, b[i].count};
        each[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                 .descriptorType = b[i].type,
                                                 .descriptorCount = b[i].count,
                                                 .stageFlags = VK_SHADER_STAGE_ALL};
    }
    if (count > 0) {
        must(vkCreateDescriptorSetLayout(device, &set, NULL, &t.set_layout), "table");
        must(vkCreateDescriptorPool(device, &from, NULL, &one.descriptorPool), "table");
        must(vkAllocateDescriptorSets(device, &one, &t.set), "table");
    }
    must(vkCreatePipelineLayout(device, &layout, NULL, &t.layout), "table");
    return t;
}

/* Entry `index` of a binding; w says of what type, and what it is. */
static inline void put(const struct table *t, uint32_t binding, uint32_t index,
                       VkWriteDescriptorSet w)
{
    w.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    w.dstSet = t->set;
    w.dstBinding = binding;
    w.dstArrayElement = index;
    w.descriptorCount = 1;
    vkUpdateDescriptorSets(device, 1, &w, 0, NULL);
}

static inline void put_buffer(const struct table *t, uint32_t binding, uint32_t index,
                              VkDescriptorType type, VkBuffer buffer)
{
    const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};

    put(t, binding, index,
        (VkWriteDescriptorSet){.descriptorType = type, .pBufferInfo = &info});
}

/* The image in layout GENERAL. */
static inline void put_image(const struct table *t, uint32_t binding, uint32_t index,
                             VkDescriptorType type, VkImageView view, VkSampler sampler)
{
    const VkDescriptorImageInfo info = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};

    put(t, binding, index,
        (VkWriteDescriptorSet){.descriptorType = type, .pImageInfo = &info});
}

static inline VkPipeline new_compute(const struct table *t, const char *shader)
{
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = load_shader(shader),
                  .pName = "main"},
        .layout = t->layout};
    VkPipeline p;

    must(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &p), shader);
    return p;
}

static inline void dispatch(VkCommandBuffer c, const struct table *t, VkPipeline p,
                            uint32_t groups)
{
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, p);
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, t->layout, 0, 1, &t->set,
                            0, NULL);
    vkCmdDispatch(c, groups, 1, 1);
}

/* What a graphics pipeline has apart from its two shaders. */
struct drawn {
    const VkPipelineVertexInputStateCreateInfo *vertices; /* NULL: none */
    const void *raster_next; /* behind the rasterization's state */
    VkPrimitiveTopology topology;
    VkSampleCountFlagBits samples;
    uint32_t width, height;
    VkBool32 discard; /* nothing is rasterized */
    VkRenderPass pass;
};

static inline VkPipeline new_graphics(const struct table *t, const struct drawn *d,
                                      const char *vertex, const char *fragment)
{
    VkPipelineShaderStageCreateInfo stage[2] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = load_shader(vertex),
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .pName = "main"}};
    const VkPipelineVertexInputStateCreateInfo none = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = d->topology};
    const VkViewport viewport = {0, 0, (float)d->width, (float)d->height, 0, 1};
    const VkRect2D scissor = {{0, 0}, {d->width, d->height}};
    const VkPipelineViewportStateCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = d->raster_next,
        .rasterizerDiscardEnable = d->discard,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = d->samples};
    const VkPipelineColorBlendAttachmentState target = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = d->discard ? 0 : 1,
        .pAttachments = &target};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = fragment != NULL ? 2 : 1,
        .pStages = stage,
        .pVertexInputState = d->vertices != NULL ? d->vertices : &none,
        .pInputAssemblyState = &assembly,
        .pViewportState = &view,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pColorBlendState = &blend,
        .layout = t->layout,
        .renderPass = d->pass};
    VkPipeline p;

    if (fragment != NULL)
        stage[1].module = load_shader(fragment);
    must(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &p), vertex);
    return p;
}

/* Of one colour target, cleared first and in GENERAL behind it; with format
 * UNDEFINED of none. */
static inline VkRenderPass new_pass(VkFormat format, VkSampleCountFlagBits samples)
{
    const VkAttachmentDescription target = {.format = format,
                                            .samples = samples,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference first = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription sub = {.colorAttachmentCount = format != 0,
                                      .pColorAttachments = &first};
    const VkRenderPassCreateInfo info = {.sType =
                                             VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = format != 0,
                                         .pAttachments = &target,
                                         .subpassCount = 1,
                                         .pSubpasses = &sub};
    VkRenderPass pass;

    must(vkCreateRenderPass(device, &info, NULL, &pass), "render pass");
    return pass;
}

static inline void begin_pass(VkCommandBuffer c, const struct drawn *d,
                              VkImageView view, VkSubpassContents contents)
{
    const VkFramebufferCreateInfo info = {.sType =
                                              VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = d->pass,
                                          .attachmentCount = view != VK_NULL_HANDLE,
                                          .pAttachments = &view,
                                          .width = d->width,
                                          .height = d->height,
                                          .layers = 1};
    static const VkClearValue zeros;
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = d->pass,
                                   .renderArea = {{0, 0}, {d->width, d->height}},
                                   .clearValueCount = 1,
                                   .pClearValues = &zeros};

    must(vkCreateFramebuffer(device, &info, NULL, &begin.framebuffer), "frame buffer");
    vkCmdBeginRenderPass(c, &begin, contents);
}

#endif
