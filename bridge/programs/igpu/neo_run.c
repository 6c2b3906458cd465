/* neo_run.c - see neo_run.h. */
#include "bridge/programs/igpu/neo_run.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/programs/igpu/node_child.h"
#include "igpu/program.h"
#include "traces/frame/node_settings.h"

/* What tells OpenCL's loaders of the driver; Debian's intel-opencl-icd has it there. */
#define ICD_FILE "/etc/OpenCL/vendors/intel.icd"

static const char program[] = "igpu run";

static int missing(const char *file, const char *why)
{
    return igpu_complain_of(program, IGPU_USAGE,
                            "--driver neo: %s: %s: Intel's driver is not installed "
                            "(Debian: apt install intel-opencl-icd)",
                            file, why);
}

/* The library that the file names, to both loaders: Debian's takes a library where it
 * expects a folder, Khronos's has a variable for it. Level Zero's loader finds its
 * driver by itself. */
static int choose_driver(void)
{
    char line[4096] = "";
    FILE *file = fopen(ICD_FILE, "r");
    bool read = file != NULL && fgets(line, sizeof(line), file) != NULL;

    if (file != NULL)
        (void)fclose(file);
    if (!read)
        return missing(ICD_FILE, file == NULL ? strerror(errno) : "names no library");
    line[strcspn(line, "\r\n")] = '\0';
    if (strchr(line, '/') != NULL && access(line, R_OK) != 0)
        return missing(line, strerror(errno));
    if (setenv("OCL_ICD_VENDORS", line, 1) != 0 ||
        setenv("OCL_ICD_FILENAMES", line, 1) != 0)
        return missing(line, strerror(errno));
    return 0;
}

static int choose_device(const char *name)
{
    const bool kbl = name != NULL && strcmp(name, "kbl") == 0;

    if (name != NULL && !kbl && strcmp(name, "skl") != 0)
        return igpu_complain_of(program, IGPU_USAGE,
                                "-d %s: with --driver neo, expected skl or kbl", name);
    return node_set(NODE_DEVICE, kbl ? "kbl-gt3e" : "skl");
}

/* The node's library is a layer of OpenCL's loader, too, in front of those that the
 * caller has set. */
static int set_layer(void)
{
    const char *library = getenv("LD_PRELOAD"), *before = getenv("OPENCL_LAYERS");
    char list[8192];
    int n = snprintf(list, sizeof(list), "%.*s%s%s", (int)strcspn(library, ":"),
                     library, before != NULL && before[0] != '\0' ? ":" : "",
                     before != NULL ? before : "");

    if (n < 0 || (size_t)n >= sizeof(list))
        return igpu_complain_of(program, IGPU_USAGE, "OPENCL_LAYERS: is too long");
    return setenv("OPENCL_LAYERS", list, 1);
}

int neo_run(const struct neo_run *n, int argc, char **argv)
{
    struct node_child child = {
        .command = program,
        .out = n->out,
        .time = n->time,
        .machine = n->machine,
        .setting = n->setting,
        .settings = n->settings,
        .list = n->list,
        .unused = "see docs/guide/opencl.md, \"Intel's own driver\"",
        .status = -1,
    };
    int status;

    node_child_clear();
    status = choose_device(n->device);
    if (status == 0)
        status = choose_driver();
    if (status == 0)
        status = node_set(NODE_DRIVER, "neo");
    if (status == 0)
        status = node_child_prepare(&child, argc, argv);
    if (status == 0)
        status = set_layer();
    return status == 0 ? node_child_run(&child, argv) : status;
}
