/* option.c - see igpu/option.h. */
#include "igpu/option.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/config.h"

enum { TEXT_COLUMN = 31 };

int igpu_option_next(const struct igpu_option *table, bool to_program, int argc,
                     char **argv)
{
    struct option longs[IGPU_OPTIONS + 1];
    char letters[2 + 2 * IGPU_OPTIONS], *at = letters;
    size_t n = 0;

    if (to_program)
        *at++ = '+';
    for (const struct igpu_option *o = table; o->name != NULL; o++) {
        bool takes = o->value[0] != '\0';

        assert(o - table < IGPU_OPTIONS);
        if (o->name[0] != '\0')
            longs[n++] = (struct option){o->name, takes, NULL, o->option};
        if (o->option < IGPU_OPTION_LONG)
            *at++ = (char)o->option;
        if (o->option < IGPU_OPTION_LONG && takes)
            *at++ = ':';
    }
    longs[n] = (struct option){NULL, 0, NULL, 0};
    *at = '\0';
    opterr = 0;
    return getopt_long(argc, argv, letters, longs, NULL);
}

/* Each further line of a text below its first. */
static void print_text(FILE *out, const char *text)
{
    for (size_t n; *text != '\0'; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        fprintf(out, "%.*s\n", (int)n, text);
        if (text[n] == '\n')
            fprintf(out, "%*s", TEXT_COLUMN, "");
    }
}

void igpu_option_help(FILE *out, const struct igpu_option *table)
{
    for (; table->name != NULL; table++) {
        int n;

        if (table->text == NULL)
            continue;
        n = table->option >= IGPU_OPTION_LONG
                ? fprintf(out, "      --%s", table->name)
                : fprintf(out, "  -%c%s%s", table->option,
                          table->name[0] != '\0' ? ", --" : "", table->name);
        if (table->value[0] != '\0')
            n += fprintf(out, " %s", table->value);
        if (n < TEXT_COLUMN)
            fprintf(out, "%*s", TEXT_COLUMN - n, "");
        else
            fprintf(out, "\n%*s", TEXT_COLUMN, "");
        print_text(out, table->text);
        if (table->text[0] != '\0' && table->text[strlen(table->text) - 1] == ':')
            fprintf(out, "%*s%s\n", TEXT_COLUMN, "", igpu_config_preset_names());
    }
}

/* Digits from *text on; false: there are none, or the number is above `most`. */
static bool read_digits(const char **text, uint64_t most, uint64_t *value)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *value = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0 && *value <= most;
}

bool igpu_option_count(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    uint64_t n;

    if (!read_digits(&text, most, &n) || *text != '\0' || n < least)
        return false;
    *value = n;
    return true;
}

bool igpu_option_range(const char *text, uint64_t most, uint64_t *first, uint64_t *last)
{
    uint64_t a, b;

    if (!read_digits(&text, most, &a))
        return false;
    b = a;
    if (strncmp(text, "..", 2) == 0) {
        text += 2;
        if (!read_digits(&text, most, &b))
            return false;
    }
    if (*text != '\0' || a > b)
        return false;
    *first = a;
    *last = b;
    return true;
}
