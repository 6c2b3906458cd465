/* half.h - IEEE 754 binary16 in plain C, for initialisers and host checks.
 * Independent of the emulator's conversions, so that one tests the other. */
#ifndef IGPU_HALF_H
#define IGPU_HALF_H

#include <stdint.h>

/* The value of a binary16 pattern; NaN gives a quiet NaN. */
double half_to_double(uint16_t bits);

/* Round to binary16, to nearest, ties to even; overflow gives infinity. */
uint16_t half_from_double(double value);

#endif
