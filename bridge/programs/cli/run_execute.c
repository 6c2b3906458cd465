/* run_execute.c - see run_execute.h. */
#include "bridge/programs/cli/run_execute.h"

#include <inttypes.h>
#include <string.h>

#include "igpu/hash.h"
#include "igpu/output.h"
#include "traces/launch/launch.h"

enum igpu_status run_execute_open(const struct run_options *o,
                                  struct trace_reader *reader,
                                  struct launch_file **file, struct sim_options *so,
                                  struct igpu_err *err)
{
    enum igpu_status status = launch_file_open(file, reader, NULL, err);
    uint32_t last = so->last_launch;
    uint64_t bytes;

    so->execute = *file;
    for (unsigned i = 0; i < o->dumps && status == IGPU_OK; i++)
        if (launch_file_buffer(*file, last, o->dump[i].arg, &bytes) == NULL)
            status =
                igpu_fail(err, IGPU_USAGE, "--dump-buf %u: argument %u is no buffer",
                          o->dump[i].arg, o->dump[i].arg);
    return status;
}

static uint32_t arguments(const struct launch_file *file, uint32_t launches)
{
    return launches > 0 ? launch_file_launch(file, launches - 1)->arg_count : 0;
}

void run_execute_print(const struct launch_file *file, uint32_t launches)
{
    for (uint32_t i = 0; i < arguments(file, launches); i++) {
        uint64_t bytes = 0;
        const void *p = launch_file_buffer(file, launches - 1, i, &bytes);

        if (p != NULL)
            printf("buffer %-6u %" PRIu64 " bytes, FNV-1a %016" PRIx64 "\n", i, bytes,
                   igpu_fnv(IGPU_FNV_BEGIN, p, bytes)); /* as igpu record does */
    }
}

enum igpu_status run_execute_compare(const struct launch_file *file,
                                     const struct launch_file *second,
                                     uint32_t launches, struct igpu_err *err)
{
    for (uint32_t i = 0; i < arguments(file, launches); i++) {
        uint64_t bytes = 0;
        const void *p = launch_file_buffer(file, launches - 1, i, &bytes);
        const void *q = launch_file_buffer(second, launches - 1, i, &bytes);

        if (p != NULL && q != NULL && memcmp(p, q, bytes) != 0)
            return igpu_fail(err, IGPU_SIM_ERROR,
                             "--check: the engines leave other bytes in the buffer of "
                             "argument %u",
                             i);
    }
    return IGPU_OK;
}

struct bytes {
    const void *at;
    uint64_t count;
};

static void write_bytes(FILE *out, void *ctx)
{
    const struct bytes *b = ctx;

    (void)fwrite(b->at, 1, b->count, out);
}

enum igpu_status run_execute_dump(const struct run_options *o,
                                  const struct launch_file *file, uint32_t launches,
                                  struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (unsigned i = 0; launches > 0 && i < o->dumps && status == IGPU_OK; i++) {
        struct bytes b = {NULL, 0};

        b.at = launch_file_buffer(file, launches - 1, o->dump[i].arg, &b.count);
        status = igpu_output_put(o->dump[i].path, write_bytes, &b, err);
    }
    return status;
}
