/* ze_module.c - what the loader of Level Zero gets for Intel's driver's module table:
 * SPIR-V reaches the driver's compiler as that can take it (traces/program/spirv.h).
 * The types are those of level_zero/ze_api.h as far as they are used here, so that no
 * package of it is needed. */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/drm/drm.h"
#include "traces/program/spirv.h"

enum { ZE_FORMAT_SPIRV = 0 };

struct ze_module_desc {
    uint32_t kind; /* ze_structure_type_t */
    const void *next;
    uint32_t format;
    size_t bytes;
    const uint8_t *module;
    const char *flags;
    const void *constants;
};

typedef uint32_t create_fn(void *context, void *device, const struct ze_module_desc *d,
                           void **module, void **log);
/* ze_module_dditable_t begins with it. */
struct ze_module_table {
    create_fn *create;
};
typedef uint32_t table_fn(uint32_t version, struct ze_module_table *table);

static create_fn *create_behind;
static table_fn *table_behind;

static uint32_t create(void *context, void *device, const struct ze_module_desc *d,
                       void **module, void **log)
{
    struct ze_module_desc own;
    uint32_t *mended = NULL, result;
    size_t bytes = 0;

    if (d == NULL || d->format != ZE_FORMAT_SPIRV || d->module == NULL ||
        !spirv_mend(d->module, d->bytes, &mended, &bytes) || mended == NULL)
        return create_behind(context, device, d, module, log);
    own = *d;
    own.module = (const uint8_t *)mended;
    own.bytes = bytes;
    result = create_behind(context, device, &own, module, log);
    free(mended);
    return result;
}

static uint32_t get_table(uint32_t version, struct ze_module_table *table)
{
    uint32_t result = table_behind(version, table);

    if (result == 0 && table != NULL && table->create != create) {
        create_behind = table->create;
        table->create = create;
    }
    return result;
}

void *drm_ze_hook(const char *name, void *real)
{
    table_fn *own = get_table;
    void *address;

    if (strcmp(name, "zeGetModuleProcAddrTable") != 0 || !drm_settings()->neo)
        return real;
    memcpy(&address, &own, sizeof(address));
    if (real != address)
        memcpy(&table_behind, &real, sizeof(table_behind));
    return address;
}
