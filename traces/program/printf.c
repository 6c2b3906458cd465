/* printf.c - the printf buffer as text; see traces/program/printf.h. */
#include "traces/program/printf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_BYTES = 4, MAX_SPEC = 64, MAX_WIDTH = 4096, MAX_LANES = 16 };
enum { FIRST_VECTOR = 9, LAST_KIND = 14 };

/* Kinds of arguments in the buffer. Those of vectors follow those of scalars. */
enum kind { BYTE = 1, SHORT, INT, FLOAT, STRING, LONG, POINTER, DOUBLE };

struct reader {
    const uint8_t *at, *end;
    struct emu_mem *mem;
    const struct loader_kernel *kernel; /* its texts have numbers; NULL: addresses */
    void (*write)(void *ctx, const char *text, size_t length);
    void *ctx;
    struct igpu_err *err;
};

/* One argument: up to 16 elements of one kind. */
struct value {
    uint8_t kind; /* enum kind, of an element */
    uint32_t count;
    uint64_t bits[MAX_LANES];
};

/* One conversion of a format. */
struct spec {
    char flags[8];
    int width, precision; /* -1: none */
    uint32_t lanes;       /* %vN; 0: no vector */
    char length[3];       /* "", hh, h, hl, l */
    char conversion;
};

void printf_buffer_clear(void *buffer)
{
    const uint32_t used = COUNT_BYTES;

    memset(buffer, 0, PRINTF_BUFFER_BYTES);
    memcpy(buffer, &used, sizeof(used));
}

bool printf_buffer_is_full(const void *buffer)
{
    uint32_t used;

    memcpy(&used, buffer, sizeof(used));
    return used > PRINTF_BUFFER_BYTES;
}

static enum igpu_status damaged(const struct reader *r, const char *what,
                                uint64_t number)
{
    return igpu_fail(r->err, IGPU_BAD_INPUT,
                     "the printf buffer is damaged: %s 0x%" PRIX64, what, number);
}

/* ---- the buffer --------------------------------------------------------- */

static bool reader_take(struct reader *r, void *out, size_t bytes)
{
    if (bytes > (size_t)(r->end - r->at))
        return false;
    memcpy(out, r->at, bytes);
    r->at += bytes;
    return true;
}

/* A terminated string in mapped memory, or NULL. */
static const char *string_at(const struct reader *r, uint64_t va)
{
    uint64_t length = 0;

    for (;;) {
        const char *c = emu_mem_host(r->mem, va + length, 1);

        if (c == NULL)
            return NULL;
        if (*c == '\0')
            return emu_mem_host(r->mem, va, length + 1);
        length++;
    }
}

/* Bytes that name a text in the buffer. */
static size_t name_bytes(const struct reader *r)
{
    return r->kernel != NULL ? 4 : 8;
}

/* The text of a name; NULL: none. */
static const char *text_of(const struct reader *r, uint64_t name)
{
    if (r->kernel == NULL)
        return string_at(r, name);
    return name < r->kernel->strings ? r->kernel->string[name] : NULL;
}

static uint32_t element_bytes(uint8_t kind)
{
    static const uint8_t bytes[] = {0, 1, 2, 4, 4, 8, 8, 8, 8};

    return bytes[kind];
}

static enum igpu_status take_value(struct reader *r, struct value *v)
{
    static const uint8_t elements[] = {BYTE, SHORT, INT, LONG, FLOAT, DOUBLE};
    uint32_t kind = 0, size;
    uint8_t rest[3 * MAX_LANES];

    v->count = 1;
    if (!reader_take(r, &kind, sizeof(kind)))
        return damaged(r, "it ends within a call that began before", 0);
    if (kind < BYTE || kind > LAST_KIND)
        return damaged(r, "an argument of the unknown kind", kind);
    if (kind >= FIRST_VECTOR && !reader_take(r, &v->count, sizeof(v->count)))
        return damaged(r, "it ends within a vector", 0);
    if (v->count < 1 || v->count > MAX_LANES)
        return damaged(r, "a vector's number of elements,", v->count);
    v->kind = kind >= FIRST_VECTOR ? elements[kind - FIRST_VECTOR] : (uint8_t)kind;
    size = v->kind == STRING ? (uint32_t)name_bytes(r) : element_bytes(v->kind);
    for (uint32_t i = 0; i < v->count; i++) {
        v->bits[i] = 0;
        if (!reader_take(r, &v->bits[i], size))
            return damaged(r, "it ends within an argument of kind", kind);
    }
    /* Elements of 1 and 2 bytes lie close, but 4 are reserved for each. */
    if (size < 4 && !reader_take(r, rest, (4 - size) * v->count))
        return damaged(r, "it ends within an argument of kind", kind);
    return IGPU_OK;
}

