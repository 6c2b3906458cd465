/* trace_parts.h - a trace taken apart into its sections, and put together again with
 * right checksums and offsets: for tests that change what a section says. */
#ifndef TESTS_TRACE_PARTS_H
#define TESTS_TRACE_PARTS_H
#include "igpu_trace.pb-c.h"
#include "tests/traces/test_trace_util.h"
#include "traces/format/trace_frame.h"

enum { PARTS_MAX = 64 };

struct trace_part {
    uint32_t kind;
    struct trace_bytes raw;
};

struct trace_parts {
    struct trace_part part[PARTS_MAX];
    uint32_t count;
    Vigpu__Trace__Footer *footer;
    struct trace_crc crc;
};

/* Read the trace `name`, of at most PARTS_MAX - 1 sections. Fails the test otherwise.
 */
void parts_read(struct trace_parts *p, const char *name);
void parts_free(struct trace_parts *p);

/* Write all sections and the footer, or as it the bytes of *footer if not NULL. */
void parts_write(struct trace_parts *p, const struct trace_bytes *footer,
                 const char *name);

/* Change one to three bytes. */
void parts_mutate(struct rng *g, uint8_t *data, size_t size);

#endif
