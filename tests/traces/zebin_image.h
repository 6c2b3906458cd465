/* zebin_image.h - zebins for the loader's tests: compiled, and made by hand. */
#ifndef TESTS_ZEBIN_IMAGE_H
#define TESTS_ZEBIN_IMAGE_H
#include <stddef.h>
#include <stdint.h>

/* A file in memory; freed with image_free(). */
struct image {
    uint8_t *bytes;
    size_t size;
};
void image_free(struct image *image);

/* tests/csim/isa_kernels.cl for skl. Fails the test with the compiler's message. */
struct image image_compile(void);

/* A smaller one, with every kind of section: two kernels, constants, a global pointer,
 * printf, relocations in text and data. */
struct image image_compile_small(void);

/* The first as a container with patch tokens. */
struct image image_compile_tokens(void);
/* The second, with local memory, samplers and private memory. */
struct image image_compile_small_tokens(void);

/* A minimal zebin: .text.k of 64 bytes and this .ze_info. */
struct image image_with_info(const char *info, size_t info_bytes);

/* Replace the first `from` in the image by `to` of the same length. Fails the test
 * when there is none. */
void image_replace(struct image *image, const char *from, const char *to);

/* Seeded noise: the same sequence for the same seed, which is not 0. */
uint32_t image_random(uint64_t *seed);

#endif
