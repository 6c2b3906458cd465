/* image.h - what image*.c share. */
#ifndef IGPU_OCL_IMAGE_H
#define IGPU_OCL_IMAGE_H
#include "bridge/drivers/ocl/ocl.h"

/* Is the box origin + region inside the image, as its kind counts dimensions? */
bool ocl_image_inside(cl_mem image, const size_t *origin, const size_t *region);
/* The texel at origin. */
uint8_t *ocl_image_at(cl_mem image, const size_t *origin);
/* The distance of what counts as rows of a region: layers in 1-D arrays. */
size_t ocl_image_row(cl_mem image);
#endif
