/* params_gen.c - writes what is generated from params.def and presets.def.
 *   params_gen vh < NAMES  rtl/include/igpu_params.vh: default and width of those
 *                          parameters whose macros are in NAMES, one a line
 *   params_gen md          docs/reference/params.md: the table for people
 * Run by `make params`; `make lint` compares its output with what is committed. */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct param {
    const char *id, *key, *unit, *source, *engines;
    const char *names; /* of its values, or NULL */
    uint64_t def, min, max;
};

struct preset {
    const char *name, *id;
    uint64_t value;
};

static const struct param params[] = {
#define IGPU_PARAM(id, key, def, min, max, unit, source)                               \
    {#id, key, unit, source, "host", NULL, def, min, max},
#define IGPU_ENGINE_PARAM(id, key, def, min, max, unit, engines, source)               \
    {#id, key, unit, source, engines, NULL, def, min, max},
#define IGPU_ENGINE_CHOICE(id, key, def, max, names, engines, source)                  \
    {#id, key, names, source, engines, names, def, 0, max},
#define IGPU_POLICY(id, key, def, max, names, kind, source)                            \
    {#id, key, names, source, "host", names, def, 0, max},
#include "igpu/params.def"
#undef IGPU_PARAM
};

static const struct preset presets[] = {
#define IGPU_PRESET(name, id, value) {name, #id, value},
#include "igpu/presets.def"
#undef IGPU_PRESET
};

enum {
    PARAMS = sizeof(params) / sizeof(params[0]),
    PRESETS = sizeof(presets) / sizeof(presets[0])
};

/* Bits needed to hold `value`; at least 1. */
static unsigned width(uint64_t value)
{
    unsigned bits = 1;

    while (value >>= 1)
        bits++;
    return bits;
}

enum { NAME_BYTES = 64, NAMES = 1024 };

/* The macros that the RTL uses. */
static char used[NAMES][NAME_BYTES];
static size_t used_count;

/* One a line, from stdin; false: too many, or too long. */
static bool read_used(void)
{
    char line[NAME_BYTES];

    while (fgets(line, sizeof(line), stdin) != NULL) {
        size_t n = strcspn(line, "\n");

        if (line[n] == '\0' || used_count == NAMES)
            return false;
        line[n] = '\0';
        memcpy(used[used_count++], line, n + 1);
    }
    return true;
}

static bool is_used(const char *name)
{
    for (size_t i = 0; i < used_count; i++)
        if (strcmp(used[i], name) == 0)
            return true;
    return false;
}

/* IGPU_<ID IN UPPER CASE><suffix>. */
static void macro(char name[NAME_BYTES], const char *id, const char *suffix)
{
    (void)snprintf(name, NAME_BYTES, "IGPU_%s%s", id, suffix);
    for (; *name; name++)
        *name = (char)toupper((unsigned char)*name);
}

static void write_vh(void)
{
    char name[NAME_BYTES], name_w[NAME_BYTES];

    printf("// igpu_params.vh - generated from csim/include/igpu/params.def by `make "
           "params`.\n"
           "// Of those that the RTL uses: default value (sized), and the width that "
           "holds\n"
           "// the maximum. Do not edit.\n"
           "`ifndef IGPU_PARAMS_VH\n`define IGPU_PARAMS_VH\n");
    for (size_t i = 0; i < PARAMS; i++) {
        const struct param *p = &params[i];

        macro(name, p->id, "");
        macro(name_w, p->id, "_W");
        if (!is_used(name) && !is_used(name_w))
            continue;
        printf("\n// %s [%s] %" PRIu64 "..%" PRIu64 "\n", p->key, p->unit, p->min,
               p->max);
        if (is_used(name))
            printf("`define %-34s %u'd%" PRIu64 "\n", name, width(p->max), p->def);
        if (is_used(name_w))
            printf("`define %-34s %u\n", name_w, width(p->max));
    }
    printf("\n`endif\n");
}

/* Text for a cell of a Markdown table. */
static void cell(const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            putchar('\\');
        putchar(*text);
    }
}

static const struct param *param_find(const char *id)
{
    for (size_t i = 0; i < PARAMS; i++)
        if (strcmp(params[i].id, id) == 0)
            return &params[i];
    return NULL;
}

/* Keys up to the first dot share a section. */
static size_t section(const char *key)
{
    return strcspn(key, ".");
}

/* The default and the range; names in the place of numbers. */
static void write_md_values(const struct param *p)
{
    const char *name = p->names;

    if (name == NULL) {
        printf("| `%s` | %" PRIu64 " | %" PRIu64 "..%" PRIu64 " | ", p->key, p->def,
               p->min, p->max);
        cell(p->unit);
        return;
    }
    for (uint64_t v = p->def; v > 0; v--)
        name += strcspn(name, "|") + 1;
    printf("| `%s` | %.*s | ", p->key, (int)strcspn(name, "|"), name);
    for (name = p->names; *name; name++) {
        if (*name == '|')
            printf(", ");
        else
            putchar(*name);
    }
    printf(" | name");
}

static void write_md_params(void)
{
    const char *last = "";

    for (size_t i = 0; i < PARAMS; i++) {
        const struct param *p = &params[i];
        size_t n = section(p->key);

        if (n != section(last) || strncmp(last, p->key, n) != 0)
            printf(
                "\n## %.*s\n\n| key | default | range | unit | engines | source: what "
                "it is |\n|---|---|---|---|---|---|\n",
                (int)n, p->key);
        write_md_values(p);
        printf(" | %s | ", p->engines);
        cell(p->source);
        printf(" |\n");
        last = p->key;
    }
}

/* Returns how many presets name a parameter that is not in params.def. */
static int write_md_presets(void)
{
    int bad = 0;

    printf("\n## What the named configurations change\n\n"
           "| configuration | key | value |\n|---|---|---|\n");
    for (size_t i = 0; i < PRESETS; i++) {
        const struct param *p = param_find(presets[i].id);

        if (!p || presets[i].value < p->min || presets[i].value > p->max) {
            fprintf(stderr, "presets.def: %s: %s is unknown or out of range\n",
                    presets[i].name, presets[i].id);
            bad++;
            continue;
        }
        printf("| %s | `%s` | %" PRIu64 " |\n", presets[i].name, p->key,
               presets[i].value);
    }
    return bad;
}

/* Each default in its range, each key once. Returns the number of faults. */
static int params_check(void)
{
    int bad = 0;

    for (size_t i = 0; i < PARAMS; i++) {
        const struct param *p = &params[i];

        if (p->def < p->min || p->def > p->max) {
            fprintf(stderr, "params.def: %s: default outside its range\n", p->key);
            bad++;
        }
        for (size_t j = 0; j < i; j++)
            if (strcmp(p->key, params[j].key) == 0) {
                fprintf(stderr, "params.def: %s: given twice\n", p->key);
                bad++;
            }
    }
    return bad;
}

int main(int argc, char **argv)
{
    int bad = params_check();

    if (argc == 2 && strcmp(argv[1], "vh") == 0) {
        if (!read_used()) {
            fprintf(stderr, "params_gen: over %d names, or one over %d bytes\n", NAMES,
                    NAME_BYTES - 2);
            return 1;
        }
        write_vh();
    } else if (argc == 2 && strcmp(argv[1], "md") == 0) {
        printf(
            "# Parameters\n\nGenerated from `csim/include/igpu/params.def` by `make "
            "params`. Set one with `-s KEY=VALUE`. Defaults are those of "
            "`skl-gt2`. A value without a source says `estimate`.\n\nWho honours a "
            "parameter: `host`, the C around the engines (feeder, memory side, host "
            "loop, sums), so it counts with every engine; `all`, each engine by "
            "itself; "
            "else the engines named (`rtl`, `array`, `ref`, `fpga`), and the others "
            "refuse any value but the default. `tests/bridge/test_parameters.sh` sets "
            "every one on every engine.\n");
        write_md_params();
        bad += write_md_presets();
    } else {
        fprintf(stderr, "usage: params_gen vh < NAMES | md\n");
        return 2;
    }
    return bad ? 1 : 0;
}
