/* setting.c - see setting.h. */
#include "bridge/drivers/ocl/setting.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/option.h"

static const char *const names[] = {
#define SETTING(id, name, option, kind) name,
#include "bridge/host/sim/settings.def"
};

const char *setting_text(enum setting which)
{
    const char *text = getenv(names[which]);

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

void setting_complain(enum setting which, const char *wanted)
{
    static bool told[SETTINGS];

    (void)pthread_mutex_lock(&lock);
    if (!told[which])
        fprintf(stderr, "vigpu: %s='%s' is not used: %s\n", names[which],
                getenv(names[which]), wanted);
    told[which] = true;
    (void)pthread_mutex_unlock(&lock);
}

uint64_t setting_number(enum setting which, uint64_t least, uint64_t otherwise)
{
    const char *text = setting_text(which);
    char wanted[80];
    uint64_t value;

    if (text == NULL)
        return otherwise;
    if (igpu_option_count(text, least, UINT64_MAX, &value))
        return value;
    snprintf(wanted, sizeof(wanted), "expected a whole number of at least %" PRIu64,
             least);
    setting_complain(which, wanted);
    return otherwise;
}

bool setting_flag(enum setting which)
{
    const char *text = setting_text(which);

    if (text == NULL || strcmp(text, "0") == 0)
        return false;
    if (strcmp(text, "1") == 0)
        return true;
    setting_complain(which, "expected 1 or 0");
    return false;
}

void setting_range(enum setting which, uint64_t *first, uint64_t *last)
{
    const char *text = setting_text(which);

    *first = 0;
    *last = UINT64_MAX;
    if (text != NULL && !igpu_option_range(text, UINT64_MAX, first, last))
        setting_complain(which, "expected A..B, A not above B");
}
