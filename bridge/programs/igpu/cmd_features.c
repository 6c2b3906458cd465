/* cmd_features.c - `igpu features`: of a trace's launches, or of a kernel that is run.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/programs/igpu/commands.h"
#include "igpu/grow.h"
#include "igpu/json.h"
#include "igpu/output.h"
#include "igpu/program.h"
#include "traces/features/features.h"
#include "traces/record/record.h"

static const char program[] = "igpu features";

static void print_help(FILE *out)
{
    fputs(
        "usage: igpu features [--sample N] [--csv FILE|--json FILE] TRACE.pb\n"
        "       igpu features [--sample N] [--csv FILE|--json FILE] -k KERNEL -g .. -l "
        ".. FILE.cl\n"
        "       igpu features --list\n"
        "\n"
        "What each launch executes, as some 230 numbers without any timing: of a "
        "trace, or\n"
        "of a kernel that the emulator runs, with the options of igpu record.\n"
        "\n"
        "      --sample N   look at N hardware threads of a launch, in up to 8 pieces\n"
        "                   of its grid; sums are scaled up. With a kernel only these\n"
        "                   are run\n"
        "      --csv FILE   a row for each launch; - is stdout\n"
        "      --json FILE  an object for each launch\n"
        "      --list       every feature: name, unit, set, definition\n",
        out);
}

/* The features of one launch. */
struct row {
    char *kernel;
    uint64_t threads, read;
    double value[FEATURE_COUNT];
};

struct command {
    const char *csv, *json, *file;
    uint64_t sample;
    bool list, help;
    char **rest; /* what is not ours: for igpu record, or the trace */
    int rests;
    struct features *features;
    struct row *row;
    uint32_t rows, room;
    /* of the kernel that runs */
    uint64_t groups;
    uint32_t tpg;
};

/* ---- rows ------------------------------------------------------------------ */

static struct row *add_row(struct command *c, const char *kernel, uint64_t threads,
                           struct igpu_err *err)
{
    struct row *row;

    if (!IGPU_RESERVE(c->row, c->room, (size_t)c->rows + 1)) {
        (void)igpu_no_memory(err, "features");
        return NULL;
    }
    row = &c->row[c->rows];
    memset(row, 0, sizeof(*row));
    row->kernel = strdup(kernel);
    row->threads = threads;
    if (row->kernel == NULL) {
        (void)igpu_no_memory(err, "features");
        return NULL;
    }
    c->rows++;
    return row;
}

static enum igpu_status read_trace(struct command *c, struct trace_reader *reader,
                                   struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < trace_summary(reader)->launches && status == IGPU_OK;
         i++) {
        const struct trace_launch *l = trace_launch(reader, i);
        const struct trace_kernel *kernel = trace_kernel(reader, l->kernel);
        struct row *row;

        if (kernel->graphics)
            return igpu_fail(
                err, IGPU_BAD_INPUT,
                "%s: launch %" PRIu32 ", %s, is a frame's shader; expected "
                "compute kernels (of frames: igpu frame render --counters)",
                c->file, i, kernel->name);
        row = add_row(c, kernel->name, l->threads, err);
        status = row == NULL ? IGPU_BAD_INPUT
                             : features_of_trace(c->features, reader, i, c->sample,
                                                 row->value, &row->read, err);
    }
    return status;
}

static int of_trace(struct command *c)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status = IGPU_OK;
    struct trace_reader *reader = trace_open(c->file, &status, &err);

    if (reader != NULL)
        status = read_trace(c, reader, &err);
    trace_close(reader);
    return status == IGPU_OK ? 0 : igpu_complain(program, status, &err);
}

/* ---- a kernel that runs ------------------------------------------------------ */

static enum igpu_status on_begin(void *ctx, const struct trace_kernel *kernel,
                                 const struct trace_launch *launch, uint32_t *pieces,
                                 struct igpu_err *err)
{
    struct command *c = ctx;
    uint64_t first, count;
    uint32_t n;
    struct row *row = add_row(c, kernel->name, launch->threads, err);

    if (row == NULL)
        return IGPU_BAD_INPUT;
    c->tpg = launch->threads_per_group;
    c->groups = launch->threads / c->tpg;
    n = features_piece(c->groups, c->tpg, c->sample, 0, &first, &count);
    row->read = n * count * c->tpg;
    if (row->read < launch->threads)
        *pieces = n;
    return features_begin(c->features, kernel, launch, row->read, err);
}

static void on_piece(void *ctx, uint32_t i, uint64_t *first, uint64_t *groups)
{
    struct command *c = ctx;

    (void)features_piece(c->groups, c->tpg, c->sample, i, first, groups);
    features_piece_begins(c->features, *first);
}

static enum igpu_status launch_end(void *ctx, struct igpu_err *err)
{
    struct command *c = ctx;

    return features_end(c->features, c->row[c->rows - 1].value, err);
}

static int of_kernel(struct command *c)
{
    struct record_observer observer = {.ctx = c,
                                       .begin = on_begin,
                                       .piece = on_piece,
                                       .hooks = features_hooks(c->features),
                                       .end = launch_end};

    return record_command(c->rests, c->rest, program, &observer);
}

/* ---- output ------------------------------------------------------------------ */

/* A whole number without point; else nine digits. */
static void print_number(FILE *out, double value)
{
    fprintf(out, value < 1e15 && value == (double)(int64_t)value ? "%.0f" : "%.9g",
            value);
}

static void write_csv(FILE *out, void *ctx)
{
    const struct command *c = ctx;

    fputs("launch,kernel,threads,threads_read", out);
    for (uint32_t i = 0; i < FEATURE_COUNT; i++)
        fprintf(out, ",%s", feature_table[i].name);
    for (uint32_t r = 0; r < c->rows; r++) {
        const struct row *row = &c->row[r];

        fprintf(out, "\n%" PRIu32 ",%s,%" PRIu64 ",%" PRIu64, r, row->kernel,
                row->threads, row->read);
        for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
            fputc(',', out);
            print_number(out, row->value[i]);
        }
    }
    fputc('\n', out);
}

