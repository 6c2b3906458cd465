/* doubles.c - a Vulkan program for tests/bridge/test_vulkan.sh: vertices of 64-bit
 * components, one to four of them, which a vertex shader writes into a buffer bit by
 * bit. */
#include "vk.h"

enum { VERTICES = 3, INSTANCES = 2, OUT_WORDS = 28 };

struct vertex {
    double three[3], one, four[4], two[2];
    float plain[4];
};

static void fill(struct vertex *v)
{
    for (uint32_t i = 0; i < VERTICES; i++) {
        for (uint32_t c = 0; c < 3; c++)
            v[i].three[c] = 1.0 / (3.0 + i + 10 * c);
        v[i].one = 1e300 / (1 + i);
        for (uint32_t c = 0; c < 4; c++)
            v[i].four[c] = -1.0 / (7.0 + i + 100 * c);
        v[i].two[0] = 1e-310 * (1 + i); /* a denormal one */
        v[i].two[1] = 0.1 * (1 + i);
        for (uint32_t c = 0; c < 4; c++)
            v[i].plain[c] = (float)(i + 0.25 * c);
    }
}

/* What the shader is to write of vertex i. */
static void expect(const struct vertex *v, uint32_t i, uint32_t instance,
                   uint32_t *word)
{
    double made = v->two[1] * v->four[3];

    memcpy(word, v->three, 24);
    memcpy(word + 6, &v->one, 8);
    memcpy(word + 8, v->four, 32);
    memcpy(word + 16, v->two, 16);
    memcpy(word + 20, v->plain, 16);
    word[24] = i;
    word[25] = instance;
    memcpy(word + 26, &made, 8);
}

int main(int argc, char **argv)
{
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .features = {.shaderFloat64 = VK_TRUE,
                     .vertexPipelineStoresAndAtomics = VK_TRUE}};
    const VkVertexInputBindingDescription from = {0, sizeof(struct vertex),
                                                  VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute[] = {
        {0, 0, VK_FORMAT_R64G64B64_SFLOAT, offsetof(struct vertex, three)},
        {2, 0, VK_FORMAT_R64_SFLOAT, offsetof(struct vertex, one)},
        {3, 0, VK_FORMAT_R64G64B64A64_SFLOAT, offsetof(struct vertex, four)},
        {5, 0, VK_FORMAT_R64G64_SFLOAT, offsetof(struct vertex, two)},
        {6, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, plain)}};
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &from,
        .vertexAttributeDescriptionCount = sizeof(attribute) / sizeof(attribute[0]),
        .pVertexAttributeDescriptions = attribute};
    const struct binding b = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    struct drawn d = {.vertices = &vertices,
                      .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                      .samples = VK_SAMPLE_COUNT_1_BIT,
                      .width = 1,
                      .height = 1,
                      .discard = VK_TRUE};
    const VkDeviceSize zero = 0;
    struct buffer in, out;
    struct table t;
    VkCommandBuffer c;
    uint32_t wrong = 0;

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 0, NULL, &features);
    in = new_buffer(VERTICES * sizeof(struct vertex));
    out = new_buffer(INSTANCES * VERTICES * OUT_WORDS * 4);
    fill(in.host);
    t = new_table(&b, 1, 0);
    put_buffer(&t, 0, 0, b.type, out.buffer);
    d.pass = new_pass(VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT);
    c = begin_commands();
    begin_pass(c, &d, VK_NULL_HANDLE, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      new_graphics(&t, &d, "doubles.vert", NULL));
    vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, t.layout, 0, 1, &t.set,
                            0, NULL);
    vkCmdBindVertexBuffers(c, 0, 1, &in.buffer, &zero);
    vkCmdDraw(c, VERTICES, INSTANCES, 0, 0);
    vkCmdEndRenderPass(c);
    finish(c);
    for (uint32_t i = 0; i < VERTICES * INSTANCES; i++) {
        const uint32_t *is = (uint32_t *)out.host + i * OUT_WORDS;
        uint32_t word[OUT_WORDS];

        expect((struct vertex *)in.host + i % VERTICES, i % VERTICES, i / VERTICES,
               word);
        for (uint32_t k = 0; k < OUT_WORDS; k++)
            if (is[k] != word[k] && ++wrong < 9)
                printf("vertex %u, word %u: 0x%08X, 0x%08X expected\n", i, k, is[k],
                       word[k]);
    }
    printf("%u of %u words wrong\n", wrong, VERTICES * INSTANCES * OUT_WORDS);
    return wrong != 0;
}
