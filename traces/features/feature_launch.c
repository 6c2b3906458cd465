/* feature_launch.c - what is known of a launch before it runs. */
#include "traces/features/feature_launch.h"

#include "igpu/limits.h"

enum {
    PLACES = LIMIT_EUS * LIMIT_SLOTS,
    SLM_KB = 64,
    GROUPS = 16,
    SUBSLICES = LIMIT_SLICE_SUBSLICES,
    SLM_LEAST_KB = 4
};

static uint32_t code_grfs(const struct isa_kernel_code *code)
{
    uint64_t grf[2] = {0, 0};

    for (uint32_t i = 0; i < code->count; i++) {
        struct isa_regset reads, writes;

        isa_regs(&code->inst[i], &reads, &writes);
        for (uint32_t j = 0; j < 2; j++)
            grf[j] |= (reads.indirect ? 0 : reads.grf[j]) |
                      (writes.indirect ? 0 : writes.grf[j]);
    }
    return (uint32_t)(__builtin_popcountll(grf[0]) + __builtin_popcountll(grf[1]));
}

/* Resident threads of a subslice: by places, SLM and barrier slots. */
static uint32_t resident(uint32_t threads, uint32_t slm_kb, bool pinned)
{
    uint32_t groups = PLACES / (threads > PLACES ? PLACES : threads);

    if (!pinned)
        return PLACES;
    if (slm_kb > 0 && SLM_KB / slm_kb < groups)
        groups = SLM_KB / slm_kb;
    groups = groups > GROUPS ? GROUPS : groups == 0 ? 1 : groups;
    return groups * (threads > PLACES ? PLACES : threads);
}

static void occupancy(const struct trace_kernel *kernel,
                      const struct trace_launch *launch, double *value)
{
    uint32_t kb = (launch->slm_bytes + 1023) / 1024;
    bool pinned = kernel->barriers || kb > 0;

    if (kb > 0 && kb < SLM_LEAST_KB)
        kb = SLM_LEAST_KB;
    value[FEATURE_OCC_PINNED] = pinned;
    value[FEATURE_OCC_SLM_KB] = kb;
    value[FEATURE_OCC_THREADS] = resident(launch->threads_per_group, kb, pinned);
    value[FEATURE_OCC_ROUNDS] =
        launch->threads / (SUBSLICES * value[FEATURE_OCC_THREADS]);
}

void feature_launch(const struct trace_kernel *kernel,
                    const struct trace_launch *launch, double *value)
{
    double items = 1, group = 1;

    for (uint32_t i = 0; i < 3; i++) {
        items *= (double)launch->global[i];
        group *= (double)launch->local[i];
        value[FEATURE_GEO_GLOBAL_X + i] = (double)launch->global[i];
        value[FEATURE_GEO_LOCAL_X + i] = (double)launch->local[i];
    }
    value[FEATURE_GEO_ITEMS] = items;
    value[FEATURE_GEO_GROUP_ITEMS] = group;
    value[FEATURE_GEO_THREADS] = launch->threads;
    value[FEATURE_GEO_GROUP_THREADS] = launch->threads_per_group;
    value[FEATURE_GEO_GROUPS] = launch->threads / (double)launch->threads_per_group;
    value[FEATURE_GEO_DIMS] = launch->dims;
    value[FEATURE_GEO_SIMD] = kernel->simd;
    value[FEATURE_GEO_ARGS] = launch->nargs;
    for (uint32_t i = 0; i < launch->nargs; i++)
        if (launch->args[i].kind == TRACE_ARG_BUFFER ||
            launch->args[i].kind == TRACE_ARG_IMAGE)
            value[FEATURE_GEO_ARG_BYTES] += (double)launch->args[i].bytes;
    value[FEATURE_GEO_SLM_BYTES] = launch->slm_bytes;
    value[FEATURE_CODE_INSTS] = kernel->code.count;
    value[FEATURE_CODE_BYTES] = kernel->code.text_bytes;
    value[FEATURE_CODE_BLOCKS] = kernel->blocks.count;
    value[FEATURE_CODE_GRFS] = code_grfs(&kernel->code);
    value[FEATURE_CODE_BARRIER] = kernel->barriers;
    occupancy(kernel, launch, value);
}
