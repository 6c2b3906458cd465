/* json.c - see json.h. */
#include "igpu/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

/* The second byte's range tells overlong forms, surrogates and what is beyond
 * U+10FFFF. */
int igpu_utf8_bytes(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    int n = c[0] < 0x80                   ? 1
            : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
            : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
            : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                          : 0;

    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90))
        return 0;
    return n;
}

static void string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int n = igpu_utf8_bytes((const char *)c);

        if (n == 0)
            fputs("\\ufffd", out);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)n, out);
        c += n ? n : 1;
    }
    fputc('"', out);
}

void igpu_json_start(struct igpu_json *j, FILE *out, bool dense)
{
    *j = (struct igpu_json){.out = out, .dense = dense};
}

static void new_line(const struct igpu_json *j)
{
    fputc('\n', j->out);
    if (!j->dense)
        fprintf(j->out, "%*s", (int)(2 * j->depth), "");
}

/* What stands in front of a value. */
static void place(struct igpu_json *j, const char *key)
{
    if (j->depth > 0) {
        bool some = j->open[j->depth - 1].some, lines = j->open[j->depth - 1].lines;

        assert(j->open[j->depth - 1].object == (key != NULL));
        if (some)
            fputc(',', j->out);
        if (lines)
            new_line(j);
        else if (some && !j->dense)
            fputc(' ', j->out);
        j->open[j->depth - 1].some = true;
    }
    if (key != NULL)
        fprintf(j->out, j->dense ? "\"%s\":" : "\"%s\": ", key);
}

static void open_container(struct igpu_json *j, const char *key,
                           enum igpu_json_layout layout, bool object)
{
    assert(j->depth < IGPU_JSON_DEPTH);
    place(j, key);
    fputc(object ? '{' : '[', j->out);
    j->open[j->depth].lines = layout == IGPU_JSON_LINES;
    j->open[j->depth].object = object;
    j->open[j->depth].some = false;
    j->depth++;
}

void igpu_json_object(struct igpu_json *j, const char *key,
                      enum igpu_json_layout layout)
{
    open_container(j, key, layout, true);
}

void igpu_json_array(struct igpu_json *j, const char *key, enum igpu_json_layout layout)
{
    open_container(j, key, layout, false);
}

void igpu_json_end(struct igpu_json *j)
{
    assert(j->depth > 0);
    j->depth--;
    if (j->open[j->depth].lines && j->open[j->depth].some)
        new_line(j);
    fputc(j->open[j->depth].object ? '}' : ']', j->out);
    if (j->depth == 0)
        fputc('\n', j->out);
}

void igpu_json_text(struct igpu_json *j, const char *key, const char *text)
{
    place(j, key);
    string(j->out, text);
}

void igpu_json_u64(struct igpu_json *j, const char *key, uint64_t value)
{
    place(j, key);
    fprintf(j->out, "%" PRIu64, value);
}

void igpu_json_i64(struct igpu_json *j, const char *key, int64_t value)
{
    place(j, key);
    fprintf(j->out, "%" PRId64, value);
}

void igpu_json_bool(struct igpu_json *j, const char *key, bool value)
{
    place(j, key);
    fputs(value ? "true" : "false", j->out);
}

void igpu_json_real(struct igpu_json *j, const char *key, double value,
                    unsigned decimals)
{
    place(j, key);
    if (isfinite(value))
        fprintf(j->out, "%.*f", (int)decimals, value);
    else
        fputs("null", j->out);
}

void igpu_json_fixed(struct igpu_json *j, const char *key, uint64_t value,
                     unsigned decimals)
{
    uint64_t unit = 1;

    for (unsigned i = 0; i < decimals; i++)
        unit *= 10;
    place(j, key);
    fprintf(j->out, "%" PRIu64 ".%0*" PRIu64, value / unit, (int)decimals,
            value % unit);
}
