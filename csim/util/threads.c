/* threads.c - see igpu/threads.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "igpu/threads.h"

#include <sched.h>
#include <stdlib.h>

#include "igpu/option.h"

uint32_t igpu_processors(void)
{
    cpu_set_t mine;

    return sched_getaffinity(0, sizeof(mine), &mine) == 0 ? (uint32_t)CPU_COUNT(&mine)
                                                          : 1;
}

enum igpu_status igpu_host_threads(uint32_t *threads, struct igpu_err *err)
{
    const char *text = getenv("IGPU_HOST_THREADS");
    uint64_t wanted;

    *threads = igpu_processors();
    if (text == NULL || text[0] == '\0')
        return IGPU_OK;
    if (!igpu_option_count(text, 1, UINT64_MAX, &wanted))
        return igpu_fail(
            err, IGPU_USAGE,
            "environment: IGPU_HOST_THREADS=%.60s: expected a whole number "
            "of at least 1",
            text);
    *threads = wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
    return IGPU_OK;
}
