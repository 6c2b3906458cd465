/* image.h - what image*.c share. */
#ifndef IGPU_OCL_IMAGE_H
#define IGPU_OCL_IMAGE_H
#include "bridge/drivers/ocl/ocl.h"

#endif
