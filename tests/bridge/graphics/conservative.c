/* conservative.c - a Vulkan program for tests/bridge/test_vulkan.sh: triangles that
 * cover every pixel that they touch, by a pixel shader that counts. Which these are is
 * found here with integers: a pixel is a square that is 1/512 pixel larger on each side
 * (as the driver says), and touches the triangle if it has a corner of it, if the
 * triangle has one of its own, or if two of their sides meet. */
#include "../../support/rng.h"
#include "touches.h"
#include "vk.h"

enum { SIDE = 32, DRAWS = 40 };

static uint32_t random_state = 1;

static int random_below(int n)
{
    return (int)((lcg32_next(&random_state) >> 8) % (uint32_t)n);
}

/* Large and small ones, along pixels' sides, slivers, and those without an area. */
static void make(int i, struct place v[3])
{
    int size = i % 4 == 0 ? 256 * SIDE : i % 4 == 1 ? 3000 : i % 4 == 2 ? 700 : 60;
    struct place from = {random_below(256 * SIDE - size + 1),
                         random_below(256 * SIDE - size + 1)};

    for (int k = 0; k < 3; k++) {
        v[k] = (struct place){from.x + random_below(size + 1),
                              from.y + random_below(size + 1)};
        if (i % 10 == 7) { /* along the sides of pixels */
            v[k].x &= ~255;
            v[k].y &= ~255;
        }
    }
    if (i % 10 == 8) /* a line */
        v[2] = (struct place){2 * v[1].x - v[0].x, 2 * v[1].y - v[0].y};
    if (i % 10 == 8 &&
        (v[2].x < 0 || v[2].x > 256 * SIDE || v[2].y < 0 || v[2].y > 256 * SIDE))
        v[2] = v[0];
    if (i % 20 == 9) /* a point */
        v[1] = v[2] = v[0];
}

static uint32_t wrong, touched;

static void check(int draw, const uint32_t *pixel, uint32_t samples,
                  const struct place v[3])
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            uint32_t expected = touches(v, x, y) ? 0x10000 + (1u << samples) - 1 : 0;

            touched += expected != 0;
            if (pixel[y * SIDE + x] != expected && ++wrong < 9)
                printf("draw %d, %u samples, pixel %d, %d: 0x%X, 0x%X expected\n", draw,
                       samples, x, y, pixel[y * SIDE + x], expected);
        }
}

static void draw_all(uint32_t samples)
{
    const VkPipelineRasterizationConservativeStateCreateInfoEXT touching = {
        .sType =
            VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
        .conservativeRasterizationMode =
            VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT};
    const struct binding b = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    struct drawn d = {.raster_next = &touching,
                      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                      .samples = (VkSampleCountFlagBits)samples,
                      .width = SIDE,
                      .height = SIDE};
    struct table t = new_table(&b, 1, 0);
    struct buffer out = new_buffer(SIDE * SIDE * 4);
    struct image target = new_image(VK_FORMAT_R8G8B8A8_UNORM, SIDE, SIDE, d.samples,
                                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    VkPipeline p;

    d.pass = new_pass(VK_FORMAT_R8G8B8A8_UNORM, d.samples);
    put_buffer(&t, 0, 0, b.type, out.buffer);
    p = new_graphics(&t, &d, "corners.vert", "touched.frag");
    for (int i = 0; i < DRAWS; i++) {
        VkCommandBuffer c = begin_commands();
        struct place v[3];
        float at[6];

        make(i, v);
        for (int k = 0; k < 6; k++)
            at[k] = (float)(k % 2 ? v[k / 2].y : v[k / 2].x) / (128 * SIDE) - 1;
        memset(out.host, 0, SIDE * SIDE * 4);
        begin_pass(c, &d, target.view, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
        vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, t.layout, 0, 1,
                                &t.set, 0, NULL);
        vkCmdPushConstants(c, t.layout, VK_SHADER_STAGE_ALL, 0, sizeof(at), at);
        vkCmdDraw(c, 3, 1, 0, 0);
        vkCmdEndRenderPass(c);
        finish(c);
        check(i, out.host, samples, v);
    }
}

int main(int argc, char **argv)
{
    static const char *const extension[] = {
        VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .features = {.fragmentStoresAndAtomics = VK_TRUE}};

    if (argc < 2)
        return 2;
    start_vulkan(argv[1], 1, extension, &features);
    draw_all(1);
    draw_all(4);
    printf("%u pixels touched, %u wrong\n", touched, wrong);
    return wrong != 0;
}
