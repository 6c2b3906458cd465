/* half.h - IEEE 754 binary16 for initialisers and host checks. Rounding to it is
 * independent of the emulator's, so that one tests the other. */
#ifndef PROGRAM_HALF_H
#define PROGRAM_HALF_H

#include <stdint.h>

/* The value of a binary16 pattern; NaN gives a quiet NaN. */
double half_to_double(uint16_t bits);

/* Round to binary16, to nearest, ties to even; overflow gives infinity. */
uint16_t half_from_double(double value);

#endif
