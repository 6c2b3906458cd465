/* config_file.h - configurations as YAML files.
 *
 *   base: skl-gt2        # optional, default skl-gt2
 *   l3.latency: 100      # dotted keys, or nested mappings; K, M, G as in -s
 */
#ifndef IGPU_CONFIG_FILE_H
#define IGPU_CONFIG_FILE_H
#include <stdio.h>

#include "igpu/config.h"

/* A preset's name, or a YAML file (a name with '/' or ending in .yaml or .yml).
 * IGPU_USAGE: unknown preset, key or value; IGPU_BAD_INPUT: no such file, no YAML. */
enum igpu_status config_load(struct igpu_config *config, const char *name_or_file,
                             struct igpu_err *err);

/* Write every key; config_load() reads it back to the same configuration. */
void config_dump(FILE *out, const struct igpu_config *config);
#endif
