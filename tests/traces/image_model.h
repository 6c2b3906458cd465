/* image_model.h - what OpenCL 1.2 (chapter 8 and 5.3.1.1) says that reading an image
 * gives, written from its text in double precision, apart from the emulator. */
#ifndef TESTS_IMAGE_MODEL_H
#define TESTS_IMAGE_MODEL_H
#include "igpu/image.h"

/* A format's channels in memory by name: "rgba", "bgra", "i" (intensity), ... */
const char *model_channels(uint32_t order);
bool model_is_integer(uint32_t type);

/* The texel as r g b a. Integers of 32 bits are exact in a double. */
void model_texel(const struct emu_image *image, const uint8_t *memory, long x, long y,
                 long z, double rgba[4]);

/* What a read gives. False: the coordinate is so near to where the result jumps that
 * single and double precision may differ. */
bool model_read(const struct emu_image *image, const uint8_t *memory,
                const struct emu_sampler *sampler, const float coordinate[4],
                double rgba[4]);

/* Memory that write_image{f,i,ui} leaves for one channel `value`. */
uint32_t model_store(uint32_t order, char channel, uint32_t type, double value);

#endif
