/* params_gen.c - writes what is generated from params.def and presets.def.
 *   params_gen vh    rtl/include/igpu_params.vh: default, maximum, width
 *   params_gen md    docs/params.md: the table for people
 * Run by `make params`; `make lint` compares its output with what is committed. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct param {
    const char *id, *key, *unit, *source;
    uint64_t def, min, max;
};

struct preset {
    const char *name, *id;
    uint64_t value;
};

static const struct param params[] = {
#define IGPU_PARAM(id, key, def, min, max, unit, source)                               \
    {#id, key, unit, source, def, min, max},
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

/* IGPU_<ID IN UPPER CASE><suffix>, padded. */
static void define(const char *id, const char *suffix)
{
    int length = (int)(strlen("IGPU_") + strlen(id) + strlen(suffix));

    printf("`define IGPU_");
    for (; *id; id++)
        putchar(toupper((unsigned char)*id));
    printf("%s%*s", suffix, length < 36 ? 36 - length : 1, " ");
}

static void write_vh(void)
{
    printf("// igpu_params.vh - generated from csim/include/igpu/params.def by `make "
           "params`.\n"
           "// Each run-time parameter: default value (sized), maximum, and the width "
           "that\n"
           "// holds the maximum. Do not edit.\n"
           "`ifndef IGPU_PARAMS_VH\n`define IGPU_PARAMS_VH\n");
    for (size_t i = 0; i < PARAMS; i++) {
        const struct param *p = &params[i];

        if (strncmp(p->key, "power.", strlen("power.")) == 0)
            continue; /* no hardware knows its own energies */
        printf("\n// %s [%s] %" PRIu64 "..%" PRIu64 "\n", p->key, p->unit, p->min,
               p->max);
        define(p->id, "");
        printf("%u'd%" PRIu64 "\n", width(p->max), p->def);
        define(p->id, "_MAX");
        printf("%u'd%" PRIu64 "\n", width(p->max), p->max);
        define(p->id, "_W");
        printf("%u\n", width(p->max));
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

static const struct param *find(const char *id)
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

static void write_md_params(void)
{
    const char *last = "";

    for (size_t i = 0; i < PARAMS; i++) {
        const struct param *p = &params[i];
        size_t n = section(p->key);

        if (n != section(last) || strncmp(last, p->key, n) != 0)
            printf("\n## %.*s\n\n| key | default | range | unit | source: what it is "
                   "|\n|---|---|---|---|---|\n",
                   (int)n, p->key);
        printf("| `%s` | %" PRIu64 " | %" PRIu64 "..%" PRIu64 " | ", p->key, p->def,
               p->min, p->max);
        cell(p->unit);
        printf(" | ");
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
        const struct param *p = find(presets[i].id);

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
static int check(void)
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
    int bad = check();

    if (argc == 2 && strcmp(argv[1], "vh") == 0) {
        write_vh();
    } else if (argc == 2 && strcmp(argv[1], "md") == 0) {
        printf("# Parameters\n\nGenerated from `csim/include/igpu/params.def` by `make "
               "params`. Set one with\n`-s KEY=VALUE`. Defaults are those of "
               "`skl-gt2`. A value without a source says\n`estimate`.\n");
        write_md_params();
        bad += write_md_presets();
    } else {
        fprintf(stderr, "usage: params_gen vh|md\n");
        return 2;
    }
    return bad ? 1 : 0;
}
