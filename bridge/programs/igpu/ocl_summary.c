/* ocl_summary.c - see ocl_summary.h. */
#include "bridge/programs/igpu/ocl_summary.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 4096, LINE_BYTES = 4096, PATH_BYTES = 4096, FIELDS = 21 };

/* Columns of launches.csv. */
enum {
    KERNEL = 1,
    THREADS = 5,
    INSTRUCTIONS,
    CYCLES = 10,
    TIME_NS,
    TRACE,
    SAMPLED,
    LOW, /* this and the next one 0 unless the cycles are extrapolated */
    HIGH,
    QUEUE,
    ERROR,
    PKG_NJ, /* this and the two behind it with IGPU_ENERGY=1 alone */
    DRAM_NJ
};

struct line {
    char name[256];
    uint64_t launches, recorded, sampled, failed, threads, instructions, cycles, ns;
    uint64_t low, high; /* of the cycles */
    double nj;          /* package and DRAM */
};

struct table {
    struct line *line;
    unsigned count;
    struct line total;
};

/* Cut text at its commas; false unless it has all columns, or all but the energies:
 * these are "" then. */
static bool line_split(char *text, char *field[FIELDS])
{
    text[strcspn(text, "\r\n")] = '\0';
    for (unsigned i = 0; i < FIELDS; i++) {
        char *comma = strchr(text, ',');

        field[i] = text;
        if (comma == NULL && i == ERROR) {
            field[PKG_NJ] = field[DRAM_NJ] = text + strlen(text);
            return true;
        }
        if (comma == NULL)
            return i == FIELDS - 1;
        *comma = '\0';
        text = comma + 1;
    }
    return false;
}

static struct line *line_of(struct table *t, const char *name)
{
    for (unsigned i = 0; i < t->count; i++)
        if (strcmp(t->line[i].name, name) == 0)
            return &t->line[i];
    if (t->count == MAX_KERNELS)
        return &t->line[MAX_KERNELS - 1];
    snprintf(t->line[t->count].name, sizeof(t->line[0].name), "%s", name);
    return &t->line[t->count++];
}

/* Of cycles that are exact: these. */
static uint64_t bound(char *const field[FIELDS], unsigned which)
{
    return strtoull(field[field[HIGH][0] != '0' ? which : (unsigned)CYCLES], NULL, 10);
}

static void row_add(struct line *l, char *const field[FIELDS])
{
    l->launches++;
    l->recorded += field[TRACE][0] != '\0';
    l->sampled += strcmp(field[SAMPLED], "0") != 0;
    l->failed += field[ERROR][0] != '\0';
    l->threads += strtoull(field[THREADS], NULL, 10);
    l->instructions += strtoull(field[INSTRUCTIONS], NULL, 10);
    l->cycles += strtoull(field[CYCLES], NULL, 10);
    l->low += bound(field, LOW);
    l->high += bound(field, HIGH);
    l->ns += strtoull(field[TIME_NS], NULL, 10);
    l->nj += strtod(field[PKG_NJ], NULL) + strtod(field[DRAM_NJ], NULL);
}

static bool read_list(struct table *t, const char *path)
{
    char text[LINE_BYTES], *field[FIELDS];
    FILE *in = fopen(path, "r");

    if (in == NULL)
        return false;
    (void)fgets(text, sizeof(text), in); /* the header */
    while (fgets(text, sizeof(text), in) != NULL)
        if (line_split(text, field)) {
            row_add(line_of(t, field[KERNEL]), field);
            row_add(&t->total, field);
        }
    (void)fclose(in);
    return true;
}

static void print_line(FILE *out, const struct line *l, bool timed)
{
    fprintf(out, "%-32.32s %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %14" PRIu64, l->name,
            l->launches, l->recorded, l->threads, l->instructions);
    if (timed)
        fprintf(out, " %14" PRIu64 " %14.3f", l->cycles, (double)l->ns / 1e3);
    if (timed && l->nj > 0)
        fprintf(out, " %14.3f %8.3f", l->nj / 1e3, l->nj / (double)l->ns);
    if (l->sampled > 0)
        fprintf(out, "  %" PRIu64 " sampled", l->sampled);
    if (timed && l->high > l->low)
        fprintf(out, "  %+.1f to %+.1f %%",
                100 * ((double)l->low / (double)l->cycles - 1),
                100 * ((double)l->high / (double)l->cycles - 1));
    if (l->failed > 0)
        fprintf(out, "  %" PRIu64 " failed", l->failed);
    fputc('\n', out);
}

/* launches.csv, launches.1.csv ... of the folder. */
static void list_path(char path[PATH_BYTES], const char *dir, unsigned i)
{
    if (i == 0)
        snprintf(path, PATH_BYTES, "%s/launches.csv", dir);
    else
        snprintf(path, PATH_BYTES, "%s/launches.%u.csv", dir, i);
}

void ocl_summary(const char *dir, FILE *out)
{
    struct table t = {.line = calloc(MAX_KERNELS, sizeof(struct line)),
                      .total = {.name = "all"}};
    char path[PATH_BYTES];
    bool timed;

    if (t.line == NULL)
        return;
    list_path(path, dir, 0);
    for (unsigned i = 1; read_list(&t, path); i++)
        list_path(path, dir, i);
    timed = t.total.cycles > 0;
    if (t.total.launches == 0) {
        fprintf(out, "igpu run: no launch: the program ran no kernel, none to its "
                     "end, or not through the system's OpenCL loader\n");
    } else {
        fprintf(out, "%-32s %8s %8s %10s %14s%s%s\n", "kernel", "launches", "traces",
                "threads", "instructions",
                timed ? "         cycles        time us" : "",
                timed && t.total.nj > 0 ? "      energy uJ  power W" : "");
        for (unsigned i = 0; i < t.count; i++)
            print_line(out, &t.line[i], timed);
        if (t.count > 1)
            print_line(out, &t.total, timed);
    }
    free(t.line);
}
