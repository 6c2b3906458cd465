/* frame_heat.c - see frame_heat.h. */
#include "bridge/programs/igpu/frame_heat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/output.h"

enum { MOST_DRAWS = 1 << 20, DISPATCH = 'c' };

/* ---- cycles of draws ---------------------------------------------------- */

struct table {
    const char *path;
    uint32_t line, draw, cycles; /* line: from 1; the others: columns, from 0 */
};

static enum igpu_status table_bad(const struct table *b, const char *expected,
                                  struct igpu_err *err)
{
    return igpu_fail(err, IGPU_BAD_INPUT,
                     "%s: line %u: expected %s, as `igpu frame time --csv` prints",
                     b->path, b->line, expected);
}

/* The text of column k; NULL: the line has fewer. */
static const char *column(const char *line, uint32_t k)
{
    for (; line != NULL && k > 0; k--)
        line = strchr(line, ',') != NULL ? strchr(line, ',') + 1 : NULL;
    return line;
}

static bool is_named(const char *field, const char *name)
{
    return strcspn(field, ",\r\n") == strlen(name) &&
           strncmp(field, name, strlen(name)) == 0;
}

static enum igpu_status read_head(struct table *b, const char *line,
                                  struct igpu_err *err)
{
    b->draw = b->cycles = UINT32_MAX;
    for (uint32_t k = 0; column(line, k) != NULL; k++) {
        if (is_named(column(line, k), "draw"))
            b->draw = k;
        if (is_named(column(line, k), "cycles"))
            b->cycles = k;
    }
    return b->draw != UINT32_MAX && b->cycles != UINT32_MAX
               ? IGPU_OK
               : table_bad(b, "columns draw and cycles", err);
}

static bool field_number(const char *field, uint64_t *value)
{
    char *end;

    if (field == NULL || *field < '0' || *field > '9')
        return false;
    errno = 0;
    *value = strtoull(field, &end, 10);
    return errno == 0 && strchr(",\r\n", *end) != NULL;
}

static enum igpu_status read_row(const struct table *b, const char *line,
                                 struct frame_times *t, struct igpu_err *err)
{
    uint64_t draw, cycles;

    if (column(line, b->draw) != NULL && *column(line, b->draw) == DISPATCH)
        return IGPU_OK; /* it has no pixels */
    if (!field_number(column(line, b->draw), &draw) || draw < 1 || draw > MOST_DRAWS)
        return table_bad(b, "a draw from 1 to 1048576", err);
    if (!field_number(column(line, b->cycles), &cycles))
        return table_bad(b, "a number of cycles", err);
    if (draw <= t->count)
        return table_bad(b, "draws in order, each once", err);
    if (!IGPU_RESERVE_ZERO(t->cycles, t->room, draw))
        return igpu_no_memory(err, "a frame's draws");
    t->cycles[draw - 1] = cycles;
    t->count = (uint32_t)draw;
    return IGPU_OK;
}

static enum igpu_status read_all(FILE *in, const char *path, struct frame_times *t,
                                 struct igpu_err *err)
{
    struct table b = {path, 1, 0, 0};
    enum igpu_status status = IGPU_OK;
    char *line = NULL;
    size_t room = 0;

    errno = 0;
    for (; status == IGPU_OK && getline(&line, &room, in) >= 0; b.line++)
        status = b.line == 1 ? read_head(&b, line, err) : read_row(&b, line, t, err);
    if (status == IGPU_OK && ferror(in))
        status = igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot read: %s", path,
                           strerror(errno));
    if (status == IGPU_OK && t->count == 0)
        status = table_bad(&b, "a draw", err);
    free(line);
    return status;
}

enum igpu_status frame_times_read(const char *path, struct frame_times *t,
                                  struct igpu_err *err)
{
    FILE *in = fopen(path, "r");
    enum igpu_status status;

    *t = (struct frame_times){0};
    if (in == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot open: %s", path,
                         strerror(errno));
    status = read_all(in, path, t, err);
    (void)fclose(in);
    if (status != IGPU_OK) {
        free(t->cycles);
        *t = (struct frame_times){0};
    }
    return status;
}

/* ---- the map ------------------------------------------------------------ */

static void put_float(FILE *out, double value)
{
    float f = (float)value;
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    for (uint32_t k = 0; k < 32; k += 8)
        (void)fputc((int)(bits >> k & 255), out);
}

static void write_map(FILE *out, void *ctx)
{
    const struct gfx_map *m = ctx;

    fprintf(out, "Pf\n%u %u\n-1.0\n", m->width, m->height);
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++)
            put_float(
                out,
                m->cycles[(size_t)(m->turned ? y : m->height - 1 - y) * m->width + x]);
}

enum igpu_status frame_heat_write(const char *path, const struct gfx *g, bool busiest,
                                  struct igpu_err *err)
{
    struct gfx_map m;

    if (!gfx_get_map(g, busiest, &m) || m.cycles == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR,
                         "no pixel of the frame's target was shaded in this frame");
    return igpu_output_put(path, write_map, &m, err);
}
