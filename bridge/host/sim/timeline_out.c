/* timeline_out.c - see timeline_out.h: the file, and JSON. */
#include "bridge/host/sim/timeline_out.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/host/sim/timeline_perfetto.h"
#include "igpu/json.h"
#include "igpu/output.h"

struct timeline_out {
    struct igpu_output file;
    struct igpu_json json;
    struct timeline_perfetto *perfetto; /* NULL: JSON */
};

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n >= m && strcmp(path + n - m, end) == 0;
}

enum igpu_status timeline_out_open(struct timeline_out **out, const char *path,
                                   struct igpu_err *err)
{
    struct timeline_out *o = calloc(1, sizeof(*o));
    enum igpu_status status = IGPU_OK;

    *out = NULL;
    if (o != NULL)
        status = igpu_output_open(&o->file, path, err);
    if (o == NULL || status != IGPU_OK) {
        free(o);
        return o != NULL ? status : igpu_no_memory(err, "%s", path);
    }
    if (ends_in(path, ".pftrace") || ends_in(path, ".perfetto-trace")) {
        o->perfetto = timeline_perfetto_create(o->file.file);
        if (o->perfetto == NULL) {
            timeline_out_abort(o);
            return igpu_no_memory(err, "%s", path);
        }
    } else {
        igpu_json_start(&o->json, o->file.file, true);
        igpu_json_object(&o->json, NULL, IGPU_JSON_ROW);
        igpu_json_text(&o->json, "displayTimeUnit", "ns");
        igpu_json_array(&o->json, "traceEvents", IGPU_JSON_LINES);
    }
    *out = o;
    return IGPU_OK;
}

enum igpu_status timeline_out_close(struct timeline_out *out, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (out->perfetto != NULL) {
        if (!timeline_perfetto_whole(out->perfetto))
            status = igpu_no_memory(err, "timeline");
    } else {
        igpu_json_end(&out->json);
        igpu_json_end(&out->json);
    }
    if (status != IGPU_OK) {
        timeline_out_abort(out);
        return status;
    }
    timeline_perfetto_free(out->perfetto);
    status = igpu_output_close(&out->file, err);
    free(out);
    return status;
}

void timeline_out_abort(struct timeline_out *out)
{
    if (out == NULL)
        return;
    timeline_perfetto_free(out->perfetto);
    igpu_output_abort(&out->file);
    free(out);
}

/* ---- events as text ---- */

/* The members that every event has. */
static void begin_event(struct timeline_out *out, const char *phase,
                        struct timeline_track track)
{
    igpu_json_object(&out->json, NULL, IGPU_JSON_ROW);
    igpu_json_text(&out->json, "ph", phase);
    igpu_json_u64(&out->json, "pid", track.process);
    igpu_json_u64(&out->json, "tid", track.track);
}

/* The last member, and the end. */
static void end_event(struct timeline_out *out, struct timeline_arg first,
                      struct timeline_arg second)
{
    const struct timeline_arg arg[] = {first, second};

    igpu_json_object(&out->json, "args", IGPU_JSON_ROW);
    for (unsigned i = 0; i < 2 && arg[i].key != NULL; i++)
        if (arg[i].text != NULL)
            igpu_json_text(&out->json, arg[i].key, arg[i].text);
        else
            igpu_json_u64(&out->json, arg[i].key, arg[i].value);
    igpu_json_end(&out->json);
    igpu_json_end(&out->json);
}

static void label(struct timeline_out *out, const char *what,
                  struct timeline_track track, const char *name)
{
    begin_event(out, "M", track);
    igpu_json_text(&out->json, "name", what);
    igpu_json_object(&out->json, "args", IGPU_JSON_ROW);
    igpu_json_text(&out->json, "name", name);
    igpu_json_end(&out->json);
    igpu_json_end(&out->json);
}

void timeline_out_process(struct timeline_out *out, unsigned process, const char *name)
{
    if (out->perfetto != NULL)
        timeline_perfetto_process(out->perfetto, process, name);
    else
        label(out, "process_name", (struct timeline_track){process, 0}, name);
}

void timeline_out_track(struct timeline_out *out, struct timeline_track track,
                        const char *name)
{
    if (out->perfetto != NULL)
        timeline_perfetto_track(out->perfetto, track, name);
    else
        label(out, "thread_name", track, name);
}

void timeline_out_slice(struct timeline_out *out, struct timeline_track track,
                        struct timeline_name name, uint64_t from_ps, uint64_t to_ps,
                        struct timeline_arg first, struct timeline_arg second)
{
    if (out->perfetto != NULL) {
        timeline_perfetto_slice(out->perfetto, track, name, from_ps, to_ps, first,
                                second);
        return;
    }
    begin_event(out, "X", track);
    igpu_json_text(&out->json, "name", name.text);
    igpu_json_fixed(&out->json, "ts", from_ps, 6);
    igpu_json_fixed(&out->json, "dur", to_ps - from_ps, 6);
    end_event(out, first, second);
}

void timeline_out_async(struct timeline_out *out, struct timeline_track track,
                        struct timeline_name name, unsigned lane, uint64_t id,
                        uint64_t from_ps, uint64_t to_ps, struct timeline_arg first,
                        struct timeline_arg second)
{
    static const char *const phases[] = {"b", "e"};

    if (out->perfetto != NULL) {
        timeline_perfetto_async(out->perfetto, track, name, lane, from_ps, to_ps, first,
                                second);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        begin_event(out, phases[i], track);
        igpu_json_text(&out->json, "name", name.text);
        igpu_json_fixed(&out->json, "ts", i == 0 ? from_ps : to_ps, 6);
        igpu_json_text(&out->json, "cat", "message");
        igpu_json_u64(&out->json, "id", id);
        if (i == 0)
            end_event(out, first, second);
        else
            igpu_json_end(&out->json);
    }
}

void timeline_out_counter(struct timeline_out *out, const char *name, uint64_t ps,
                          double value)
{
    if (out->perfetto != NULL) {
        timeline_perfetto_counter(out->perfetto, name, ps, value);
        return;
    }
    begin_event(out, "C", (struct timeline_track){0, 0});
    igpu_json_text(&out->json, "name", name);
    igpu_json_fixed(&out->json, "ts", ps, 6);
    igpu_json_object(&out->json, "args", IGPU_JSON_ROW);
    igpu_json_real(&out->json, "value", value, 6);
    igpu_json_end(&out->json);
    igpu_json_end(&out->json);
}
