/* argspec_image.h - images and samplers written as text, for argspec.c. */
#ifndef TRACES_ARGSPEC_IMAGE_H
#define TRACES_ARGSPEC_IMAGE_H
#include "igpu/image.h"

/* IMAGE_KIND_COUNT unless word is image1d, image1d_buffer, image1d_array, image2d,
 * image2d_array or image3d. */
enum image_kind argspec_image_kind(const char *word);

/* WIDTH[xHEIGHT[xDEPTH]] as the kind has them, layers last. */
bool argspec_image_size(const char *text, struct emu_image *image);

/* ORDER-TYPE, as rgba-unorm8. False: an unknown word, or they do not go together. */
bool argspec_image_format(const char *text, struct emu_image *image);

/* Words of a sampler, each false when unknown: none clamp clamp_to_edge repeat
 * mirrored_repeat; nearest linear; texels normalized. */
bool argspec_sampler_word(const char *text, struct emu_sampler *sampler);

#endif
