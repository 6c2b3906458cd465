/* frame_time.h - `igpu frame time`. */
#ifndef BRIDGE_IGPU_FRAME_TIME_H
#define BRIDGE_IGPU_FRAME_TIME_H
#include "igpu/option.h"

extern const struct igpu_option frame_time_options[]; /* for --help */

/* argv[0] is "time". Returns the exit status. */
int frame_time(int argc, char **argv);
#endif
