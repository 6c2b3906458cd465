/* stats_write.c - text, JSON and CSV of struct sim_stats; see igpu/stats.h. */
#include "igpu/stats.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "csim/stats/stats_energy.h"
#include "igpu/json.h"
#include "igpu/output.h"

enum { SCHEMA = 1 };

struct stat_info {
    const char *section, *name, *unit, *text;
    size_t offset;
};

static const struct stat_info infos[] = {
#define IGPU_STAT(section, name, unit, text)                                           \
    {#section, #name, unit, text, offsetof(struct sim_stats, section##_##name)},
#include "igpu/stats.def"
#undef IGPU_STAT
};
enum { INFO_COUNT = sizeof(infos) / sizeof(infos[0]) };

/* Derived values, printed beside the counters; all follow from them. */
struct derived {
    const char *name, *unit, *text;
    double (*value)(const struct sim_stats *s, const struct igpu_config *config);
};

static double time_ns(const struct sim_stats *s, const struct igpu_config *config)
{
    return (double)s->run_cycles * 1e9 / (double)config->gpu_clock_hz;
}

static double gflops(const struct sim_stats *s, const struct igpu_config *config)
{
    double ns = time_ns(s, config);

    return ns > 0 ? (double)s->run_flops / ns : 0.0;
}

static const struct derived deriveds[] = {
    {"time_ns", "ns", "cycles at gpu.clock_hz", time_ns},
    {"gflops", "GFLOP/s", "flops / time_ns", gflops},
};
enum { DERIVED_COUNT = sizeof(deriveds) / sizeof(deriveds[0]) };

static uint64_t value_of(const struct sim_stats *s, const struct stat_info *info)
{
    uint64_t value;

    memcpy(&value, (const char *)s + info->offset, sizeof(value));
    return value;
}

/* Picoseconds are printed as nanoseconds, under a key that says so. */
static bool is_ps(const struct stat_info *info)
{
    return strcmp(info->unit, "ps") == 0;
}

static void json_value(struct igpu_json *j, const struct sim_stats *s,
                       const struct stat_info *info)
{
    if (is_ps(info))
        igpu_json_fixed(j, info->name, value_of(s, info), 3);
    else
        igpu_json_u64(j, info->name, value_of(s, info));
}

static bool same_section(unsigned a, unsigned b)
{
    return strcmp(infos[a].section, infos[b].section) == 0;
}

static bool is_top(unsigned i)
{
    return strcmp(infos[i].section, "run") == 0;
}

/* The section that info i opens, as one object; agents are together in one more. */
static void json_section(struct igpu_json *j, const struct sim_stats *s, unsigned i)
{
    bool agent = strcmp(infos[i].section, "cpu") == 0;

    if (agent)
        igpu_json_object(j, "agents", IGPU_JSON_ROW);
    igpu_json_object(j, infos[i].section, IGPU_JSON_ROW);
    for (unsigned k = i; k < INFO_COUNT; k++)
        if (same_section(i, k))
            json_value(j, s, &infos[k]);
    igpu_json_end(j);
    if (agent)
        igpu_json_end(j);
}

static bool opens_line(unsigned i)
{
    for (unsigned j = 0; j < i && !is_top(i); j++)
        if (same_section(i, j))
            return false;
    return true;
}

/* The counters as members of the object that is open. */
static void json_counters(struct igpu_json *j, const struct sim_stats *s,
                          const struct igpu_config *config)
{
    for (unsigned i = 0; i < INFO_COUNT; i++) {
        if (!opens_line(i))
            continue;
        if (is_top(i))
            json_value(j, s, &infos[i]);
        else
            json_section(j, s, i);
    }
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        igpu_json_real(j, deriveds[i].name, deriveds[i].value(s, config), 6);
    igpu_json_bool(j, "complete", s->complete);
}

static void json_config(struct igpu_json *j, const struct igpu_config *config)
{
    size_t count;
    const struct igpu_param_info *params = igpu_params(&count);

    igpu_json_object(j, "config", IGPU_JSON_ROW);
    igpu_json_text(j, "name", config->name);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;

        memcpy(&value, (const char *)config + params[i].offset, sizeof(value));
        if (value > params[i].max) /* a loaded policy */
            igpu_json_text(j, params[i].key, igpu_policy_path(value));
        else
            igpu_json_u64(j, params[i].key, value);
    }
    igpu_json_end(j);
}

static double per_second(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0.0;
}

