/* published.c - see published.h. */
#include "bridge/programs/bench/published.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *config, *agent;
    uint64_t from, to;
    double ns;
    const char *source;
} latencies[] = {
#define PUBLISHED_LATENCY(config, agent, from, to, ns, source)                         \
    {config, agent, from, to, ns, source},
#define PUBLISHED_CELL(table, row, column, ns)
#include "bridge/programs/bench/published.def"
#undef PUBLISHED_LATENCY
#undef PUBLISHED_CELL
};

static const struct {
    char table;
    uint8_t row, column;
    double ns;
} cells[] = {
#define PUBLISHED_LATENCY(config, agent, from, to, ns, source)
#define PUBLISHED_CELL(table, row, column, ns) {table, row, column, ns},
#include "bridge/programs/bench/published.def"
#undef PUBLISHED_LATENCY
#undef PUBLISHED_CELL
};

double published_latency(const char *config, const char *agent, uint64_t bytes,
                         const char **source)
{
    for (size_t i = 0; i < sizeof(latencies) / sizeof(latencies[0]); i++)
        if (strcmp(latencies[i].config, config) == 0 &&
            strcmp(latencies[i].agent, agent) == 0 && latencies[i].from <= bytes &&
            bytes <= latencies[i].to) {
            if (source != NULL)
                *source = latencies[i].source;
            return latencies[i].ns;
        }
    return NAN;
}

double published_cell(char table, uint64_t row_mb, uint64_t column_mb)
{
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
        if (cells[i].table == table && cells[i].row == row_mb &&
            cells[i].column == column_mb)
            return cells[i].ns;
    return NAN;
}

double published_error(double ours, double published)
{
    return 100.0 * (ours / published - 1.0);
}
