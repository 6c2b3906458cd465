/* frame_count.c - the counters of a rendered frame as CSV and JSON, and its overdraw.
 */
#include "bridge/programs/igpu/frame_count.h"

#include <inttypes.h>
#include <stdlib.h>

#include "igpu/grow.h"
#include "igpu/json.h"
#include "igpu/output.h"

void frame_draws_add(void *ctx, const struct gfx_draw_info *info)
{
    struct frame_draws *d = ctx;

    d->lost |= !IGPU_APPEND(d->draw, d->count, d->cap, *info);
}

void frame_sums_set(struct frame_sums *s, uint64_t number,
                    const struct gfx_counters *now, const struct gfx_counters *before)
{
    if (s->count > 0 && s->frame[s->count - 1].number == number)
        s->count--;
    s->lost |=
        !IGPU_APPEND(s->frame, s->count, s->cap,
                     (struct frame_sum){number, gfx_counters_since(now, before)});
}

/* ---- CSV ---------------------------------------------------------------- */

void frame_print_counters(FILE *out, const struct gfx_counters *counted)
{
    fputs("counter,value,unit\n", out);
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++) {
        struct gfx_counter c = gfx_counter(i);

        fprintf(out, "%s,%" PRIu64 ",%s\n", c.name, gfx_counter_value(counted, i),
                c.unit);
    }
}

static void write_names(FILE *out)
{
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++)
        fprintf(out, ",%s", gfx_counter(i).name);
    fputc('\n', out);
}

static void write_row(FILE *out, const struct gfx_counters *counted)
{
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++)
        fprintf(out, ",%" PRIu64, gfx_counter_value(counted, i));
    fputc('\n', out);
}

static void write_draws(FILE *out, void *ctx)
{
    const struct frame_draws *d = ctx;

    fputs("draw,topology,driver", out);
    write_names(out);
    for (uint32_t k = 0; k < d->count; k++) {
        fprintf(out, "%u,%u,%d", k + 1, d->draw[k].topology, d->draw[k].driver);
        write_row(out, &d->draw[k].counted);
    }
}

static void write_sums(FILE *out, void *ctx)
{
    const struct frame_sums *s = ctx;

    fputs("frame", out);
    write_names(out);
    for (uint32_t k = 0; k < s->count; k++) {
        fprintf(out, "%" PRIu64, s->frame[k].number);
        write_row(out, &s->frame[k].counted);
    }
}

static enum igpu_status draws_check(const struct frame_draws *draws,
                                    struct igpu_err *err)
{
    return draws->lost ? igpu_no_memory(err, "draws") : IGPU_OK;
}

enum igpu_status frame_write_draws(const char *path, const struct frame_draws *draws,
                                   struct igpu_err *err)
{
    struct frame_draws copy = *draws;
    enum igpu_status status = draws_check(draws, err);

    return status == IGPU_OK ? igpu_output_put(path, write_draws, &copy, err) : status;
}

enum igpu_status frame_write_sums(const char *path, const struct frame_sums *sums,
                                  struct igpu_err *err)
{
    struct frame_sums copy = *sums;

    return sums->lost ? igpu_no_memory(err, "frames")
                      : igpu_output_put(path, write_sums, &copy, err);
}

/* ---- JSON --------------------------------------------------------------- */

struct document {
    const char *file;
    const struct gfx_counters *counted;
    const struct frame_draws *draws;
};

static void write_values(struct igpu_json *j, const struct gfx_counters *c)
{
    igpu_json_object(j, "counters", IGPU_JSON_ROW);
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++)
        igpu_json_u64(j, gfx_counter(i).name, gfx_counter_value(c, i));
    igpu_json_end(j);
}

static void write_definitions(struct igpu_json *j)
{
    const char *group = "";

    igpu_json_array(j, "definitions", IGPU_JSON_LINES);
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++) {
        struct gfx_counter c = gfx_counter(i);

        group = c.group != NULL ? c.group : group;
        igpu_json_object(j, NULL, IGPU_JSON_ROW);
        igpu_json_text(j, "name", c.name);
        igpu_json_text(j, "unit", c.unit);
        igpu_json_text(j, "group", group);
        igpu_json_text(j, "text", c.text);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

static void write_document(FILE *out, void *ctx)
{
    const struct document *d = ctx;
    struct igpu_json j;

    igpu_json_start(&j, out, false);
    igpu_json_object(&j, NULL, IGPU_JSON_LINES);
    igpu_json_text(&j, "file", d->file);
    write_definitions(&j);
    write_values(&j, d->counted);
    igpu_json_array(&j, "draws", IGPU_JSON_LINES);
    for (uint32_t k = 0; k < d->draws->count; k++) {
        const struct gfx_draw_info *draw = &d->draws->draw[k];

        igpu_json_object(&j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(&j, "draw", k + 1);
        igpu_json_u64(&j, "topology", draw->topology);
        igpu_json_bool(&j, "driver", draw->driver);
        write_values(&j, &draw->counted);
        igpu_json_end(&j);
    }
    igpu_json_end(&j);
    igpu_json_end(&j);
}

enum igpu_status frame_write_json(const char *path, const char *file,
                                  const struct gfx_counters *counted,
                                  const struct frame_draws *draws, struct igpu_err *err)
{
    struct document d = {file, counted, draws};
    enum igpu_status status = draws_check(draws, err);

    return status == IGPU_OK ? igpu_output_put(path, write_document, &d, err) : status;
}

/* ---- overdraw ----------------------------------------------------------- */

static void heat(uint32_t times, uint8_t rgba[4])
{
    static const uint8_t colour[9][3] = {{0, 0, 0},     {40, 60, 160},  {0, 150, 170},
                                         {0, 165, 90},  {80, 180, 40},  {170, 195, 20},
                                         {240, 190, 0}, {245, 120, 10}, {230, 30, 20}};
    const uint8_t *c = colour[times < 8 ? times : 8];

    rgba[0] = c[0];
    rgba[1] = c[1];
    rgba[2] = c[2];
    rgba[3] = 255;
}

enum igpu_status frame_write_overdraw(const char *path, const struct gfx *g,
                                      bool busiest, struct igpu_err *err)
{
    struct picture p = {0, 0, NULL};
    struct gfx_map m;
    enum igpu_status status;

    if (!gfx_get_map(g, busiest, &m))
        return igpu_fail(err, IGPU_SIM_ERROR,
                         "the frame's target was not written in this frame");
    p = (struct picture){m.width, m.height, malloc((size_t)m.width * m.height * 4)};
    if (p.rgba == NULL)
        return igpu_no_memory(err, "a picture");
    for (uint32_t y = 0; y < m.height; y++)
        for (uint32_t x = 0; x < m.width; x++)
            heat(m.count[(size_t)(m.turned ? m.height - 1 - y : y) * m.width + x],
                 p.rgba + 4 * ((size_t)y * m.width + x));
    status = picture_write(path, &p, err);
    free(p.rgba);
    return status;
}

/* ---- definitions -------------------------------------------------------- */

void frame_print_definitions(FILE *out)
{
    fprintf(
        out,
        "# Counters of graphics\n\nMade by `igpu frame counters`. The %d counters of "
        "a frame and of each of its draws "
        "([graphics.md](../guide/graphics.md#counters)).\n",
        GFX_COUNTER_COUNT);
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++) {
        struct gfx_counter c = gfx_counter(i);

        if (c.group != NULL)
            fprintf(out, "\n## %s\n\n| counter | unit | what |\n|---|---|---|\n",
                    c.group);
        fprintf(out, "| `%s` | %s | %s |\n", c.name, c.unit, c.text);
    }
}