static void json_host(struct igpu_json *j, const struct stats_report *r)
{
    double cpu = r->host.cpu_seconds;

    igpu_json_object(j, "host", IGPU_JSON_ROW);
    igpu_json_real(j, "seconds", r->host.seconds, 6);
    igpu_json_real(j, "cpu_seconds", cpu, 6);
    igpu_json_real(j, "target_kcycles_per_s",
                   per_second((double)r->total->run_cycles / 1e3, cpu), 3);
    igpu_json_real(j, "thread_minstr_per_s",
                   per_second((double)r->total->run_instructions / 1e6, cpu), 6);
    igpu_json_u64(j, "rss_bytes", r->host.rss_bytes);
    igpu_json_end(j);
}

static void json_trace(struct igpu_json *j, const struct stats_report *r)
{
    igpu_json_object(j, "trace", IGPU_JSON_ROW);
    igpu_json_text(j, "path", r->trace_path);
    igpu_json_u64(j, "kernels", r->kernels);
    igpu_json_u64(j, "launches", r->launches_total);
    igpu_json_u64(j, "threads", r->threads_total);
    igpu_json_end(j);
}

static void json_interval(struct igpu_json *j, const struct stats_interval *i)
{
    igpu_json_object(j, "sample", IGPU_JSON_ROW);
    igpu_json_u64(j, "cycles_low", i->low);
    igpu_json_u64(j, "cycles_high", i->high);
    igpu_json_u64(j, "threads", i->threads);
    igpu_json_end(j);
}

static void json_band(struct igpu_json *j, const struct stats_band *b)
{
    igpu_json_object(j, "band", IGPU_JSON_ROW);
    igpu_json_u64(j, "cycles_low", b->low);
    igpu_json_u64(j, "cycles_high", b->high);
    igpu_json_u64(j, "sets", b->sets);
    igpu_json_u64(j, "sets_least", b->least);
    igpu_json_u64(j, "sets_most", b->most);
    igpu_json_end(j);
}

void stats_write_json(FILE *out, const struct stats_report *r)
{
    struct igpu_json j;

    igpu_json_start(&j, out, false);
    igpu_json_object(&j, NULL, IGPU_JSON_LINES);
    igpu_json_u64(&j, "schema", SCHEMA);
    igpu_json_text(&j, "version", IGPU_VERSION);
    igpu_json_text(&j, "engine", r->engine);
    json_config(&j, r->config);
    json_trace(&j, r);
    json_counters(&j, r->total, r->config);
    if (r->energy != NULL)
        stats_energy_json(&j, r->energy->total, r->energy);
    if (r->sample != NULL)
        json_interval(&j, r->sample->total);
    if (r->band != NULL)
        json_band(&j, r->band);
    igpu_json_u64(&j, "clock_hz", r->config->gpu_clock_hz);
    igpu_json_array(&j, "kernels", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < r->launches; i++) {
        igpu_json_object(&j, NULL, IGPU_JSON_LINES);
        igpu_json_text(&j, "name", r->launch[i].kernel);
        igpu_json_u64(&j, "launch", r->launch[i].index);
        igpu_json_u64(&j, "queue", r->launch[i].queue);
        json_counters(&j, &r->launch[i], r->config);
        if (r->energy != NULL)
            stats_energy_json(&j, &r->energy->launch[i], NULL);
        if (r->sample != NULL)
            json_interval(&j, &r->sample->launch[i]);
        igpu_json_end(&j);
    }
    igpu_json_end(&j);
    json_host(&j, r);
    igpu_json_end(&j);
}

/* A field with a comma, quote or newline is quoted, and its quotes are doubled. */
static void csv_text(FILE *out, const char *text)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    fputs(quoted ? "\"" : "", out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    fputs(quoted ? "\"" : "", out);
}

static void csv_line(FILE *out, const struct sim_stats *s, const char *name,
                     const struct igpu_config *config,
                     const struct power_report *energy,
                     const struct stats_interval *interval)
{
    csv_text(out, name);
    for (unsigned i = 0; i < INFO_COUNT; i++)
        fprintf(out, ",%" PRIu64, value_of(s, &infos[i]));
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        fprintf(out, ",%.6f", deriveds[i].value(s, config));
    fprintf(out, ",%d,%" PRIu32, s->complete, s->queue);
    if (energy != NULL)
        stats_energy_csv(out, energy);
    if (interval != NULL)
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, interval->low, interval->high,
                interval->threads);
    fputc('\n', out);
}

/* In CSV a picosecond counter keeps its unit: its column ends in _ps. */
static void csv_column(FILE *out, const struct stat_info *info)
{
    const char *end = is_ps(info) ? strstr(info->name, "_ns") : NULL;

    if (strcmp(info->section, "run") != 0)
        fprintf(out, ",%s.", info->section);
    else
        fputc(',', out);
    if (end != NULL)
        fprintf(out, "%.*s_ps%s", (int)(end - info->name), info->name, end + 3);
    else
        fputs(info->name, out);
}

