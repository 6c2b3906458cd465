/* trace_launch.c - launches as protobuf messages and back; see trace_code.h. */
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_code.h"
#include "traces/format/trace_toggles.h"

const char *trace_launch_fault(const struct trace_launch *launch, uint32_t kernels)
{
    uint64_t groups = 1, here;

    if (launch->kernel >= kernels)
        return "its kernel does not exist";
    if (launch->dims < 1 || launch->dims > 3)
        return "its number of dimensions is not 1 to 3";
    if (launch->nargs > TRACE_MAX_ARGS)
        return "it has too many arguments";
    if ((uint32_t)launch->arbiter > TRACE_ARBITER_OLDEST)
        return "its arbiter is not known";
    if (launch->slm_bytes > TRACE_MAX_SLM_BYTES)
        return "its SLM size is not valid";
    for (unsigned d = 0; d < 3; d++) {
        if (launch->local[d] == 0 || launch->global[d] == 0)
            return "a size is 0";
        if (launch->global[d] > UINT64_MAX - launch->local[d])
            return "a size is too large";
        here = (launch->global[d] + launch->local[d] - 1) / launch->local[d];
        if (here > TRACE_MAX_THREADS / groups)
            return "it has too many groups";
        groups *= here;
    }
    if (launch->threads_per_group == 0 || launch->threads > TRACE_MAX_THREADS ||
        launch->threads != groups * launch->threads_per_group)
        return "its threads are not groups times threads per group";
    for (uint32_t i = 0; i < launch->nargs; i++)
        if (launch->args[i].kind == TRACE_ARG_VALUE &&
            (launch->args[i].bytes > TRACE_MAX_ARG_BYTES ||
             (launch->args[i].bytes > 0 && !launch->args[i].value)))
            return "an argument's value is too large";
    return NULL;
}

static void pack_arg(const struct trace_arg *arg, Vigpu__Trace__Arg *to)
{
    vigpu__trace__arg__init(to);
    to->kind = (Vigpu__Trace__ArgKind)arg->kind;
    to->address = arg->address;
    if (arg->kind == TRACE_ARG_VALUE) {
        to->value.data = (uint8_t *)arg->value;
        to->value.len = (size_t)arg->bytes;
    } else {
        to->bytes = arg->bytes;
    }
}

enum igpu_status trace_launch_write(struct trace_out *out,
                                    const struct trace_launch *launch,
                                    struct trace_section *section, struct igpu_err *err)
{
    Vigpu__Trace__Launch message = VIGPU__TRACE__LAUNCH__INIT;
    Vigpu__Trace__Totals totals = VIGPU__TRACE__TOTALS__INIT;
    Vigpu__Trace__Toggles toggles;
    Vigpu__Trace__Arg arg[TRACE_MAX_ARGS], *args[TRACE_MAX_ARGS];
    enum igpu_status status;

    for (uint32_t i = 0; i < launch->nargs; i++) {
        pack_arg(&launch->args[i], &arg[i]);
        args[i] = &arg[i];
    }
    message.kernel = launch->kernel;
    message.dims = launch->dims;
    message.n_global = message.n_local = message.n_offset = 3;
    message.global = (uint64_t *)launch->global;
    message.local = (uint64_t *)launch->local;
    message.offset = (uint64_t *)launch->offset;
    message.slm_bytes = launch->slm_bytes;
    message.threads_per_group = launch->threads_per_group;
    message.threads = launch->threads;
    message.context = launch->context;
    message.draw = launch->draw;
    message.arbiter = (Vigpu__Trace__Arbiter)launch->arbiter;
    message.n_args = launch->nargs;
    message.args = args;
    totals.instructions = launch->totals.instructions;
    totals.lane_instructions = launch->totals.lane_instructions;
    totals.flops = launch->totals.flops;
    totals.blocks = launch->blocks;
    totals.accesses = launch->accesses;
    totals.lane_accesses = launch->lane_accesses;
    message.totals = &totals;
    if (launch->toggles) {
        if (!trace_toggles_pack(launch, &toggles))
            return igpu_no_memory(err, "trace writer");
        message.toggles = &toggles;
    }
    status = trace_out_section(out, TRACE_KIND_LAUNCH, &message.base, section, err);
    if (launch->toggles)
        trace_toggles_pack_free(&toggles);
    return status;
}

