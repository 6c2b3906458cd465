/* device_config.h - the machine that a device is in simulated time: its own
 * configuration, or that of IGPU_CONFIG and IGPU_SET. On the device thread alone. */
#ifndef IGPU_OCL_DEVICE_CONFIG_H
#define IGPU_OCL_DEVICE_CONFIG_H
#include "bridge/drivers/ocl/ocl.h"
#include "igpu/config.h"
#include "igpu/err.h"

/* Read at the first call; *config stays. */
enum igpu_status device_config(cl_device_id device, const struct igpu_config **config,
                               struct igpu_err *err);
/* Nanoseconds from a launch's submission to an idle device until it starts, and bytes a
 * microsecond of a copy. Of the default machine where the settings are wrong, which the
 * next launch says. */
cl_ulong device_launch_ns(cl_device_id device);
uint64_t device_copy_rate(cl_device_id device);
#endif