void stats_write_csv(FILE *out, const struct stats_report *r)
{
    fputs("launch", out);
    for (unsigned i = 0; i < INFO_COUNT; i++)
        csv_column(out, &infos[i]);
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        fprintf(out, ",%s", deriveds[i].name);
    fputs(",complete,queue", out);
    if (r->energy != NULL)
        stats_energy_columns(out);
    if (r->sample != NULL)
        fputs(",sample.cycles_low,sample.cycles_high,sample.threads", out);
    fputc('\n', out);
    for (uint32_t i = 0; i < r->launches; i++) {
        char name[160];

        (void)snprintf(name, sizeof(name), "%u:%s", r->launch[i].index,
                       r->launch[i].kernel);
        csv_line(out, &r->launch[i], name, r->config,
                 r->energy != NULL ? &r->energy->launch[i] : NULL,
                 r->sample != NULL ? &r->sample->launch[i] : NULL);
    }
    csv_line(out, r->total, "total", r->config,
             r->energy != NULL ? r->energy->total : NULL,
             r->sample != NULL ? r->sample->total : NULL);
}

static void put_json(FILE *out, void *report)
{
    stats_write_json(out, report);
}

static void put_csv(FILE *out, void *report)
{
    stats_write_csv(out, report);
}

enum igpu_status stats_put(struct stats_report *report, const char *json,
                           const char *csv, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (json != NULL)
        status = igpu_output_put(json, put_json, report, err);
    if (status == IGPU_OK && csv != NULL)
        status = igpu_output_put(csv, put_csv, report, err);
    return status;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

static void text_eus(FILE *out, const struct sim_stats *s)
{
    uint64_t all = s->eu_active + s->eu_stall + s->eu_idle;

    fprintf(out,
            "EU cycles     %.1f %% active, %.1f %% stalled, %.1f %% idle\n"
            "units busy    FPU0 %.1f %%, FPU1 %.1f %%, both %.1f %%, SEND %.1f %%, "
            "BRANCH %.1f %%\n",
            percent(s->eu_active, all), percent(s->eu_stall, all),
            percent(s->eu_idle, all), percent(s->eu_fpu0, all),
            percent(s->eu_fpu1, all), percent(s->eu_fpu_both, all),
            percent(s->eu_send, all), percent(s->eu_branch, all));
    fprintf(out, "I-cache       %" PRIu64 " lines, %.1f %% hits\n", s->icache_accesses,
            percent(s->icache_hits, s->icache_accesses));
}

static void text_mem(FILE *out, const struct sim_stats *s)
{
    fprintf(out,
            "messages      %" PRIu64 ", mean %.1f ns, 99 %% within %.1f ns\n"
            "L3            %" PRIu64 " lines, %.1f %% hits\n"
            "LLC           %" PRIu64 " lines, %.1f %% hits\n",
            s->mem_requests, (double)s->mem_latency_ns_avg / 1e3,
            (double)s->mem_latency_ns_p99 / 1e3, s->l3_accesses,
            percent(s->l3_hits, s->l3_accesses), s->llc_accesses,
            percent(s->llc_hits, s->llc_accesses));
    if (s->slm_accesses > 0)
        fprintf(out,
                "SLM           %" PRIu64 " messages, %" PRIu64 " conflict cycles\n",
                s->slm_accesses, s->slm_conflict_cycles);
    if (s->tex_messages > 0)
        fprintf(out,
                "samplers      %" PRIu64 " messages, %" PRIu64 " lines, %.1f %% hits\n",
                s->tex_messages, s->tex_l1_accesses,
                percent(s->tex_l1_hits, s->tex_l1_accesses));
    if (s->edram_accesses > 0)
        fprintf(out, "eDRAM         %" PRIu64 " lines, %.1f %% hits\n",
                s->edram_accesses, percent(s->edram_hits, s->edram_accesses));
    fprintf(out,
            "DRAM          %" PRIu64 " reads, %" PRIu64 " writes, %.1f %% row hits\n",
            s->dram_reads, s->dram_writes,
            percent(s->dram_row_hits, s->dram_reads + s->dram_writes));
}

static void text_sample(FILE *out, const struct stats_report *r)
{
    const struct stats_interval *i = r->sample->total;
    double cycles = (double)r->total->run_cycles;

    fprintf(out,
            "sample        cycles from %" PRIu64 " to %" PRIu64
            " (%+.1f %%, %+.1f %%) with 95 %% confidence\n"
            "simulated     %" PRIu64 " threads (%.1f %%) of %u of %u launches\n",
            i->low, i->high, per_second(100 * ((double)i->low - cycles), cycles),
            per_second(100 * ((double)i->high - cycles), cycles), i->threads,
            percent(i->threads, r->total->run_threads_dispatched), r->sample->launches,
            r->launches);
}

static void text_band(FILE *out, const struct stats_report *r)
{
    const struct stats_band *b = r->band;
    double cycles = (double)r->total->run_cycles;

    fprintf(out,
            "band          cycles from %" PRIu64 " to %" PRIu64
            " (%+.1f %%, %+.1f %%) with 90 %% confidence;\n"
            "              %" PRIu32 " sets of parameters give %" PRIu64 " to %" PRIu64
            "\n",
            b->low, b->high, per_second(100 * ((double)b->low - cycles), cycles),
            per_second(100 * ((double)b->high - cycles), cycles), b->sets, b->least,
            b->most);
}

void stats_write_text(FILE *out, const struct stats_report *r)
{
    const struct sim_stats *s = r->total;

    for (uint32_t i = 0; i < r->launches && r->launches > 1; i++)
        fprintf(out, "launch %-6u %s: %" PRIu64 " cycles, %.2f GFLOP/s\n",
                r->launch[i].index, r->launch[i].kernel, r->launch[i].run_cycles,
                gflops(&r->launch[i], r->config));
    if (r->launches == 1)
        fprintf(out, "kernel        %s\n", r->launch[0].kernel);
    fprintf(out,
            "config        %s, engine %s\n"
            "cycles        %" PRIu64 "%s\n"
            "time          %.3f us at %.0f MHz\n"
            "threads       %" PRIu64 "\n"
            "instructions  %" PRIu64 " (%.3f per cycle), %" PRIu64 " lanes\n"
            "FLOPs         %" PRIu64 ": %.2f GFLOP/s, %.2f per cycle\n",
            r->config->name, r->engine, s->run_cycles,
            s->complete ? "" : " (stopped early)", time_ns(s, r->config) / 1e3,
            (double)r->config->gpu_clock_hz / 1e6, s->run_threads_dispatched,
            s->run_instructions,
            per_second((double)s->run_instructions, (double)s->run_cycles),
            s->run_lane_instructions, s->run_flops, gflops(s, r->config),
            per_second((double)s->run_flops, (double)s->run_cycles));
    if (r->sample != NULL)
        text_sample(out, r);
    if (r->band != NULL)
        text_band(out, r);
    text_eus(out, s);
    text_mem(out, s);
    if (r->energy != NULL)
        stats_energy_text(out, r);
    fprintf(out, "host          %.2f s, %.0f kcycles per CPU second\n", r->host.seconds,
            per_second((double)s->run_cycles / 1e3, r->host.cpu_seconds));
}

void stats_write_help(FILE *out)
{
    for (unsigned i = 0; i < INFO_COUNT; i++) {
        bool top = strcmp(infos[i].section, "run") == 0;

        fprintf(out, "%s%s%s [%s]: %s\n", top ? "" : infos[i].section, top ? "" : ".",
                infos[i].name, is_ps(&infos[i]) ? "ns" : infos[i].unit, infos[i].text);
    }
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        fprintf(out, "%s [%s]: %s\n", deriveds[i].name, deriveds[i].unit,
                deriveds[i].text);
    fputs(
        "complete [bool]: false when --max-cycles or Ctrl-C stopped the run\n"
        "queue: of its program's queues the one that a launch came from, from 0; 0 too "
        "where the trace does not tell, and in the total\n"
        "clock_hz [Hz]: gpu.clock_hz of the configuration\n"
        "energy.*_nj [nJ], with --energy: planes as RAPL's, igpu = pkg - pp0 - dram, "
        "parts and classes: docs/contract/power.md\n"
        "sample.cycles_low, sample.cycles_high [cycle], with --sample: between them "
        "the cycles lie with 95 % confidence (docs/guide/sampling.md)\n"
        "sample.threads [thread], with --sample: simulated\n"
        "band.cycles_low, band.cycles_high [cycle], with --band: between them a real "
        "machine's cycles lie with 90 % confidence (docs/reference/measured.md)\n"
        "band.sets: of parameters that were simulated; band.sets_least, "
        "band.sets_most [cycle]: the least and most cycles of them\n"
        "host.target_kcycles_per_s [kcycle/s]: cycles per CPU second of the "
        "simulation loop\n"
        "host.thread_minstr_per_s [Minstr/s]: instructions per CPU second\n",
        out);
}