/* ---- a conversion ------------------------------------------------------- */

static const char *take_number(const char *p, int *number)
{
    *number = 0;
    while (*p >= '0' && *p <= '9') {
        if (*number < MAX_WIDTH)
            *number = *number * 10 + (*p - '0');
        p++;
    }
    if (*number > MAX_WIDTH)
        *number = MAX_WIDTH;
    return p;
}

/* Read what follows a '%'. Returns where the format goes on. */
static const char *parse_spec(const char *p, struct spec *s)
{
    size_t n = 0;
    int lanes = 0;

    memset(s, 0, sizeof(*s));
    s->width = s->precision = -1;
    for (; *p != '\0' && strchr("-+ #0", *p) != NULL; p++)
        if (strchr(s->flags, *p) == NULL && n + 1 < sizeof(s->flags))
            s->flags[n++] = *p;
    if (*p >= '1' && *p <= '9')
        p = take_number(p, &s->width);
    if (*p == '.')
        p = take_number(p + 1, &s->precision);
    if (*p == 'v') {
        p = take_number(p + 1, &lanes);
        s->lanes = (uint32_t)lanes;
    }
    n = strncmp(p, "hh", 2) == 0 || strncmp(p, "hl", 2) == 0 ? 2
        : *p == 'h' || *p == 'l'                             ? 1
                                                             : 0;
    memcpy(s->length, p, n);
    p += n;
    if (n == 1 && s->length[0] == 'l' &&
        *p == 'l') /* C's long long: ours are as long */
        p++;
    s->conversion = *p;
    return *p != '\0' ? p + 1 : p;
}

/* The C conversion: % flags width .precision length letter. */
static void make_format(const struct spec *s, const char *length, char letter,
                        char *out)
{
    char width[16] = "", precision[16] = "";

    if (s->width >= 0)
        (void)snprintf(width, sizeof(width), "%d", s->width);
    if (s->precision >= 0)
        (void)snprintf(precision, sizeof(precision), ".%d", s->precision);
    (void)snprintf(out, MAX_SPEC, "%%%s%s%s%s%c", s->flags, width, precision, length,
                   letter);
}

static void text_put(const struct reader *r, const char *text, size_t length)
{
    if (length > 0)
        r->write(r->ctx, text, length);
}

static double as_real(const struct value *v, uint32_t i)
{
    float single;
    double real;

    switch (v->kind) {
    case FLOAT:
        memcpy(&single, &v->bits[i], sizeof(single));
        return single;
    case DOUBLE:
        memcpy(&real, &v->bits[i], sizeof(real));
        return real;
    default:
        return (double)(int64_t)v->bits[i];
    }
}

/* The integer that the length modifier makes of the element. */
static int64_t as_signed(const struct spec *s, const struct value *v, uint32_t i)
{
    uint64_t bits = v->bits[i];

    if (strcmp(s->length, "hh") == 0 || v->kind == BYTE)
        return (int8_t)bits;
    if (strcmp(s->length, "h") == 0 || v->kind == SHORT)
        return (int16_t)bits;
    if (strcmp(s->length, "l") == 0 && v->kind >= STRING && v->kind != DOUBLE)
        return (int64_t)bits;
    return v->kind == LONG && s->length[0] == '\0' ? (int64_t)bits : (int32_t)bits;
}

