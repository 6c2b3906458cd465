/* fuzz_config.c - configuration files, single settings, and CPU agents. A configuration
 * that is accepted is written and read back to the same one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/host/sim/config_file.h"
#include "igpu/cpu.h"
#include "tests/fuzzing/fuzz.h"

/* Write *config and read it back: it is the same. */
static void read_back(const struct igpu_config *config)
{
    static char path[128];
    struct igpu_config again;
    struct igpu_err err = {.text = ""};
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/again.yaml", fuzz_folder());
    file = fopen(path, "w");
    fuzz_check(file != NULL, "no file");
    config_dump(file, config);
    fuzz_check(fclose(file) == 0, "no file");
    fuzz_check(fuzz_worked(config_load(&again, path, &err), &err),
               "a configuration that was written is refused");
    fuzz_check(memcmp(config, &again, sizeof(again)) == 0,
               "a configuration changes when it is written and read");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[128];
    struct igpu_config config;
    struct igpu_err err = {.text = ""};
    const char *text = fuzz_text(data, size), *file = fuzz_file(data, size);

    /* The name says that it is a file of YAML. */
    (void)snprintf(path, sizeof(path), "%s/input.yaml", fuzz_folder());
    if (access(path, F_OK) != 0)
        fuzz_check(symlink(file, path) == 0, "no file");
    memset(&config, 0, sizeof(config));
    if (fuzz_worked(config_load(&config, path, &err), &err) &&
        igpu_config_check(&config, &err) == IGPU_OK)
        read_back(&config);
    (void)igpu_config_preset(&config, "skl-gt2", NULL);
    (void)fuzz_worked(igpu_config_set(&config, text, &err), &err);
    (void)fuzz_worked(cpu_agent_set(&config, text, &err), &err);
    return 0;
}
