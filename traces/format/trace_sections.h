/* trace_sections.h - sections of a trace file that another library fills and reads:
 * those of launch files (traces/launch). */
#ifndef IGPU_TRACE_SECTIONS_H
#define IGPU_TRACE_SECTIONS_H
#include "traces/format/trace.h"
#include "traces/format/trace_frame.h"

/* Append *message as a section of `kind`. The writer keeps an error. */
enum igpu_status trace_writer_add(struct trace_writer *w, enum trace_kind kind,
                                  const ProtobufCMessage *message,
                                  struct igpu_err *err);

/* Sections of the file, and the kind of one. */
uint32_t trace_sections(const struct trace_reader *r);
enum trace_kind trace_section_kind(const struct trace_reader *r, uint32_t index);
/* The checked message of section `index`; *raw is replaced and the caller's to free. */
enum igpu_status trace_section_read(struct trace_reader *r, uint32_t index,
                                    struct trace_bytes *raw, struct igpu_err *err);
/* "PATH: section at offset N: what", as IGPU_BAD_INPUT. */
enum igpu_status trace_section_bad(const struct trace_reader *r, uint32_t index,
                                   const char *what, struct igpu_err *err);
#endif
