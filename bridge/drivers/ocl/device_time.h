/* device_time.h - the device's time line. With IGPU_TIME=1 it is simulated: a launch
 * takes what the cycle model says (timing.h), continuing where the one before ended;
 * otherwise it is the host's clock. What both lines tell: ocl_now() and its like,
 * ocl.h. */
#ifndef IGPU_OCL_DEVICE_TIME_H
#define IGPU_OCL_DEVICE_TIME_H
#include "bridge/drivers/ocl/ocl.h"

bool device_time_simulated(void);
/* With IGPU_EXECUTE=1 too: launches are executed while they are simulated. */
bool device_time_executed(void);
/* Move the simulated line on, on the device thread: bytes moved by a command that is no
 * kernel; to `ns`, unless it is there; by a launch. */
void device_time_transfer(size_t bytes, uint64_t bytes_per_us);
void device_time_await(cl_ulong ns);
void device_time_launch(cl_ulong ns);
#endif
