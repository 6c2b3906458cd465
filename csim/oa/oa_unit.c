/* oa_unit.c - see igpu/oa_unit.h. */
#include "igpu/oa_unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 oa_u128;

/* ---- time ------------------------------------------------------------------ */

uint64_t oa_timestamp(uint64_t cycle, uint64_t gpu_hz)
{
    return (uint64_t)((oa_u128)cycle * OA_TIMESTAMP_HZ / gpu_hz);
}

uint64_t oa_timer_next(uint32_t exponent, uint64_t gpu_hz, uint64_t from)
{
    uint64_t period = UINT64_C(2) << exponent;
    /* Multiple n is at ceil(n x period x gpu_hz / OA_TIMESTAMP_HZ): not below `from`
     * for the least n with n x period x gpu_hz > (from - 1) x OA_TIMESTAMP_HZ. */
    oa_u128 step = (oa_u128)period * gpu_hz, n = 1;

    if (from > 0)
        n = (oa_u128)(from - 1) * OA_TIMESTAMP_HZ / step + 1;
    return (uint64_t)((n * step + OA_TIMESTAMP_HZ - 1) / OA_TIMESTAMP_HZ);
}

double oa_timer_seconds(uint32_t exponent)
{
    return (double)(UINT64_C(2) << exponent) / OA_TIMESTAMP_HZ;
}

static double unit_seconds(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

    for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].seconds;
    return 0;
}

enum igpu_status oa_timer_parse(const char *text, uint32_t *exponent,
                                struct igpu_err *err)
{
    char *end;
    double number = isdigit((unsigned char)*text) ? strtod(text, &end) : 0;
    double seconds = number > 0 ? number * unit_seconds(end) : 0, power;

    if (!(seconds > 0) || !isfinite(seconds))
        return igpu_fail(err, IGPU_USAGE,
                         "%s: expected a time with its unit, such as 10us (ns, us, ms, "
                         "s)",
                         text);
    power = round(log2(seconds * OA_TIMESTAMP_HZ)) - 1;
    if (power < -1 || power > OA_EXPONENTS)
        return igpu_fail(err, IGPU_USAGE,
                         "%s: the OA timer has periods from 167ns to 357s", text);
    *exponent = power < 0              ? 0
                : power < OA_EXPONENTS ? (uint32_t)power
                                       : OA_EXPONENTS - 1;
    return IGPU_OK;
}

/* ---- counters -------------------------------------------------------------- */

/* Over the slices' banks of this number. */
#define BANK_SUM(name, field)                                                          \
    static uint64_t name(const struct igpu_sample *s, const struct igpu_config *c,     \
                         uint32_t bank)                                                \
    {                                                                                  \
        uint64_t sum = 0;                                                              \
                                                                                       \
        for (uint64_t i = bank; bank < c->l3_banks && i < c->gpu_slices * c->l3_banks; \
             i += c->l3_banks)                                                         \
            sum += s->mem.bank[i].field;                                               \
        return sum;                                                                    \
    }
BANK_SUM(bank_accesses, accesses)
BANK_SUM(bank_gti_reads, gti_reads)
BANK_SUM(bank_gti_writes, gti_writes)
#undef BANK_SUM

static uint64_t compute_threads(const struct igpu_sample *s)
{
    uint64_t count = s->eu.threads;

    for (uint32_t i = 1; i < SAMPLE_STAGES; i++)
        count -= s->graphics.threads[i];
    return count;
}

/* Of the cycles before this one, how many have a number below `share` modulo 6. */
static uint64_t in_six(uint64_t cycle, uint64_t share)
{
    uint64_t rest = cycle % 6;

    return cycle / 6 * share + (rest < share ? rest : share);
}

