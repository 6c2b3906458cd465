/* bench_alone.c - see bench_alone.h. */
#include "bridge/programs/bench/bench_alone.h"

#include <string.h>

#include "igpu/cpu.h"
#include "igpu/stats.h"

enum igpu_status bench_alone(FILE *out, const struct igpu_config *config, uint64_t warm,
                             uint64_t measured, struct igpu_err *err)
{
    struct mem_stats mem;
    struct sim_stats s = {.complete = true};
    struct stats_report report = {
        .config = config, .launch = &s, .launches = 1, .total = &s};
    uint64_t ps = 0;
    enum igpu_status status =
        cpu_run_alone(config, NULL, 0, warm, measured, &mem, &ps, err);

    if (status != IGPU_OK)
        return status;
#define MEM_STAT(section, name, unit, text) s.section##_##name = mem.section##_##name;
#define MEM_PEAK(section, name, unit, text) MEM_STAT(section, name, unit, text)
#include "igpu/mem_stats.def"
#undef MEM_STAT
#undef MEM_PEAK
    s.run_cycles = (uint64_t)((double)ps * 1e-12 * (double)config->gpu_clock_hz);
    (void)strcpy(s.kernel, "cpu");
    stats_write_csv(out, &report);
    return IGPU_OK;
}
