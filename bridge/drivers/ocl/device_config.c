/* device_config.c - see device_config.h. */
#include "bridge/drivers/ocl/device_config.h"

#include <string.h>

#include "bridge/drivers/ocl/setting.h"
#include "bridge/host/sim/config_file.h"

/* The device's own configuration, or the user's; then each key=value of IGPU_SET,
 * blanks between. */
static enum igpu_status choose_config(cl_device_id device, struct igpu_config *config,
                                      struct igpu_err *err)
{
    const char *name = setting_text(SETTING_CONFIG), *set = setting_text(SETTING_SET);
    enum igpu_status status =
        config_load(config, name != NULL ? name : device->known->preset, err);
    char pair[256];

    for (const char *p = set != NULL ? set : ""; status == IGPU_OK && *p != '\0';) {
        size_t n = strcspn(p, " ");

        if (n >= sizeof(pair))
            return igpu_fail(err, IGPU_USAGE, "IGPU_SET: a setting is too long");
        memcpy(pair, p, n);
        pair[n] = '\0';
        if (n > 0)
            status = igpu_config_set(config, pair, err);
        p += n + (p[n] != '\0');
    }
    return status == IGPU_OK ? igpu_config_check(config, err) : status;
}

static struct {
    bool known;
    struct igpu_config config;
} machines[OCL_DEVICES];

enum igpu_status device_config(cl_device_id device, const struct igpu_config **config,
                               struct igpu_err *err)
{
    size_t i = (size_t)(device - ocl_device(0));
    enum igpu_status status = IGPU_OK;

    if (!machines[i].known)
        status = choose_config(device, &machines[i].config, err);
    machines[i].known = status == IGPU_OK;
    *config = &machines[i].config;
    return status;
}

/* The device's machine, or the default one in *other. */
static const struct igpu_config *machine(cl_device_id device, struct igpu_config *other)
{
    const struct igpu_config *config;
    struct igpu_err err;

    if (device_config(device, &config, &err) == IGPU_OK)
        return config;
    (void)igpu_config_preset(other, "skl-gt2", &err);
    return other;
}

cl_ulong device_launch_ns(cl_device_id device)
{
    struct igpu_config other;

    return machine(device, &other)->disp_launch_ps / 1000;
}

/* A copy goes through memory twice. */
uint64_t device_copy_rate(cl_device_id device)
{
    struct igpu_config other;
    const struct igpu_config *c = machine(device, &other);
    uint64_t peak = c->dram_channels * 64 * c->dram_clock_hz / c->dram_burst / 1000000;
    uint64_t rate = peak * c->dram_copy_percent / 100 / 2;

    return rate > 0 ? rate : 1;
}