/* Sets whose A10 to A18 are EU time of vertex and pixel shaders. */
static bool tells_shaders(const struct oa_set *set)
{
    static const char *const symbols[] = {
        "RenderBasic", "HDCAndSF", "L3_1",  "L3_2", "L3_3", "RasterizerAndPixelBackend",
        "Sampler",     "TDL_1",    "TDL_2",
    };

    for (uint32_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
        if (strcmp(symbols[i], set->symbol) == 0)
            return true;
    return false;
}

static bool is_for(const char *symbol, const struct oa_set *set)
{
    return *symbol == '\0' || strcmp(symbol, set->symbol) == 0 ||
           (strcmp(symbol, "3D") == 0 && tells_shaders(set));
}

void oa_unit_read(const struct oa_set *set, const struct igpu_config *config,
                  const struct igpu_sample *s, struct oa_counters *counters)
{
    struct {
        bool a[OA_A_COUNTERS], b[OA_B_COUNTERS], c[OA_C_COUNTERS];
    } known = {{false}, {false}, {false}};
    struct oa_counters count = {.report_id = counters->report_id,
                                .context = counters->context,
                                .timestamp =
                                    oa_timestamp(s->cycle, config->gpu_clock_hz),
                                .clocks = s->cycle};

#define OA_COUNTER(symbol, letter, index, expression, text)                            \
    if (!known.letter[index] && is_for(symbol, set)) {                                 \
        known.letter[index] = true;                                                    \
        count.letter[index] = (expression);                                            \
    }
#include "oa_unit.def"
#undef OA_COUNTER
    *counters = count;
}

const char *oa_unit_source(const struct oa_set *set, char letter, uint32_t index)
{
    static const struct {
        const char *symbol, *letter, *text;
        uint32_t index;
    } rows[] = {
#define OA_COUNTER(symbol, letter, index, expression, text)                            \
    {symbol, #letter, text, index},
#include "oa_unit.def"
#undef OA_COUNTER
    };

    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].index == index &&
            *rows[i].letter == tolower((unsigned char)letter) &&
            is_for(rows[i].symbol, set))
            return rows[i].text;
    return NULL;
}

bool oa_unit_kinds(const struct oa_set *set)
{
    return strcmp(set->symbol, "ComputeL3Cache") == 0 ||
           strcmp(set->symbol, "AsyncCompute") == 0 ||
           strcmp(set->symbol, "FfBottlenecks") == 0 || tells_shaders(set);
}

/* The next word of an equation, cut to size; false: none. */
static bool next_word(const char **at, char *word, size_t size)
{
    size_t n;

    *at += strspn(*at, " ");
    n = strcspn(*at, " ");
    if (n == 0)
        return false;
    (void)memcpy(word, *at, n < size ? n : size - 1);
    word[n < size ? n : size - 1] = '\0';
    *at += n;
    return true;
}

static bool is_driven(const struct oa_set *set, char space, const char *index)
{
    return strchr("ABC", space) == NULL ||
           oa_unit_source(set, space, (uint32_t)strtoul(index, NULL, 10)) != NULL;
}

bool oa_unit_drives(const struct oa_set *set, uint32_t index)
{
    const char *at = oa_set_metric(set, index)->equation;
    char word[64], before[64] = "", last[64] = "";
    bool drives = true;

    while (drives && next_word(&at, word, sizeof(word))) {
        if (strcmp(word, "READ") == 0)
            drives = strlen(before) > 1 || is_driven(set, before[0], last);
        else if (strcmp(word, "PERFCNT") == 0)
            drives = false;
        else if (word[0] == '$')
            for (uint32_t i = 0; i < index; i++)
                if (strcmp(oa_set_metric(set, i)->symbol, word + 1) == 0)
                    drives = oa_unit_drives(set, i);
        (void)memcpy(before, last, sizeof(before));
        (void)memcpy(last, word, sizeof(last));
    }
    return drives;
}

/* ---- the device ------------------------------------------------------------ */

void oa_unit_info(const struct igpu_config *config, const struct oa_set *set,
                  struct oa_recording_info *info)
{
    /* HD Graphics 530: the sets and equations are Skylake GT2's, whatever the machine.
     */
    enum { PCI_SKYLAKE_GT2 = 0x1912 };
    uint32_t slices = (uint32_t)config->gpu_slices;
    uint32_t subslices = (uint32_t)config->gpu_subslices;

    memset(info, 0, sizeof(*info));
    info->device = (struct oa_device){.timestamp_hz = OA_TIMESTAMP_HZ,
                                      .min_hz = config->gpu_clock_hz,
                                      .max_hz = config->gpu_clock_hz,
                                      .eus = subslices * (uint32_t)config->eu_count,
                                      .slices = slices,
                                      .subslices = subslices,
                                      .threads = (uint32_t)config->eu_threads,
                                      .slice_mask = (UINT64_C(1) << slices) - 1};
    for (uint32_t i = 0; i < subslices; i++) {
        uint32_t each = (subslices + slices - 1) / slices;

        info->device.subslice_mask |= UINT64_C(1) << (3 * (i / each) + i % each);
    }
    info->pci_id = PCI_SKYLAKE_GT2;
    info->format = OA_A32U40_A4U32_B8_C8;
    strncpy(info->set, set->symbol, sizeof(info->set) - 1);
    strncpy(info->uuid, set->uuid, sizeof(info->uuid) - 1);
}
