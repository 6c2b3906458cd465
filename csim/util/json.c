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

/* What is written goes through a few bytes of its own: a call of stdio's costs more
 * than the number that it writes. */
struct text {
    FILE *out;
    unsigned used;
    char c[120];
};

static void flush(struct text *t)
{
    if (t->used > 0)
        fwrite(t->c, 1, t->used, t->out);
    t->used = 0;
}

static void char_put(struct text *t, char c)
{
    if (t->used == sizeof(t->c))
        flush(t);
    t->c[t->used++] = c;
}

static void puts_of(struct text *t, const char *text)
{
    for (; *text; text++)
        char_put(t, *text);
}

static void text_number(struct text *t, uint64_t value)
{
    char digits[20]; /* of 2^64 - 1 */
    unsigned n = 0;

    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (n > 0)
        char_put(t, digits[--n]);
}

static void control(struct text *t, unsigned c)
{
    static const char hex[] = "0123456789abcdef";

    puts_of(t, "\\u00");
    char_put(t, hex[c >> 4]);
    char_put(t, hex[c & 15]);
}

static void string(struct text *t, const char *text)
{
    char_put(t, '"');
    while (*text) {
        int n = igpu_utf8_bytes(text);
        unsigned char c = (unsigned char)*text;

        if (n == 0)
            puts_of(t, "\\ufffd");
        else if (c < 0x20)
            control(t, c);
        if (c == '"' || c == '\\')
            char_put(t, '\\');
        for (int i = 0; i < n && c >= 0x20; i++)
            char_put(t, text[i]);
        text += n ? n : 1;
    }
    char_put(t, '"');
}

void igpu_json_start(struct igpu_json *j, FILE *out, bool dense)
{
    *j = (struct igpu_json){.out = out, .dense = dense};
}

static void new_line(const struct igpu_json *j, struct text *t)
{
    char_put(t, '\n');
    for (unsigned i = 0; !j->dense && i < 2 * j->depth; i++)
        char_put(t, ' ');
}

/* Begins with what stands in front of a value. */
static struct text member_place(struct igpu_json *j, const char *key)
{
    struct text t;

    t.out = j->out;
    t.used = 0;
    if (j->depth > 0) {
        bool some = j->open[j->depth - 1].some, lines = j->open[j->depth - 1].lines;

        assert(j->open[j->depth - 1].object == (key != NULL));
        if (some)
            char_put(&t, ',');
        if (lines)
            new_line(j, &t);
        else if (some && !j->dense)
            char_put(&t, ' ');
        j->open[j->depth - 1].some = true;
    }
    if (key != NULL) {
        char_put(&t, '"');
        puts_of(&t, key);
        puts_of(&t, j->dense ? "\":" : "\": ");
    }
    return t;
}

static void open_container(struct igpu_json *j, const char *key,
                           enum igpu_json_layout layout, bool object)
{
    struct text t;

    assert(j->depth < IGPU_JSON_DEPTH);
    t = member_place(j, key);
    char_put(&t, object ? '{' : '[');
    flush(&t);
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
    struct text t;

    assert(j->depth > 0);
    t.out = j->out;
    t.used = 0;
    j->depth--;
    if (j->open[j->depth].lines && j->open[j->depth].some)
        new_line(j, &t);
    char_put(&t, j->open[j->depth].object ? '}' : ']');
    if (j->depth == 0)
        char_put(&t, '\n');
    flush(&t);
}

void igpu_json_text(struct igpu_json *j, const char *key, const char *text)
{
    struct text t = member_place(j, key);

    string(&t, text);
    flush(&t);
}

void igpu_json_u64(struct igpu_json *j, const char *key, uint64_t value)
{
    struct text t = member_place(j, key);

    text_number(&t, value);
    flush(&t);
}

void igpu_json_i64(struct igpu_json *j, const char *key, int64_t value)
{
    struct text t = member_place(j, key);

    if (value < 0)
        char_put(&t, '-');
    text_number(&t, value < 0 ? -(uint64_t)value : (uint64_t)value);
    flush(&t);
}

void igpu_json_bool(struct igpu_json *j, const char *key, bool value)
{
    struct text t = member_place(j, key);

    puts_of(&t, value ? "true" : "false");
    flush(&t);
}

void igpu_json_real(struct igpu_json *j, const char *key, double value,
                    unsigned decimals)
{
    struct text t = member_place(j, key);

    flush(&t);
    if (isfinite(value))
        fprintf(j->out, "%.*f", (int)decimals, value);
    else
        fputs("null", j->out);
}

void igpu_json_fixed(struct igpu_json *j, const char *key, uint64_t value,
                     unsigned decimals)
{
    struct text t = member_place(j, key);
    uint64_t unit = 1;

    for (unsigned i = 0; i < decimals; i++)
        unit *= 10;
    flush(&t);
    fprintf(j->out, "%" PRIu64 ".%0*" PRIu64, value / unit, (int)decimals,
            value % unit);
}
