/* view_energy.c - the EUs' switching energy of a launch by instruction
 * (docs/guide/profile.md, section 10); see view.h. The launch's energy is the power
 * model's; an instruction has of it what its executions with all lanes would take,
 * since enabled lanes are known of a launch only. */
#include <inttypes.h>
#include <stdlib.h>

#include "bridge/programs/view/view.h"
#include "igpu/json.h"

static double eu_pj(const struct power_model *model, const struct power_events *events)
{
    struct power_report report;
    double sum = 0;

    power_evaluate(model, events, &report);
    for (unsigned i = 0; i < POWER_CLASSES; i++)
        sum += report.class_pj[i];
    return sum;
}

double *view_energy(const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    const struct trace_kernel *k = view_kernel(v, at);
    double *pj = calloc(r->count, sizeof(*pj)), sum = 0, whole;
    struct power_model model;

    if (pj == NULL || v->energy == NULL) {
        free(pj);
        return NULL;
    }
    power_model_init(&model, v->config);
    for (uint32_t i = 0; i < r->count; i++) {
        struct power_events events = {.lanes = UINT64_MAX};
        struct power_inst inst;

        if (r->inst[i].issues == 0)
            continue;
        power_inst_from(&k->code.inst[i], &inst);
        power_count(&events, &inst, r->inst[i].issues);
        pj[i] = eu_pj(&model, &events);
        sum += pj[i];
    }
    whole = eu_pj(&model, &v->energy[at]);
    for (uint32_t i = 0; i < r->count && sum > 0; i++)
        pj[i] *= whole / sum;
    return pj;
}

void view_text_energy(FILE *out, const struct view *v, uint32_t at)
{
    const struct profile_result *r = &v->result[at];
    double *pj = view_energy(v, at), whole = 0;
    char text[VIEW_ASM];

    if (pj == NULL)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        whole += pj[i];
    fprintf(out,
            "\n%7s  %10s  %5s  instruction: of the EUs' switching energy, %.3f uJ\n",
            "share", "pJ each", "index", whole * 1e-6);
    for (uint32_t n = 0; n < v->top && whole > 0; n++) {
        uint32_t most = 0;

        for (uint32_t i = 1; i < r->count; i++)
            if (pj[i] > pj[most])
                most = i;
        if (!(pj[most] > 0))
            break;
        view_disasm(view_kernel(v, at), most, text);
        fprintf(out, "%5.1f %%  %10.1f  %5" PRIu32 ": %s\n", 100 * pj[most] / whole,
                pj[most] / (double)r->inst[most].issues, most, text);
        pj[most] = 0;
    }
    free(pj);
}
