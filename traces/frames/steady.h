/* steady.h - what the parts of the preloaded library steady.c know of each other. */
#ifndef IGPU_STEADY_H
#define IGPU_STEADY_H

/* The frame-th frame, from 1 on, was shown: press and release the keys of STEADY_KEYS.
 */
void steady_keys(unsigned long long frame);

/* A frame was shown: the clock goes on, keys are pressed, behind the last one it ends.
 */
void steady_shown(void);
#endif
