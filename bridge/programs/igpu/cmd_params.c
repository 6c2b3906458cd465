/* cmd_params.c - `igpu params`: what docs/reference/params.md tells of each parameter,
 * for programs. */
#define _DEFAULT_SOURCE /* strsep */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sim/config_file.h"
#include "bridge/programs/igpu/commands.h"
#include "igpu/config.h"
#include "igpu/json.h"
#include "igpu/option.h"
#include "igpu/program.h"

enum { OPT_JSON = IGPU_OPTION_LONG, OPT_RESOLVE };
static const struct igpu_option table[] = {
    {OPT_JSON, "json", "", "as a JSON array of objects"},
    {OPT_RESOLVE, "resolve", "",
     "each line of stdin is a configuration: a name or file of -c,\n"
     "then KEY=VALUE, separated by tabs; prints \"ok\" and the value\n"
     "of each parameter, or \"bad\" and why, a line each"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

static void print_help(FILE *out)
{
    fputs("usage: igpu params [--json] [KEY...]\n"
          "       igpu params --resolve <CONFIGURATIONS\n\n"
          "Prints each parameter's default, unit, range, engines that honour it and "
          "source;\n"
          "those whose keys begin with KEY.\n",
          out);
    igpu_option_help(out, table);
    fputs("\nExit status: 0 done, 2 usage.\n", out);
}

/* The values' names, from 0 on. */
static void print_names(struct igpu_json *j, const struct igpu_param_info *p)
{
    char text[24];

    igpu_json_array(j, "names", IGPU_JSON_ROW);
    for (uint64_t v = 0; v <= p->max; v++)
        igpu_json_text(j, NULL, igpu_param_text(p, v, text, sizeof(text)));
    igpu_json_end(j);
}

static void print_json(struct igpu_json *j, const struct igpu_param_info *p)
{
    igpu_json_object(j, NULL, IGPU_JSON_ROW);
    igpu_json_text(j, "key", p->key);
    igpu_json_u64(j, "default", p->def);
    igpu_json_u64(j, "min", p->min);
    igpu_json_u64(j, "max", p->max);
    igpu_json_text(j, "unit", p->unit);
    igpu_json_text(j, "engines", p->engines);
    igpu_json_text(j, "source", p->source);
    if (p->names != NULL)
        print_names(j, p);
    if (p->policy != IGPU_POLICY_NONE)
        igpu_json_bool(j, "files", true);
    igpu_json_end(j);
}

static void print_text(const struct igpu_param_info *p)
{
    char text[24];

    printf("%-20s %12s %-12s %" PRIu64 "..%" PRIu64 "  %s  %s\n", p->key,
           igpu_param_text(p, p->def, text, sizeof(text)), p->unit, p->min, p->max,
           p->engines, p->source);
}

/* Does the key begin with one of the words (with none: any does)? */
static bool wanted(const char *key, int words, char **word)
{
    bool found = words == 0;

    for (int i = 0; !found && i < words; i++)
        found = strncmp(key, word[i], strlen(word[i])) == 0;
    return found;
}

static int print_params(bool json, int words, char **word)
{
    struct igpu_json j;
    size_t n, found = 0;
    const struct igpu_param_info *p = igpu_params(&n);

    for (size_t i = 0; i < n; i++)
        found += wanted(p[i].key, words, word);
    if (found == 0)
        return igpu_complain_of("igpu params", IGPU_USAGE,
                                "no parameter begins with %s", word[0]);
    igpu_json_start(&j, stdout, false);
    if (json)
        igpu_json_array(&j, NULL, IGPU_JSON_LINES);
    for (size_t i = 0; i < n; i++)
        if (wanted(p[i].key, words, word)) {
            if (json)
                print_json(&j, &p[i]);
            else
                print_text(&p[i]);
        }
    if (json)
        igpu_json_end(&j);
    return IGPU_OK;
}

/* One configuration; `line` is split in place. */
static void resolve(char *line)
{
    struct igpu_config config;
    struct igpu_err err = {.text = "no error"};
    size_t n;
    const struct igpu_param_info *p = igpu_params(&n);
    char *rest = line, *word = strsep(&rest, "\t");
    enum igpu_status status = config_load(&config, word, &err);

    while (status == IGPU_OK && (word = strsep(&rest, "\t")) != NULL)
        status = igpu_config_set(&config, word, &err);
    if (status == IGPU_OK)
        status = igpu_config_check(&config, &err);
    if (status != IGPU_OK) {
        printf("bad\t%s\n", err.text);
        return;
    }
    fputs("ok", stdout);
    for (size_t i = 0; i < n; i++) {
        uint64_t value;

        memcpy(&value, (const char *)&config + p[i].offset, sizeof(value));
        printf("\t%" PRIu64, value);
    }
    putchar('\n');
}

static int resolve_all(void)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;

    while ((n = getline(&line, &capacity, stdin)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        resolve(line);
    }
    free(line);
    return IGPU_OK;
}

int cmd_params(int argc, char **argv)
{
    bool json = false;
    int option;

    optind = 1;
    while ((option = igpu_option_next(table, false, argc, argv)) != -1) {
        if (option == 'h') {
            print_help(stdout);
            return IGPU_OK;
        }
        if (option == OPT_RESOLVE) {
            if (argc == 2)
                return resolve_all();
            return igpu_complain_of("igpu params", IGPU_USAGE,
                                    "--resolve: expected no other words");
        }
        if (option != OPT_JSON)
            return igpu_complain_of_option("igpu params", argv[optind - 1]);
        json = true;
    }
    return print_params(json, argc - optind, argv + optind);
}
