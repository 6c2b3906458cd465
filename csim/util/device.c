/* device.c - see igpu/device.h. Tests: tests/csim/test_config.c */
#include "igpu/device.h"

#include <stddef.h>
#include <string.h>

/* The first ones of a target are those of its short name. */
static const struct igpu_device devices[] = {
    {"skl", "skl", "skl-gt2", "Intel(R) HD Graphics 530",
     "Intel(R) HD Graphics 530 (Vigpu Skylake GT2)", 0x1912},
    {"kbl", "kbl", "kbl-gt3e", "Intel(R) Iris(R) Plus Graphics 650",
     "Intel(R) Iris(R) Plus Graphics 650 (Vigpu Kaby Lake GT3e)", 0x5927},
    {"kbl-gt2", "kbl", "kbl-gt2", "Intel(R) HD Graphics 620",
     "Intel(R) HD Graphics 620 (Vigpu Kaby Lake GT2)", 0x5916},
    {"cfl-gt2", "cfl", "cfl-gt2", "Intel(R) UHD Graphics 630",
     "Intel(R) UHD Graphics 630 (Vigpu Coffee Lake GT2)", 0x3E91},
};
enum { DEVICES = sizeof(devices) / sizeof(devices[0]) };

const struct igpu_device *igpu_device_find(const char *name)
{
    for (size_t i = 0; i < DEVICES; i++)
        if (strcmp(devices[i].name, name) == 0)
            return &devices[i];
    for (size_t i = 0; i < DEVICES; i++)
        if (strcmp(devices[i].preset, name) == 0 ||
            strcmp(devices[i].target, name) == 0)
            return &devices[i];
    return NULL;
}

const char *igpu_device_names(void)
{
    return "skl, kbl, kbl-gt2 or cfl-gt2";
}
