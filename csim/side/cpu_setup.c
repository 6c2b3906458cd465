/* cpu_setup.c - igpu/cpu.h: agents from text, from files, and alone. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/clock.h"
#include "csim/side/system.h"
#include "igpu/cpu.h"
#include "igpu/grow.h"

enum { LINE_BYTES = 256 };
/* Bits of addresses in a trace, and of the parts that move_parts() moves. */
enum { PROCESS_BITS = 48, PART_BITS = 40, PARTS = 16, RAMULATOR_WIDTH = 4 };

/* ---- text ---- */

static enum igpu_status expected(const char *text, struct igpu_err *err)
{
    return igpu_fail(
        err, IGPU_USAGE,
        "CPU agent '%.60s': expected none, trace, chase:BYTES[:THREADS] or "
        "stream:BYTES[:THREADS]",
        text);
}

/* "BYTES[:THREADS]" by the rules of the keys. */
static enum igpu_status set_sizes(struct igpu_config *config, const char *sizes,
                                  struct igpu_err *err)
{
    const char *colon = strchr(sizes, ':');
    int length = colon != NULL ? (int)(colon - sizes) : (int)strlen(sizes);
    char key[80];
    enum igpu_status status;

    if (length == 0 || length > 40)
        return igpu_fail(err, IGPU_USAGE, "CPU agent: '%.60s' is no size", sizes);
    (void)snprintf(key, sizeof(key), "cpu.ws=%.*s", length, sizes);
    status = igpu_config_set(config, key, err);
    if (status == IGPU_OK && colon != NULL) {
        (void)snprintf(key, sizeof(key), "cpu.threads=%.40s", colon + 1);
        status = igpu_config_set(config, key, err);
    }
    return status;
}

enum igpu_status cpu_agent_set(struct igpu_config *config, const char *text,
                               struct igpu_err *err)
{
    struct igpu_config changed = *config;
    enum igpu_status status = IGPU_OK;

    changed.cpu_threads = 0;
    if (strcmp(text, "none") == 0) {
        changed.cpu_agent = CPU_NONE;
    } else if (strcmp(text, "trace") == 0) {
        changed.cpu_agent = CPU_TRACE;
    } else if (strncmp(text, "chase:", 6) == 0) {
        changed.cpu_agent = CPU_CHASE;
        status = set_sizes(&changed, text + 6, err);
    } else if (strncmp(text, "stream:", 7) == 0) {
        changed.cpu_agent = CPU_STREAM;
        status = set_sizes(&changed, text + 7, err);
    } else {
        return expected(text, err);
    }
    if (status == IGPU_OK)
        *config = changed;
    return status;
}

/* ---- files ---- */

/* A number and the blanks behind it, at *at; false: there is none. */
static bool take_number(const char **at, uint64_t *value)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    *value = strtoull(*at, &end, 0);
    *at = end + strspn(end, " \t");
    return true;
}

static bool is_word(const char *at, const char *letters)
{
    return *at != '\0' && strchr(letters, *at) != NULL &&
           (at[1] == ' ' || at[1] == '\t' || at[1] == '\0');
}

/* `R ADDRESS [GAP]`: the accesses of the line, 0 when it is none. */
static unsigned parse_own(const char *at, struct cpu_access access[2])
{
    uint64_t gap = 0;

    access[0] = (struct cpu_access){0, 0, *at == 'W', *at == 'D'};
    at += 1 + strspn(at + 1, " \t");
    if (!take_number(&at, &access[0].addr))
        return 0;
    (void)take_number(&at, &gap);
    access[0].gap = (uint32_t)gap;
    return *at == '\0' && gap <= UINT32_MAX ? 1 : 0;
}

/* Ramulator's: `ADDRESS R` of its traces of memory, `INSTRUCTIONS READ [WRITE]` of
 * those of cores, which do RAMULATOR_WIDTH instructions a cycle. */
static unsigned parse_ramulator(const char *at, struct cpu_access access[2])
{
    uint64_t first = 0, second = 0;
    bool writes;

    (void)take_number(&at, &first);
    access[0] = access[1] = (struct cpu_access){first, 0, *at == 'W', false};
    if (is_word(at, "RW")) {
        at++;
        return at[strspn(at, " \t")] == '\0' ? 1 : 0;
    }
    first = first / RAMULATOR_WIDTH + (first % RAMULATOR_WIDTH != 0);
    if (!take_number(&at, &second) || first > UINT32_MAX)
        return 0;
    access[0] = (struct cpu_access){second, (uint32_t)first, false, false};
    writes = take_number(&at, &access[1].addr);
    access[1].write = true;
    return *at != '\0' ? 0 : writes ? 2 : 1;
}

/* The accesses of a line; 0: it is not of a form that cpu.h tells. */
static unsigned parse_line(const char *text, struct cpu_access access[2])
{
    const char *at = text + strspn(text, " \t");
    unsigned count = is_word(at, "RWD")         ? parse_own(at, access)
                     : *at >= '0' && *at <= '9' ? parse_ramulator(at, access)
                                                : 0;

    for (unsigned i = 0; i < count; i++)
        if (access[i].addr >> PROCESS_BITS != 0)
            return 0;
    return count;
}

