/* machine.c - see machine.h. */
#include "bridge/host/sim/machine.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bridge/host/sim/config_file.h"
#include "igpu/device.h"
#include "traces/format/trace.h"

/* The preset of a device as traces and captures call it; skl-gt2 for one that is not
 * known. */
static const char *machine_of_device(const char *device)
{
    const struct igpu_device *known = igpu_device_find(device);

    return known != NULL ? known->preset : "skl-gt2";
}

/* "kbl" of "kbl-gt3e". */
static size_t family(const char *name)
{
    return strcspn(name, "-");
}

static void device_compare(const struct igpu_config *config, const char *device,
                           char *note)
{
    size_t length = family(device);

    if (length > 0 &&
        (length != family(config->name) || strncmp(device, config->name, length) != 0))
        (void)snprintf(note, MACHINE_NOTE,
                       "the trace's code was compiled for %.20s and is simulated on "
                       "%s; without -c it is simulated on %s",
                       device, config->name, machine_of_device(device));
}

enum igpu_status machine_load(struct igpu_config *config, const char *name_or_file,
                              const char *trace, char *note, struct igpu_err *err)
{
    struct igpu_err ignored;
    struct trace_reader *reader = NULL;
    const char *device;
    enum igpu_status status;

    if (trace != NULL && (name_or_file == NULL || note != NULL))
        reader = trace_open_any(trace, NULL, &ignored);
    device = reader != NULL ? trace_header(reader)->device : "";
    status = config_load(
        config, name_or_file != NULL ? name_or_file : machine_of_device(device), err);
    if (note != NULL)
        note[0] = '\0';
    if (note != NULL && status == IGPU_OK)
        device_compare(config, device, note);
    trace_close(reader);
    return status;
}
