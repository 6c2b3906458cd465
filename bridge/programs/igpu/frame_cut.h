/* frame_cut.h - `igpu frame cut`: frames of a capture as a file of their own. */
#ifndef BRIDGE_IGPU_FRAME_CUT_H
#define BRIDGE_IGPU_FRAME_CUT_H
#include "igpu/option.h"

extern const struct igpu_option frame_cut_options[]; /* for --help */

/* argv[0] is "cut". Returns the exit status. */
int frame_cut(int argc, char **argv);
#endif
