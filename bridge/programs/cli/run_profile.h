/* run_profile.h - --profile of ./Vigpu and `igpu ref`, and `igpu profile`. */
#ifndef IGPU_RUN_PROFILE_H
#define IGPU_RUN_PROFILE_H
#include "bridge/host/sample/launches.h"
#include "bridge/host/sim/sim.h"
#include "bridge/programs/cli/options.h"

/* What the profile has to count beside instructions. */
enum profile_by run_profile_by(const struct run_options *o);
/* Where the options ask for it: a profile for *so, at *profile. */
enum igpu_status run_profile_create(const struct run_options *o,
                                    struct profile **profile, struct sim_options *so,
                                    struct igpu_err *err);
/* Files; then text to stdout, all of it for `igpu profile`, else the verdict. */
enum igpu_status run_profile_files(const struct run_options *o, const struct profile *p,
                                   struct sim *sim, struct trace_reader *reader,
                                   struct igpu_err *err);
void run_profile_print(const struct run_options *o, const struct profile *p,
                       struct sim *sim, struct trace_reader *reader);
/* Of launches as run_sample() has them; quiet: files alone. */
enum igpu_status run_profile_launches(const struct run_options *o,
                                      const struct launches *l,
                                      struct trace_reader *reader, bool quiet,
                                      struct igpu_err *err);
#endif
