/* options_help.c - what --help prints, of options.def. */
#include "bridge/programs/cli/options.h"
#include "igpu/option.h"

enum { EVERY = 1, RTL = 2, PROFILE = 4, BOTH = EVERY | PROFILE };

struct row {
    unsigned of;
    struct igpu_option option;
};

static const struct row rows[] = {
#define OPTION(id, letter, name, value, of, text)                                      \
    {of, {(letter) != 0 ? (letter) : IGPU_OPTION_LONG, name, value, text}},
#define OPTION_FORM(name, value, of, text) {of, {IGPU_OPTION_LONG, name, value, text}},
#include "bridge/programs/cli/options.def"
};

static void print_rows(FILE *out, unsigned of)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if ((rows[i].of & of) != 0) {
            const struct igpu_option one[] = {rows[i].option, {.name = NULL}};

            igpu_option_help(out, one);
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
    print_rows(out, engine_has_rtl(engines) ? EVERY | RTL : EVERY);
    fputs("      --batch                  the only word: simulate what stdin asks for\n"
          "\nExit status: 0 done, 1 simulation error, 2 usage, 3 bad input, 4 stopped "
          "early, 5 out of memory.\n",
          out);
}
