/* options_help.c - what --help prints, of options.def. */
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/cli/options.h"

enum { EVERY = 1, RTL = 2, PROFILE = 4, BOTH = EVERY | PROFILE };
enum { TEXT_COLUMN = 31 };

struct row {
    char letter;
    const char *name, *value;
    unsigned of;
    const char *text;
};

static const struct row rows[] = {
#define OPTION(id, letter, name, value, of, text) {letter, name, value, of, text},
#define OPTION_FORM(name, value, of, text) {0, name, value, of, text},
#include "bridge/programs/cli/options.def"
};

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

static void print_row(FILE *out, const struct row *row)
{
    int n = row->letter != 0 ? fprintf(out, "  -%c, --%s", row->letter, row->name)
                             : fprintf(out, "      --%s", row->name);

    if (row->value[0] != '\0')
        n += fprintf(out, " %s", row->value);
    if (n < TEXT_COLUMN)
        fprintf(out, "%*s", TEXT_COLUMN - n, "");
    else
        fprintf(out, "\n%*s", TEXT_COLUMN, "");
    print_text(out, row->text);
}

/* The machines that have names follow the option that takes one. */
static void print_rows(FILE *out, unsigned of)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if ((rows[i].of & of) != 0) {
            print_row(out, &rows[i]);
            if (rows[i].letter == 'c')
                fprintf(out, "%*s%s\n", TEXT_COLUMN, "", igpu_config_preset_names());
        }
}

static void profile_help(FILE *out)
{
    fputs(
        "usage: igpu profile [options] TRACE.pb\n"
        "       igpu profile [options] [--frame N] FRAMES.igf\n"
        "       igpu profile [options] -- PROGRAM [ARGUMENTS]\n\n"
        "Where the cycles of each launch's threads go, by instruction and reason; what "
        "holds\nthe launch up, and what is to blame (docs/guide/profile.md). A program "
        "is run as `igpu run`\nruns it, and recorded. --frame: of a capture, this "
        "frame "
        "(default: the last).\n\n",
        out);
    print_rows(out, PROFILE);
    fputs(
        "\nAnd the other options of igpu ref, whose engine it uses; ./Vigpu --profile "
        "has the\nRTL's, which is the same.\n",
        out);
}

void options_help(FILE *out, const struct engine_set *engines)
{
    if (engines->profiles) {
        profile_help(out);
        return;
    }
    fprintf(out, "usage: %s [options] TRACE.pb\n\n", engines->program);
    print_rows(out, engines->rtl != NULL ? EVERY | RTL : EVERY);
    fputs("      --batch                  the only word: simulate what stdin asks for\n"
          "\nExit status: 0 done, 1 simulation error, 2 usage, 3 bad input, 4 stopped "
          "early, 5 out of memory.\n",
          out);
}
