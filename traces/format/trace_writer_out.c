/* trace_writer_out.c - what every part of the writer uses: its first failure, arrays,
 * sections. See trace_writer_state.h. */
#include <stdarg.h>
#include <string.h>

#include "igpu/grow.h"
#include "traces/format/trace_sections.h"
#include "traces/format/trace_writer_state.h"

/* ---- failures ----------------------------------------------------------- */

enum igpu_status trace_writer_fail(struct trace_writer *w, enum igpu_status status,
                                   const char *format, ...)
{
    va_list args;

    if (w->failed)
        return w->failed;
    w->failed = status;
    va_start(args, format);
    vsnprintf(w->first.text, sizeof(w->first.text), format, args);
    w->first.short_memory = status == IGPU_NO_MEMORY;
    va_end(args);
    return status;
}

enum igpu_status trace_writer_status(const struct trace_writer *w, struct igpu_err *err)
{
    if (w->failed && err)
        *err = w->first;
    return w->failed;
}

/* ---- arrays and sections ------------------------------------------------- */

enum igpu_status trace_writer_keep(struct trace_writer *w,
                                   const struct trace_section *section,
                                   enum igpu_status status, const struct igpu_err *err)
{
    if (status != IGPU_OK)
        return trace_writer_fail(w, status, "%s", err->text);
    if (!trace_array_add(&w->sections, section, sizeof(*section)))
        return trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
    return IGPU_OK;
}

void trace_writer_section(struct trace_writer *w, enum trace_kind kind,
                          const ProtobufCMessage *message, struct trace_array of[3],
                          const uint32_t thread[2])
{
    struct trace_section section;
    struct igpu_err err;
    enum igpu_status status =
        message != NULL ? trace_out_section(&w->out, kind, message, &section, &err)
                        : trace_out_packed(&w->out, kind, &section, &err);

    if (trace_writer_keep(w, &section, status, &err) == IGPU_OK &&
        (!trace_array_add(&of[0], &w->launches, sizeof(w->launches)) ||
         !trace_array_add(&of[1], &thread[0], sizeof(thread[0])) ||
         !trace_array_add(&of[2], &thread[1], sizeof(thread[1]))))
        trace_writer_fail(w, IGPU_NO_MEMORY, "trace writer: out of memory");
}

enum igpu_status trace_writer_add(struct trace_writer *w, enum trace_kind kind,
                                  const ProtobufCMessage *message, struct igpu_err *err)
{
    struct trace_section section = {0};
    struct igpu_err why;

    if (!w->failed)
        trace_writer_keep(w, &section,
                          trace_out_section(&w->out, kind, message, &section, &why),
                          &why);
    return trace_writer_status(w, err);
}
