/* device_time.c - see device_time.h and ocl.h. */
#include "bridge/drivers/ocl/device_time.h"

#include <stdatomic.h>
#include <time.h>

#include "bridge/drivers/ocl/setting.h"
#include "igpu/clock.h"

static atomic_ullong simulated_ns = 1000000; /* no real device starts at 0 */

static atomic_ullong host_ns = 1000000; /* never ahead of it */

static bool simulated, executed;

static void __attribute__((constructor)) set_up(void)
{
    simulated = setting_flag(SETTING_TIME);
    executed = setting_flag(SETTING_EXECUTE);
    if (executed && !simulated)
        setting_complain(SETTING_EXECUTE, "only with IGPU_TIME=1");
}

bool device_time_simulated(void)
{
    return simulated;
}

bool device_time_executed(void)
{
    return simulated && executed;
}

cl_ulong ocl_now(void)
{
    return device_time_simulated() ? (cl_ulong)simulated_ns
                                   : igpu_nanoseconds(CLOCK_MONOTONIC);
}

cl_ulong ocl_host_now(void)
{
    return device_time_simulated() ? (cl_ulong)host_ns : ocl_now();
}

void ocl_host_saw(cl_ulong time)
{
    unsigned long long before = host_ns;

    while (before < time && !atomic_compare_exchange_weak(&host_ns, &before, time)) {
    }
}

/* Each command takes at least a tick. */
void device_time_transfer(size_t bytes, uint64_t bytes_per_us)
{
    simulated_ns += bytes * 1000 / bytes_per_us + 1;
}

void device_time_await(cl_ulong ns)
{
    if (simulated_ns < ns)
        simulated_ns = ns;
}

void device_time_launch(cl_ulong ns)
{
    simulated_ns += ns > 0 ? ns : 1;
}
