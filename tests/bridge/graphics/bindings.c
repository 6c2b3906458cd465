/* bindings.c - a Vulkan program for tests/bridge/test_vulkan.sh: a compute shader with
 * more than 64 entries in its binding table, and one whose descriptors lie outside of
 * any table.
 *   bindings SHADERS many|bindless */
#include "vk.h"

enum { MOST = 300, IMAGES = 31 };

static struct image texture[IMAGES];
static struct buffer texels; /* 16 words, read and written as a picture of 4x4 */
static VkSampler sampler;

/* Images of one size that are one colour each. */
static struct image new_texture(VkCommandBuffer c, VkFormat format, uint32_t size,
                                VkClearColorValue colour)
{
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    struct image i =
        new_image(format, size, size, VK_SAMPLE_COUNT_1_BIT,
                  VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_STORAGE_BIT);

    to_layout(c, i.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(c, i.image, VK_IMAGE_LAYOUT_GENERAL, &colour, 1, &all);
    return i;
}

/* Texture i: 1 + i % 3 texels wide, of value i. */
static void prepare(VkCommandBuffer c)
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};

    must(vkCreateSampler(device, &info, NULL, &sampler), "sampler");
    texels = new_buffer(64);
    for (uint32_t i = 0; i < IMAGES; i++)
        texture[i] = new_texture(c, VK_FORMAT_R32_SFLOAT, 1 + i % 3,
                                 (VkClearColorValue){.float32 = {(float)i}});
}

static uint32_t texel_of(const struct image *i, uint32_t k)
{
    VkCommandBuffer c = begin_commands();

    read_image(c, i->image, VK_IMAGE_LAYOUT_GENERAL, 4, 4, texels.buffer);
    finish(c);
    return ((uint32_t *)texels.host)[k];
}

static uint32_t wrong, checked;

static void check(const char *what, uint32_t i, uint32_t is, uint32_t expected)
{
    checked++;
    if (is != expected && ++wrong < 9)
        printf("%s %u: %u, %u expected\n", what, i, is, expected);
}

/* ---- a table of 210 entries --------------------------------------------- */

static void many(void)
{
    enum { TEXTURES = 90, STORED = 30, BUFFERS = 90, TURN = 100000 };
    const struct binding b[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, TEXTURES},
                                {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, STORED},
                                {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS}};
    const uint32_t turn = TURN;
    struct buffer out[BUFFERS];
    struct image stored[STORED];
    VkCommandBuffer c = begin_commands();
    struct table t = new_table(b, 3, 0);

    prepare(c);
    for (uint32_t i = 0; i < TEXTURES; i++)
        put_image(&t, 0, i, b[0].type, texture[i % IMAGES].view, sampler);
    for (uint32_t i = 0; i < STORED; i++) {
        stored[i] = new_texture(c, VK_FORMAT_R32_UINT, 4,
                                (VkClearColorValue){.uint32 = {100 * i}});
        put_image(&t, 1, i, b[1].type, stored[i].view, VK_NULL_HANDLE);
    }
    for (uint32_t i = 0; i < BUFFERS; i++) {
        out[i] = new_buffer(8);
        put_buffer(&t, 2, i, b[2].type, out[i].buffer);
    }
    barrier(c);
    vkCmdPushConstants(c, t.layout, VK_SHADER_STAGE_ALL, 0, sizeof(turn), &turn);
    dispatch(c, &t, new_compute(&t, "many.comp"), 1);
    finish(c);
    for (uint32_t i = 0; i < BUFFERS; i++)
        check("buffer", i, *(uint32_t *)out[i].host,
              (TEXTURES - 1 - i) % IMAGES + 100 * (i % STORED) + TURN);
    check("second word of buffer", 0, ((uint32_t *)out[0].host)[1], 1);
    check("second word of buffer", 40, ((uint32_t *)out[40].host)[1], 2);
    check("second word of buffer", 89, ((uint32_t *)out[89].host)[1],
          77 % IMAGES + 100 * 29);
    check("atomic on image", 29, texel_of(&stored[29], 0), 100 * 29 + 5);
    for (uint32_t i = 0; i < STORED; i++)
        check("image", i, texel_of(&stored[i], 1), 1000 + i);
}

/* ---- no table ----------------------------------------------------------- */

static void bindless(void)
{
    enum { STORED = 40, LANES = 304 };
    const struct binding b[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, MOST},
                                {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, STORED},
                                {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, STORED},
                                {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, STORED},
                                {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    struct buffer each[STORED], constants[STORED], out = new_buffer(LANES * 4);
    struct image stored[STORED];
    uint32_t added[STORED][2] = {{0}}, word[STORED][8] = {{0}};
    VkCommandBuffer c = begin_commands();
    struct table t = new_table(b, 5, 1);

    prepare(c);
    for (uint32_t i = 0; i < MOST; i++)
        put_image(&t, 0, i, b[0].type, texture[i % IMAGES].view, sampler);
    for (uint32_t i = 0; i < STORED; i++) {
        stored[i] = new_texture(c, VK_FORMAT_R32_UINT, 4,
                                (VkClearColorValue){.uint32 = {100 * i}});
        each[i] = new_buffer(32);
        constants[i] = new_buffer(16);
        ((uint32_t *)constants[i].host)[1] = i;
        put_image(&t, 1, i, b[1].type, stored[i].view, VK_NULL_HANDLE);
        put_buffer(&t, 2, i, b[2].type, each[i].buffer);
        put_buffer(&t, 3, i, b[3].type, constants[i].buffer);
    }
    put_buffer(&t, 4, 0, b[4].type, out.buffer);
    barrier(c);
    dispatch(c, &t, new_compute(&t, "bindless.comp"), LANES / 8);
    finish(c);
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t at = 7 * i % MOST % IMAGES, k = 3 * i % STORED;

        check("lane", i, ((uint32_t *)out.host)[i],
              at + (1 + at % 3) * 1000 + i / 8 % STORED * 10000);
        added[k][i % 2] += i;
        word[k][i % 8] += i + 1;
    }
    for (uint32_t k = 0; k < STORED; k++) {
        for (uint32_t i = 0; i < 8; i++)
            check("buffer", k, ((uint32_t *)each[k].host)[i], word[k][i]);
        for (uint32_t i = 0; i < 2; i++)
            check("image", k, texel_of(&stored[k], i), 100 * k + added[k][i]);
        check("texel", k, texel_of(&stored[k], 3), 100 * k + k);
    }
}

int main(int argc, char **argv)
{
    const VkPhysicalDeviceDescriptorIndexingFeatures indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
        .shaderStorageImageArrayNonUniformIndexing = VK_TRUE,
        .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
        .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
        .descriptorBindingStorageImageUpdateAfterBind = VK_TRUE,
        .descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE,
        .descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE};
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .features = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE,
                     .shaderStorageImageArrayDynamicIndexing = VK_TRUE,
                     .shaderStorageBufferArrayDynamicIndexing = VK_TRUE,
                     .shaderUniformBufferArrayDynamicIndexing = VK_TRUE}};

    if (argc < 3)
        return 2;
    if (strcmp(argv[2], "bindless") == 0)
        features.pNext = (void *)&indexing;
    start_vulkan(argv[1], 0, NULL, &features);
    strcmp(argv[2], "bindless") == 0 ? bindless() : many();
    printf("%u checked, %u wrong\n", checked, wrong);
    return wrong != 0;
}
