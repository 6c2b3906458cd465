/* use_trace.c - a program outside the project that reads a trace: counts its launches'
 * threads. Compiled against what `make install` left; see test_install.sh. */
#include <inttypes.h>
#include <stdio.h>

#include <traces/format/trace.h>

int main(int argc, char **argv)
{
    struct igpu_err err;
    enum igpu_status status;
    struct trace_reader *reader = trace_open(argv[argc - 1], &status, &err);

    if (reader == NULL) {
        fprintf(stderr, "use_trace: %s\n", err.text);
        return (int)status;
    }
    printf("%" PRIu64 " threads\n", (uint64_t)trace_summary(reader)->threads);
    trace_close(reader);
    return 0;
}