static void write_json(FILE *out, void *ctx)
{
    const struct command *c = ctx;
    struct igpu_json j;

    igpu_json_start(&j, out, false);
    igpu_json_array(&j, NULL, IGPU_JSON_LINES);
    for (uint32_t r = 0; r < c->rows; r++) {
        const struct row *row = &c->row[r];

        igpu_json_object(&j, NULL, IGPU_JSON_LINES);
        igpu_json_u64(&j, "launch", r);
        igpu_json_text(&j, "kernel", row->kernel);
        igpu_json_u64(&j, "threads", row->threads);
        igpu_json_u64(&j, "threads_read", row->read);
        for (uint32_t i = 0; i < FEATURE_COUNT; i++)
            igpu_json_real(&j, feature_table[i].name, row->value[i], 9);
        igpu_json_end(&j);
    }
    igpu_json_end(&j);
}

static void print_rows(const struct command *c)
{
    for (uint32_t r = 0; r < c->rows; r++) {
        printf("launch %" PRIu32 ": %s, %" PRIu64 " threads, %" PRIu64 " looked at\n",
               r, c->row[r].kernel, c->row[r].threads, c->row[r].read);
        for (uint32_t i = 0; i < FEATURE_COUNT; i++) {
            printf("  %-20s ", feature_table[i].name);
            print_number(stdout, c->row[r].value[i]);
            printf(" %s\n", strcmp(feature_table[i].unit, "1") == 0
                                ? ""
                                : feature_table[i].unit);
        }
    }
}

static void print_list(void)
{
    static const char *const sets[] = {"native", "characterisation"};
    static const char *const kinds[] = {"fixed", "sum", "shape"};

    puts("| feature | unit | set | kind | what |\n|---|---|---|---|---|");
    for (uint32_t i = 0; i < FEATURE_COUNT; i++)
        printf("| `%s` | %s | %s | %s | %s |\n", feature_table[i].name,
               feature_table[i].unit, sets[feature_table[i].set],
               kinds[feature_table[i].kind], feature_table[i].text);
}

static int print_all(struct command *c)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status = IGPU_OK;

    if (c->csv != NULL)
        status = igpu_output_put(c->csv, write_csv, c, &err);
    if (c->json != NULL && status == IGPU_OK)
        status = igpu_output_put(c->json, write_json, c, &err);
    if (c->csv == NULL && c->json == NULL)
        print_rows(c);
    return status == IGPU_OK ? 0 : igpu_complain(program, status, &err);
}

/* ---- the command line ---------------------------------------------------------- */

static int take_number(const char *text, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *number > 0)
        return 0;
    return igpu_complain_of(program, IGPU_USAGE,
                            "--sample %s: expected a number of hardware threads, at "
                            "least 1",
                            text);
}

/* Our options are taken out, with "--name value" or "--name=value"; the rest stays. */
static int parse(struct command *c, int argc, char **argv)
{
    static const char *const names[] = {"--csv", "--json", "--sample"};

    c->rest[c->rests++] = argv[0];
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        unsigned which = 0;

        for (; which < 3 && value == NULL; which++) {
            size_t n = strlen(names[which]);

            if (strncmp(argv[i], names[which], n) != 0 ||
                (argv[i][n] != '=' && argv[i][n] != '\0'))
                continue;
            value = argv[i][n] == '=' ? argv[i] + n + 1 : i + 1 < argc ? argv[++i] : "";
            if (value[0] == '\0')
                return igpu_complain_of_option(program, names[which]);
        }
        if (value == NULL && strcmp(argv[i], "--list") == 0)
            c->list = true;
        else if (value == NULL &&
                 (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0))
            c->help = true;
        else if (value == NULL)
            c->rest[c->rests++] = argv[i];
        else if (which == 1)
            c->csv = value;
        else if (which == 2)
            c->json = value;
        else if (take_number(value, &c->sample) != 0)
            return IGPU_USAGE;
    }
    return 0;
}

static int features_execute(struct command *c)
{
    struct igpu_err err = {.text = ""};
    enum igpu_status status = igpu_output_check(c->csv, &err);
    bool trace = c->rests == 2 && c->rest[1][0] != '-';
    int result;

    if (status == IGPU_OK)
        status = igpu_output_check(c->json, &err);
    if (status != IGPU_OK)
        return igpu_complain(program, status, &err);
    if (c->rests < 2)
        return igpu_complain_of(program, IGPU_USAGE,
                                "expected a trace, or a kernel with the options of "
                                "igpu record; see %s --help",
                                program);
    if (c->features == NULL)
        return igpu_complain_of(program, IGPU_NO_MEMORY, "out of memory");
    c->file = c->rest[1];
    result = trace ? of_trace(c) : of_kernel(c);
    return result == 0 ? print_all(c) : result;
}

int cmd_features(int argc, char **argv)
{
    struct command c = {.rest = calloc((size_t)argc + 1, sizeof(*c.rest)),
                        .features = features_new()};
    int status = c.rest == NULL
                     ? igpu_complain_of(program, IGPU_NO_MEMORY, "out of memory")
                     : parse(&c, argc, argv);

    if (status == 0 && c.help)
        print_help(stdout);
    else if (status == 0 && c.list)
        print_list();
    else if (status == 0)
        status = features_execute(&c);
    for (uint32_t i = 0; i < c.rows; i++)
        free(c.row[i].kernel);
    free(c.row);
    free(c.rest);
    features_free(c.features);
    return status;
}
