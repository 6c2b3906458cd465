/* options.c - see options.h. */
#include "bridge/host/sample/options.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/option.h"

enum { MAX_WINDOWS = 256, WORD_BYTES = 64 };

static const char expected[] =
    "expected error=2% (0.1 to 50) or windows=N (2 to 256), then perhaps seed=N and "
    "launches=all, with commas between";

static bool take_error(struct sample_options *o, const char *text)
{
    char *end;
    double percent = strtod(text, &end);

    o->error = percent / 100;
    return *text >= '0' && *text <= '9' && strcmp(end, "%") == 0 && percent >= 0.1 &&
           percent <= 50;
}

static bool options_take(struct sample_options *o, const char *word)
{
    if (strncmp(word, "error=", 6) == 0)
        return take_error(o, word + 6);
    if (strncmp(word, "windows=", 8) == 0)
        return igpu_option_count(word + 8, 2, MAX_WINDOWS, &o->windows);
    if (strncmp(word, "seed=", 5) == 0)
        return igpu_option_count(word + 5, 0, UINT64_MAX, &o->seed);
    o->launches = false;
    return strcmp(word, "launches=all") == 0;
}

enum igpu_status sample_options_parse(struct sample_options *o, const char *text,
                                      struct igpu_err *err)
{
    char word[WORD_BYTES];
    bool good = true;

    *o = (struct sample_options){.seed = 1, .launches = true};
    for (const char *p = text; good; p++) {
        size_t n = strcspn(p, ",");

        good = n < sizeof(word);
        if (good) {
            memcpy(word, p, n);
            word[n] = '\0';
            good = options_take(o, word);
        }
        p += n;
        if (*p == '\0')
            break;
    }
    if (!good || (o->error > 0) == (o->windows > 0))
        return igpu_fail(err, IGPU_USAGE, "--sample %s: %s", text, expected);
    return IGPU_OK;
}