static uint64_t as_unsigned(const struct spec *s, const struct value *v, uint32_t i)
{
    uint64_t value = (uint64_t)as_signed(s, v, i);

    if (strcmp(s->length, "hh") == 0 || v->kind == BYTE)
        return value & UINT8_MAX;
    if (strcmp(s->length, "h") == 0 || v->kind == SHORT)
        return value & UINT16_MAX;
    return v->kind == LONG ? value : value & UINT32_MAX;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Element i of v; `out` holds MAX_WIDTH digits and more. */
static int format_element(const struct spec *s, const struct value *v, uint32_t i,
                          char *out, size_t room)
{
    char format[MAX_SPEC];

    switch (s->conversion) {
    case 'd':
    case 'i':
        make_format(s, PRId64[0] == 'l' && PRId64[1] == 'l' ? "ll" : "l", 'd', format);
        return snprintf(out, room, format, as_signed(s, v, i));
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        make_format(s, PRId64[0] == 'l' && PRId64[1] == 'l' ? "ll" : "l", s->conversion,
                    format);
        return snprintf(out, room, format, as_unsigned(s, v, i));
    case 'c':
        make_format(s, "", 'c', format);
        return snprintf(out, room, format, (int)(uint8_t)v->bits[i]);
    case 'p':
        make_format(s, "", 'p', format);
        return snprintf(out, room, format, (void *)(uintptr_t)v->bits[i]);
    default:
        make_format(s, "", s->conversion, format);
        return snprintf(out, room, format, as_real(v, i));
    }
}

static enum igpu_status format_string(const struct reader *r, const struct spec *s,
                                      const struct value *v)
{
    char format[MAX_SPEC], out[2 * MAX_WIDTH];
    const char *text = text_of(r, v->bits[0]);
    int length;

    if (v->kind != STRING && v->kind != POINTER && v->kind != LONG)
        return IGPU_OK; /* OpenCL leaves it open */
    if (text == NULL)
        return damaged(r, "no string at", v->bits[0]);
    if (s->width < 0 && s->precision < 0) {
        text_put(r, text, strlen(text));
        return IGPU_OK;
    }
    make_format(s, "", 's', format);
    length = snprintf(out, sizeof(out), format, text);
    text_put(r, out, length < (int)sizeof(out) ? (size_t)length : sizeof(out) - 1);
    return IGPU_OK;
}

#pragma GCC diagnostic pop

static enum igpu_status convert(struct reader *r, const struct spec *s)
{
    char out[2 * MAX_WIDTH];
    struct value v;
    enum igpu_status status = take_value(r, &v);

    if (status != IGPU_OK || s->conversion == 's')
        return status == IGPU_OK ? format_string(r, s, &v) : status;
    for (uint32_t i = 0; i < v.count; i++) {
        int length = format_element(s, &v, i, out, sizeof(out));

        if (i > 0)
            text_put(r, ",", 1);
        text_put(r, out, length < (int)sizeof(out) ? (size_t)length : sizeof(out) - 1);
    }
    return IGPU_OK;
}

/* ---- a call ------------------------------------------------------------- */

static enum igpu_status print_call(struct reader *r, const char *format)
{
    enum igpu_status status = IGPU_OK;

    while (*format != '\0' && status == IGPU_OK) {
        size_t plain = strcspn(format, "%");
        struct spec s;

        text_put(r, format, plain);
        format += plain;
        if (*format == '\0')
            break;
        if (format[1] == '%') {
            text_put(r, "%", 1);
            format += 2;
            continue;
        }
        format = parse_spec(format + 1, &s);
        if (s.conversion != '\0' && strchr("diouxXfFeEgGaAcsp", s.conversion) != NULL)
            status = convert(r, &s);
    }
    return status;
}

/* A format starts its section or follows the end of another string. */
static bool starts_call(const struct reader *r)
{
    uint64_t va = 0;

    if ((size_t)(r->end - r->at) < name_bytes(r))
        return true;
    memcpy(&va, r->at, name_bytes(r));
    if (text_of(r, va) == NULL)
        return false;
    if (r->kernel != NULL)
        return true;
    return emu_mem_host(r->mem, va - 1, 2) == NULL ||
           *(const char *)emu_mem_host(r->mem, va - 1, 2) == '\0';
}

/* Arguments that the format did not ask for. */
static enum igpu_status skip_rest(struct reader *r)
{
    enum igpu_status status = IGPU_OK;
    struct value v;
    uint32_t kind;

    while (status == IGPU_OK && !starts_call(r)) {
        memcpy(&kind, r->at, sizeof(kind));
        if (kind < BYTE || kind > LAST_KIND)
            break;
        status = take_value(r, &v);
    }
    return status;
}

enum igpu_status printf_print(const void *buffer, uint64_t bytes, struct emu_mem *mem,
                              const struct loader_kernel *kernel,
                              void (*write)(void *ctx, const char *text, size_t length),
                              void *ctx, struct igpu_err *err)
{
    struct reader r = {.mem = mem,
                       .kernel = kernel != NULL && kernel->strings > 0 ? kernel : NULL,
                       .write = write,
                       .ctx = ctx,
                       .err = err};
    enum igpu_status status = IGPU_OK;
    uint32_t used;

    if (bytes < COUNT_BYTES)
        return damaged(&r, "its bytes,", bytes);
    memcpy(&used, buffer, sizeof(used));
    r.at = (const uint8_t *)buffer + COUNT_BYTES;
    r.end = (const uint8_t *)buffer + (used < bytes ? used : bytes);
    while (status == IGPU_OK && (size_t)(r.end - r.at) >= name_bytes(&r)) {
        uint64_t va = 0;
        uint32_t stopped = 0;
        const char *format;

        memcpy(&stopped, r.at, sizeof(stopped));
        if (stopped == UINT32_MAX) /* the kernel's mark: no room from here on */
            break;
        (void)reader_take(&r, &va, name_bytes(&r));
        format = text_of(&r, va);
        if (format == NULL)
            return damaged(&r, "no format at", va);
        status = print_call(&r, format);
        if (status == IGPU_OK)
            status = skip_rest(&r);
    }
    return status;
}
