/* steady.h - what the parts of the preloaded library steady.c know of each other. */
#ifndef IGPU_STEADY_H
#define IGPU_STEADY_H
#include <stdint.h>

/* The frame-th frame, from 1 on, was shown: press and release the keys of STEADY_KEYS.
 */
void steady_keys(unsigned long long frame);

/* A frame was shown: the clock goes on, keys are pressed, behind the last one it ends.
 */
void steady_shown(void);

/* The next picture into FOLDER. pitch: pixels from a row to the next, each 4 bytes,
 * blue first. */
void steady_keep(const char *folder, const uint8_t *pixels, unsigned pitch,
                 unsigned width, unsigned height);
#endif
