/* setting.c - see setting.h. */
#include "bridge/drivers/ocl/setting.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOLD = 32 };

const char *setting_text(const char *name)
{
    const char *text = getenv(name);

    return text != NULL && text[0] != '\0' ? text : NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void setting_before_fork(void)
{
    (void)pthread_mutex_lock(&lock);
}

void setting_after_fork(void)
{
    (void)pthread_mutex_unlock(&lock);
}

void setting_complain(const char *name, const char *wanted)
{
    static const char *told[MAX_TOLD];
    unsigned i = 0;

    (void)pthread_mutex_lock(&lock);
    while (i < MAX_TOLD && told[i] != NULL && strcmp(told[i], name) != 0)
        i++;
    if (i < MAX_TOLD && told[i] == NULL) {
        told[i] = name;
        fprintf(stderr, "vigpu: %s='%s' is not used: %s\n", name, getenv(name), wanted);
    }
    (void)pthread_mutex_unlock(&lock);
}

/* Reads digits from *text on; false: there are none, or too many. */
static bool read_number(const char **text, uint64_t *value)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

uint64_t setting_number(const char *name, uint64_t least, uint64_t otherwise)
{
    const char *text = setting_text(name);
    char wanted[80];
    uint64_t value;

    if (text == NULL)
        return otherwise;
    if (read_number(&text, &value) && *text == '\0' && value >= least)
        return value;
    snprintf(wanted, sizeof(wanted), "expected a whole number of at least %" PRIu64,
             least);
    setting_complain(name, wanted);
    return otherwise;
}

bool setting_flag(const char *name)
{
    const char *text = setting_text(name);

    if (text == NULL || strcmp(text, "0") == 0)
        return false;
    if (strcmp(text, "1") == 0)
        return true;
    setting_complain(name, "expected 1 or 0");
    return false;
}

void setting_range(const char *name, uint64_t *first, uint64_t *last)
{
    const char *text = setting_text(name);

    *first = 0;
    *last = UINT64_MAX;
    if (text == NULL)
        return;
    if (read_number(&text, first)) {
        *last = *first;
        if (strncmp(text, "..", 2) == 0) {
            text += 2;
            if (!read_number(&text, last))
                text = "?";
        }
        if (*text == '\0' && *first <= *last)
            return;
    }
    *first = 0;
    *last = UINT64_MAX;
    setting_complain(name, "expected A..B, A not above B");
}