/* A copy with its own arguments and values. */
struct trace_launch *trace_launch_copy(const struct trace_launch *from)
{
    struct trace_launch *launch = malloc(sizeof(*launch));
    struct trace_arg *args = calloc(from->nargs + 1u, sizeof(*args));

    if (!launch || !args) {
        free(launch);
        free(args);
        return NULL;
    }
    *launch = *from;
    launch->args = args;
    launch->nargs = 0;
    if (!trace_toggles_copy(launch, from->toggles, from->toggle_count)) {
        launch->toggles = NULL;
        trace_launch_free(launch);
        return NULL;
    }
    launch->nargs = from->nargs;
    for (uint32_t i = 0; i < from->nargs; i++) {
        uint8_t *value = NULL;

        args[i] = from->args[i];
        args[i].value = NULL;
        if (args[i].kind != TRACE_ARG_VALUE || args[i].bytes == 0)
            continue;
        value = malloc((size_t)args[i].bytes);
        if (!value) {
            trace_launch_free(launch);
            return NULL;
        }
        memcpy(value, from->args[i].value, (size_t)args[i].bytes);
        args[i].value = value;
    }
    return launch;
}

void trace_launch_free(struct trace_launch *launch)
{
    if (!launch)
        return;
    for (uint32_t i = 0; i < launch->nargs; i++)
        free((uint8_t *)launch->args[i].value);
    free((struct trace_arg *)launch->args);
    free((struct toggle_count *)launch->toggles);
    free(launch);
}

static const char *read_launch(const Vigpu__Trace__Launch *from,
                               struct trace_launch *launch, struct trace_arg *args)
{
    if (from->n_global != 3 || from->n_local != 3 || from->n_offset != 3 ||
        from->n_args > TRACE_MAX_ARGS || !from->totals)
        return "a field is missing";
    launch->kernel = from->kernel;
    launch->dims = from->dims;
    memcpy(launch->global, from->global, sizeof(launch->global));
    memcpy(launch->local, from->local, sizeof(launch->local));
    memcpy(launch->offset, from->offset, sizeof(launch->offset));
    launch->slm_bytes = from->slm_bytes;
    launch->threads_per_group = from->threads_per_group;
    launch->threads = from->threads;
    launch->context = from->context;
    launch->draw = from->draw;
    launch->arbiter = (enum trace_arbiter)from->arbiter;
    launch->totals.instructions = from->totals->instructions;
    launch->totals.lane_instructions = from->totals->lane_instructions;
    launch->totals.flops = from->totals->flops;
    launch->blocks = from->totals->blocks;
    launch->accesses = from->totals->accesses;
    launch->lane_accesses = from->totals->lane_accesses;
    launch->nargs = (uint32_t)from->n_args;
    launch->args = args;
    for (uint32_t i = 0; i < launch->nargs; i++) {
        const Vigpu__Trace__Arg *arg = from->args[i];

        if ((uint32_t)arg->kind > TRACE_ARG_SAMPLER)
            return "an argument's kind is not known";
        args[i].kind = (enum trace_arg_kind)arg->kind;
        args[i].address = arg->address;
        args[i].bytes = arg->kind == VIGPU__TRACE__ARG_KIND__ARG_VALUE ? arg->value.len
                                                                       : arg->bytes;
        args[i].value =
            args[i].kind == TRACE_ARG_VALUE && arg->value.len ? arg->value.data : NULL;
    }
    return from->toggles ? trace_toggles_read(from->toggles, launch) : NULL;
}

struct trace_launch *trace_launch_read(const void *raw, size_t size, const char **what)
{
    struct trace_launch plain = {0}, *launch = NULL;
    struct trace_arg args[TRACE_MAX_ARGS];
    struct trace_budget budget;
    Vigpu__Trace__Launch *message;

    trace_budget_init(&budget, size);
    message = vigpu__trace__launch__unpack(&budget.allocator, size, raw);
    *what = message ? read_launch(message, &plain, args) : "it cannot be read";
    if (!*what)
        *what = trace_launch_fault(&plain, UINT32_MAX);
    if (!*what) {
        launch = trace_launch_copy(&plain);
        *what = launch ? NULL : igpu_short_memory;
    }
    free((struct toggle_count *)plain.toggles);
    if (message)
        vigpu__trace__launch__free_unpacked(message, &budget.allocator);
    return launch;
}
