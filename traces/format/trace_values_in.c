/* trace_values_in.c - reading the values section, see trace.h. */
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu_trace.pb-c.h"
#include "traces/format/trace_reader_state.h"
#include "traces/format/trace_values.h"

struct trace_values_cursor {
    struct trace_reader *r;
    uint32_t launch, thread;
    uint32_t section, piece; /* next ones to look at */
    uint32_t left;           /* records of the piece */
    uint8_t *data;           /* the piece */
    size_t capacity;
    struct trace_view view;
};

/* ---- sections ----------------------------------------------------------- */

void trace_values_cache_free(struct trace_reader *r)
{
    for (uint32_t i = 0; i < TRACE_CACHE_VALUES; i++)
        if (r->values_cache[i].message)
            vigpu__trace__values__free_unpacked(r->values_cache[i].message, NULL);
    free(r->values);
}

static const char *fault(const Vigpu__Trace__Values *m,
                         const struct trace_values_entry *e)
{
    uint64_t sum = 0;

    if (m->launch != e->launch || m->n_thread == 0 || m->n_records != m->n_thread ||
        m->n_size != m->n_thread)
        return "values that do not match the index";
    for (size_t i = 0; i < m->n_thread; i++) {
        sum += m->size[i];
        if (m->thread[i] < e->first || m->thread[i] > e->last || m->records[i] == 0)
            return "values of a thread that is not in the index";
    }
    return sum == m->data.len ? NULL : "values that are cut short";
}

/* Section `number` of the values, unpacked; valid until the next call. */
static const Vigpu__Trace__Values *get_section(struct trace_reader *r, uint32_t number,
                                               struct igpu_err *err)
{
    struct trace_values_in *c = &r->values_cache[number % TRACE_CACHE_VALUES];
    const struct trace_values_entry *e = &r->values[number];
    const char *what = "the values cannot be read";

    if (c->message && c->number == number)
        return c->message;
    if (c->message)
        vigpu__trace__values__free_unpacked(c->message, NULL);
    c->message = NULL;
    if (trace_reader_section(r, e->section, &r->raw, err) != IGPU_OK)
        return NULL;
    c->message = vigpu__trace__values__unpack(NULL, r->raw.size, r->raw.data);
    if (c->message)
        what = fault(c->message, e);
    if (what) {
        if (c->message)
            vigpu__trace__values__free_unpacked(c->message, NULL);
        c->message = NULL;
        trace_in_bad(&r->in, r->section[e->section].offset, what, err);
        return NULL;
    }
    c->number = number;
    return c->message;
}

/* ---- cursors ------------------------------------------------------------ */

struct trace_values_cursor *trace_values_open(struct trace_reader *r, uint32_t launch,
                                              uint32_t thread, struct igpu_err *err)
{
    struct trace_values_cursor *c = calloc(1, sizeof(*c));

    if (!c) {
        igpu_no_memory(err, "%s", r->path);
        return NULL;
    }
    c->r = r;
    c->launch = launch;
    c->thread = thread;
    return c;
}

void trace_values_close(struct trace_values_cursor *c)
{
    if (c)
        free(c->data);
    free(c);
}

static bool keep_piece(struct trace_values_cursor *c, const uint8_t *data, size_t size)
{
    if (!IGPU_RESERVE(c->data, c->capacity, size))
        return false;
    if (size)
        memcpy(c->data, data, size);
    c->view = trace_view_of(c->data, size);
    return true;
}

static enum trace_next next_piece(struct trace_values_cursor *c, struct igpu_err *err)
{
    struct trace_reader *r = c->r;

    for (; c->section < r->nvalues; c->section++, c->piece = 0) {
        const struct trace_values_entry *e = &r->values[c->section];
        const Vigpu__Trace__Values *m;
        size_t at = 0;

        if (e->launch != c->launch || c->thread < e->first || c->thread > e->last)
            continue;
        m = get_section(r, c->section, err);
        if (!m)
            return TRACE_NEXT_ERROR;
        for (uint32_t i = 0; i < m->n_thread; at += m->size[i++]) {
            if (i < c->piece || m->thread[i] != c->thread)
                continue;
            c->piece = i + 1;
            c->left = m->records[i];
            if (keep_piece(c, m->data.data + at, m->size[i]))
                return TRACE_NEXT_OK;
            igpu_no_memory(err, "%s", r->path);
            return TRACE_NEXT_ERROR;
        }
    }
    return TRACE_NEXT_END;
}

enum trace_next trace_values_next(struct trace_values_cursor *c, struct fpu_values *v,
                                  struct igpu_err *err)
{
    const struct trace_reader *r = c->r;
    const char *what;

    if (c->left == 0) {
        enum trace_next next = next_piece(c, err);

        if (next != TRACE_NEXT_OK)
            return next;
    }
    what =
        trace_values_get(&c->view, &r->kernel[r->launch[c->launch]->kernel]->code, v);
    if (!what && --c->left == 0 && trace_view_left(&c->view) != 0)
        what = "bytes behind the last values";
    if (!what)
        return TRACE_NEXT_OK;
    igpu_fail(err, IGPU_BAD_INPUT,
              "%s: launch %u, thread %u: %s; the file is corrupt, record it again",
              r->path, c->launch, c->thread, what);
    return TRACE_NEXT_ERROR;
}
