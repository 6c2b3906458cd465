/* feature_launch.h - inside of traces/features only. */
#ifndef IGPU_FEATURE_LAUNCH_H
#define IGPU_FEATURE_LAUNCH_H
#include "traces/features/features.h"

/* The features of kind FIXED, into value[FEATURE_COUNT], which is zero before. */
void feature_launch(const struct trace_kernel *kernel,
                    const struct trace_launch *launch, double *value);

#endif
