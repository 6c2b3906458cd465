/* naive.h - docs/contract/model.md word by word, cycle by cycle, with a bit for each
 * register and no thought of speed: what the C reference's jumps are checked
 * against. */
#ifndef COSIM_NAIVE_H
#define COSIM_NAIVE_H
#include "igpu/host.h"

extern const struct host_engine_ops host_engine_naive;
#endif
