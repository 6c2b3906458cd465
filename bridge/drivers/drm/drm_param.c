/* drm_param.c - what the kernel would say of the GPU: parameters and topology. */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <i915_drm.h>
#include <string.h>

#include "igpu/limits.h"

enum {
    SUBSLICES = LIMIT_SLICE_SUBSLICES,
    EUS = LIMIT_EUS,
    GEN9_PPGTT_FULL = 3,
    PERF_REVISION = 5
};

int drm_getparam(struct drm_i915_getparam *param)
{
    const struct drm_settings *s = drm_settings();
    int value;

    switch (param->param) {
    case I915_PARAM_CHIPSET_ID:
        value = (int)s->pci;
        break;
    case I915_PARAM_REVISION:
        value = (int)s->revision;
        break;
    case I915_PARAM_SLICE_MASK:
        value = (1 << s->slices) - 1;
        break;
    case I915_PARAM_SUBSLICE_MASK:
        value = (1 << SUBSLICES) - 1;
        break;
    case I915_PARAM_SUBSLICE_TOTAL:
        value = (int)s->slices * SUBSLICES;
        break;
    case I915_PARAM_EU_TOTAL:
        value = (int)s->slices * SUBSLICES * EUS;
        break;
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
        value = DRM_TIMESTAMP_HZ;
        break;
    case I915_PARAM_HAS_ALIASING_PPGTT:
        value = GEN9_PPGTT_FULL;
        break;
    case I915_PARAM_MMAP_GTT_VERSION: /* DRM_IOCTL_I915_GEM_MMAP_OFFSET is there */
        value = 4;
        break;
    case I915_PARAM_CMD_PARSER_VERSION:
        value = 10;
        break;
    case I915_PARAM_MMAP_VERSION:
    case I915_PARAM_HAS_GEM:
    case I915_PARAM_HAS_EXECBUF2:
    case I915_PARAM_HAS_BLT:
    case I915_PARAM_HAS_LLC:
    case I915_PARAM_HAS_RELAXED_DELTA:
    case I915_PARAM_HAS_WAIT_TIMEOUT:
    case I915_PARAM_HAS_EXEC_NO_RELOC:
    case I915_PARAM_HAS_EXEC_HANDLE_LUT:
    case I915_PARAM_HAS_EXEC_SOFTPIN:
    case I915_PARAM_HAS_EXEC_ASYNC:
    case I915_PARAM_HAS_EXEC_FENCE:
    case I915_PARAM_HAS_EXEC_CAPTURE:
    case I915_PARAM_HAS_EXEC_BATCH_FIRST:
    case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
    case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
    case I915_PARAM_HAS_CONTEXT_ISOLATION:
        value = 1;
        break;
    case I915_PARAM_PERF_REVISION:
        if (drm_perf_there()) {
            value = PERF_REVISION;
            break;
        }
        errno = EINVAL;
        return -1;
    default:
        errno = EINVAL; /* a kernel that does not know it */
        return -1;
    }
    return drm_put((uintptr_t)param->value, &value, sizeof(value)) ? 0 : -1;
}

/* ---- queries ------------------------------------------------------------ */

/* Masks: a byte of slices, one of subslices a slice, one of EUs a subslice. */
static void fill_topology(struct drm_i915_query_topology_info *t)
{
    uint32_t slices = drm_settings()->slices;
    uint8_t *mask = t->data;

    t->max_slices = (uint16_t)slices;
    t->max_subslices = SUBSLICES;
    t->max_eus_per_subslice = EUS;
    t->subslice_offset = 1;
    t->subslice_stride = 1;
    t->eu_offset = (uint16_t)(1 + slices);
    t->eu_stride = 1;
    *mask++ = (uint8_t)((1u << slices) - 1);
    for (uint32_t i = 0; i < slices; i++)
        *mask++ = (1 << SUBSLICES) - 1;
    memset(mask, 0xFF, slices * (size_t)SUBSLICES);
}

static void fill_regions(struct drm_i915_query_memory_regions *m)
{
    const uint64_t bytes = (uint64_t)4 << 30;

    m->num_regions = 1;
    m->regions[0].region.memory_class = I915_MEMORY_CLASS_SYSTEM;
    m->regions[0].probed_size = bytes;
    m->regions[0].unallocated_size = bytes;
}

/* Engines are not told of: the driver then makes a hardware context for each of its
 * batches, and not one for several engines that each have a state of their own. */
static int query_answer(struct drm_i915_query_item *item)
{
    uint64_t data[32] = {0};
    uint32_t slices = drm_settings()->slices;
    size_t bytes;

    switch (item->query_id) {
    case DRM_I915_QUERY_TOPOLOGY_INFO:
        bytes = sizeof(struct drm_i915_query_topology_info) + 1 + slices +
                slices * (size_t)SUBSLICES;
        break;
    case DRM_I915_QUERY_MEMORY_REGIONS:
        bytes = sizeof(struct drm_i915_query_memory_regions) +
                sizeof(struct drm_i915_memory_region_info);
        break;
    default:
        item->length = -EINVAL;
        return 0;
    }
    if (item->length == 0 || item->length < (int)bytes) {
        item->length = item->length == 0 ? (int)bytes : -EINVAL;
        return 0;
    }
    item->length = (int)bytes;
    if (item->query_id == DRM_I915_QUERY_TOPOLOGY_INFO)
        fill_topology((void *)data);
    else
        fill_regions((void *)data);
    return drm_put(item->data_ptr, data, bytes) ? 0 : -1;
}

int drm_query(struct drm_i915_query *query)
{
    struct drm_i915_query_item item;

    if (query->flags != 0) {
        errno = EINVAL;
        return -1;
    }
    for (uint32_t i = 0; i < query->num_items; i++) {
        uint64_t at = query->items_ptr + i * sizeof(item);

        if (!drm_get(&item, at, sizeof(item)) || query_answer(&item) != 0 ||
            !drm_put(at, &item, sizeof(item)))
            return -1;
    }
    return 0;
}
