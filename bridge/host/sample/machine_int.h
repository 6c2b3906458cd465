/* machine_int.h - what the files of machine.h share. */
#ifndef IGPU_SAMPLE_MACHINE_INT_H
#define IGPU_SAMPLE_MACHINE_INT_H
#include "bridge/host/sample/machine.h"

/* That LLC and eDRAM hold together. */
uint64_t machine_cache_lines(const struct igpu_config *config);
/* Have r->profile, which is empty. */
enum igpu_status machine_profile(struct machine_result *r, struct igpu_err *err);
/* Have m->mem. */
enum igpu_status machine_ready(struct machine *m, struct igpu_err *err);
/* The launch, or the parts of it in *options, with options->mem from options->start on:
 * r's stats, threads and instructions; *next: the cycle behind it. measure NULL: nobody
 * looks on. */
enum igpu_status machine_simulate(const struct machine *m, struct sim_options *options,
                                  uint32_t launch, struct measure *measure,
                                  struct machine_result *r, uint64_t *next,
                                  struct igpu_err *err);
#endif
