/* engines.c - engines by their names. */
#include "bridge/programs/cli/engines.h"

#include <stdio.h>
#include <string.h>

#include "igpu/ref.h"

enum { NAMES_BYTES = 256 };

const struct engine engine_reference_only = ENGINE_REFERENCE;

/* What stands behind the engine's name: NULL if `name` is not the engine's. */
static const char *behind(const struct engine *engine, const char *name)
{
    size_t length = strlen(engine->name);

    if (strncmp(name, engine->name, length) != 0)
        return NULL;
    if (engine->place != NULL)
        return name[length] == ':' ? name + length + 1 : NULL;
    return name[length] == '\0' ? name + length : NULL;
}

static void list_names(const struct engine_set *set, char *text, size_t cap)
{
    size_t length = 0;

    for (uint32_t i = 0; i < set->engines && length < cap; i++) {
        const struct engine *e = &set->engine[i];

        length += (size_t)snprintf(
            text + length, cap - length, "%s%s%s%s", i > 0 ? ", " : "", e->name,
            e->place != NULL ? ":" : "", e->place != NULL ? e->place : "");
    }
}

enum igpu_status engine_find(const struct engine_set *set, const char *name,
                             const struct engine **engine, const char **place,
                             struct igpu_err *err)
{
    char names[NAMES_BYTES];

    for (uint32_t i = 0; i < set->engines; i++) {
        const char *rest = behind(&set->engine[i], name);

        if (rest == NULL)
            continue;
        *engine = &set->engine[i];
        *place = set->engine[i].place != NULL ? rest : NULL;
        return IGPU_OK;
    }
    list_names(set, names, sizeof(names));
    return igpu_fail(err, IGPU_USAGE, "--engine %s: %s has %s%s", name, set->program,
                     names, set->engines == 1 ? " only" : "");
}