/* Processes spread over 2^47 bytes (code at 0x55.., the stack at 0x7f..), of which the
 * agent has 2^44: parts of 1 TB that lie beyond move to parts of it that the trace does
 * not use. False: it uses more parts than there are. */
static bool move_parts(struct cpu_access *list, uint32_t count)
{
    uint8_t to[1 << (PROCESS_BITS - PART_BITS)];
    bool used[PARTS] = {false};
    unsigned next = PARTS;

    memset(to, 0, sizeof(to));
    for (uint32_t i = 0; i < count; i++)
        if (list[i].addr >> PART_BITS < PARTS)
            used[list[i].addr >> PART_BITS] = true;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t part = list[i].addr >> PART_BITS;

        if (part < PARTS)
            continue;
        if (to[part] == 0) {
            while (next > 0 && used[next - 1])
                next--;
            if (next == 0)
                return false;
            to[part] = (uint8_t)next--; /* one more than its number */
        }
        list[i].addr = (list[i].addr & ((UINT64_C(1) << PART_BITS) - 1)) |
                       (uint64_t)(to[part] - 1) << PART_BITS;
    }
    return true;
}

static enum igpu_status read_lines(FILE *in, const char *path, struct cpu_access **list,
                                   uint32_t *count, struct igpu_err *err)
{
    char text[LINE_BYTES];
    uint32_t size = 0;

    for (unsigned number = 1; fgets(text, sizeof(text), in) != NULL; number++) {
        struct cpu_access access[2];
        unsigned accesses;

        text[strcspn(text, "#\r\n")] = '\0';
        if (text[strspn(text, " \t")] == '\0')
            continue;
        accesses = parse_line(text, access);
        if (accesses == 0)
            return igpu_fail(
                err, IGPU_BAD_INPUT,
                "%s: line %u: expected R, W or D, an address below 2^48 "
                "and perhaps a gap in cycles, as in `R 0x1000 4`, or a line "
                "of Ramulator's (`0x1000 R`, `12 4096 8192`)",
                path, number);
        for (unsigned i = 0; i < accesses; i++)
            if (!IGPU_APPEND(*list, *count, size, access[i]))
                return igpu_no_memory(err, "%s", path);
    }
    if (!move_parts(*list, *count))
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: its addresses lie in more than %d parts of 1 TB", path,
                         (int)PARTS);
    if (*count == 0)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: no access in it", path);
    return IGPU_OK;
}

enum igpu_status cpu_trace_read(const char *path, struct cpu_access **list,
                                uint32_t *count, struct igpu_err *err)
{
    FILE *in = fopen(path, "r");
    enum igpu_status status;

    *list = NULL;
    *count = 0;
    if (in == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot read: %s", path,
                         strerror(errno));
    status = read_lines(in, path, list, count, err);
    (void)fclose(in);
    if (status != IGPU_OK) {
        free(*list);
        *list = NULL;
    }
    return status;
}

enum igpu_status mem_cpu_trace(struct mem_system *mem, const struct cpu_access *list,
                               uint32_t count, struct igpu_err *err)
{
    if (cpu_set_list(&mem->cpu, list, count))
        return IGPU_OK;
    return igpu_no_memory(err, "the CPU's address trace");
}

/* ---- alone ---- */

enum { ALONE_CYCLES = 64 }; /* of the GPU, between two looks at the counter */

static enum igpu_status run_until(struct mem_system *mem, uint64_t *cycle,
                                  uint64_t requests)
{
    uint64_t before = *cycle;

    while (mem_stats(mem)->cpu_requests < requests) {
        *cycle += ALONE_CYCLES;
        mem_run(mem, *cycle);
        if (mem_stats(mem)->cpu_requests == 0 && *cycle > before + (1U << 30))
            return IGPU_SIM_ERROR;
    }
    return IGPU_OK;
}

enum igpu_status cpu_run_alone(const struct igpu_config *config,
                               const struct cpu_access *list, uint32_t count,
                               uint64_t warm, uint64_t requests,
                               struct mem_stats *stats, uint64_t *ps,
                               struct igpu_err *err)
{
    struct igpu_config awake = *config;
    struct mem_system *mem;
    struct mem_stats before;
    uint64_t cycle = 0, begin;
    enum igpu_status status;

    if (config->cpu_agent == CPU_NONE || (config->cpu_agent == CPU_TRACE && count == 0))
        return igpu_fail(err, IGPU_USAGE, "no CPU agent to run: set cpu.agent");
    awake.cpu_start = 1;
    status = mem_create(&mem, &awake, err);
    if (status == IGPU_OK && count != 0 && config->cpu_agent == CPU_TRACE)
        status = mem_cpu_trace(mem, list, count, err);
    if (status == IGPU_OK)
        status = run_until(mem, &cycle, warm);
    if (status != IGPU_OK) {
        mem_destroy(mem);
        return status;
    }
    before = *mem_stats(mem);
    begin = cycle;
    status = run_until(mem, &cycle, mem_stats(mem)->cpu_requests + requests);
    *stats = *mem_stats(mem);
    mem_stats_sub(stats, &before);
    *ps = clock_ps(cycle, config->gpu_clock_hz) - clock_ps(begin, config->gpu_clock_hz);
    if (status == IGPU_OK)
        status = mem_check(mem, err);
    mem_destroy(mem);
    return status;
}
