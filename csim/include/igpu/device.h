/* device.h - the devices that code is compiled for: what the compiler, the cycle model
 * and OpenCL programs call them. Tests: tests/csim/test_config.c */
#ifndef IGPU_DEVICE_H
#define IGPU_DEVICE_H
#include <stdint.h>

struct igpu_device {
    const char *name;   /* as in -d and in traces: "skl", "kbl-gt2" */
    const char *target; /* the compiler's: "skl", "kbl", "cfl" */
    const char *preset; /* the machine: igpu_config_preset() */
    const char *model;  /* as Intel's driver calls it */
    const char *ours;   /* the same, with what tells that it is simulated */
    uint32_t pci_id;
};

/* The device of that name, or the first of that preset or target; NULL: none. */
const struct igpu_device *igpu_device_find(const char *name);
/* "skl, kbl, ...", for messages. */
const char *igpu_device_names(void);
#endif
