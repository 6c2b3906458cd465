/* argspec.c - parsing of argument specs; see argspec.h. */
#include "argspec.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "argspec_image.h"
#include "half.h"

enum { MAX_FIELDS = 7, MAX_TEXT = ARGSPEC_MAX_PATH + 64, MAX_ELEMENTS = 16 };

/* A spec cut at its colons. `text` is the original, for messages. */
struct fields {
    const char *text;
    char storage[MAX_TEXT];
    char *at[MAX_FIELDS];
    size_t count;
};

struct init_rule {
    const char *name;
    enum argspec_init init;
    size_t least, most; /* fields after the name */
    const char *form;
};

static const struct init_rule init_rules[] = {
    {"zero", ARGSPEC_ZERO, 0, 0, "zero"},
    {"iota", ARGSPEC_IOTA, 0, 0, "iota"},
    {"fill", ARGSPEC_FILL, 1, 1, "fill:WORD"},
    {"ramp", ARGSPEC_RAMP, 2, 2, "ramp:FIRST:STEP"},
    {"rand", ARGSPEC_RAND, 1, 1, "rand:SEED"},
    {"randi32", ARGSPEC_RANDI32, 3, 3, "randi32:SEED:LOW:HIGH"},
    {"randf16", ARGSPEC_RANDF16, 1, 3, "randf16:SEED[:LOW:HIGH]"},
    {"randf32", ARGSPEC_RANDF32, 1, 3, "randf32:SEED[:LOW:HIGH]"},
    {"randf64", ARGSPEC_RANDF64, 1, 3, "randf64:SEED[:LOW:HIGH]"},
    {"prefix", ARGSPEC_PREFIX, 3, 3, "prefix:SEED:LOW:HIGH"},
    {"chase", ARGSPEC_CHASE, 1, 2, "chase:SEED[:REGIONS]"},
    {"chaseidx", ARGSPEC_CHASEIDX, 1, 2, "chaseidx:SEED[:REGIONS]"},
    {"chase64", ARGSPEC_CHASE64, 1, 2, "chase64:SEED[:REGIONS]"},
    {"file", ARGSPEC_FILE, 1, 1, "file:PATH"},
};

struct value_rule {
    const char *name;
    unsigned bytes;
    char form; /* i signed, u unsigned, f floating point */
};

static const struct value_rule value_rules[] = {
    {"i8", 1, 'i'},  {"u8", 1, 'u'},  {"i16", 2, 'i'}, {"u16", 2, 'u'},
    {"i32", 4, 'i'}, {"u32", 4, 'u'}, {"i64", 8, 'i'}, {"u64", 8, 'u'},
    {"f16", 2, 'f'}, {"f32", 4, 'f'}, {"f64", 8, 'f'},
};

/* Cut text at its colons. A path (behind the field `file`) keeps its own colons. */
static enum igpu_status text_split(const char *text, struct fields *f,
                                   struct igpu_err *err)
{
    size_t length = strlen(text);
    char *at = f->storage;

    if (length >= sizeof(f->storage))
        return igpu_fail(err, IGPU_USAGE,
                         "argument '%.40s...': %zu characters, at most %zu", text,
                         length, sizeof(f->storage) - 1);
    f->text = text;
    memcpy(f->storage, text, length + 1);
    f->count = 0;
    while (f->count < MAX_FIELDS) {
        char *colon = strchr(at, ':');

        f->at[f->count++] = at;
        if ((f->count == 4 || f->count == 5) &&
            strcmp(f->at[f->count - 2], "file") == 0)
            return IGPU_OK;
        if (colon == NULL)
            return IGPU_OK;
        *colon = '\0';
        at = colon + 1;
    }
    return igpu_fail(err, IGPU_USAGE, "argument '%s': more than %d fields", text,
                     (int)MAX_FIELDS);
}

static bool parse_u64(const char *text, uint64_t *out)
{
    char *end;
    unsigned long long value;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    value = strtoull(text, &end, 0);
    *out = value;
    return errno == 0 && *end == '\0';
}

static bool parse_i64(const char *text, int64_t *out)
{
    char *end;
    long long value;

    if (!isdigit((unsigned char)text[text[0] == '-']))
        return false;
    errno = 0;
    value = strtoll(text, &end, 0);
    *out = value;
    return errno == 0 && *end == '\0';
}

static bool parse_real(const char *text, double *out)
{
    char *end;

    if (text[0] == '\0' || isspace((unsigned char)text[0]))
        return false;
    *out = strtod(text, &end);
    return *end == '\0';
}

static enum igpu_status parse_bytes(const struct fields *f, uint64_t *out,
                                    struct igpu_err *err)
{
    static const char units[] = "KMG";
    char digits[32];
    const char *text = f->count > 1 ? f->at[1] : "";
    size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    unsigned shift = unit != NULL ? 10 * ((unsigned)(unit - units) + 1) : 0;

    if (unit != NULL)
        length--;
    if (length < sizeof(digits)) {
        memcpy(digits, text, length);
        digits[length] = '\0';
        if (parse_u64(digits, out) && *out > 0 && *out <= ARGSPEC_MAX_BYTES >> shift) {
            *out <<= shift;
            return IGPU_OK;
        }
    }
    return igpu_fail(err, IGPU_USAGE,
                     "argument '%s': byte count '%s', expected 1 to 1024G, in "
                     "bytes or with K, M or G",
                     f->text, text);
}

static enum igpu_status bad_field(const struct fields *f, const char *field,
                                  const char *expected, struct igpu_err *err)
{
    return igpu_fail(err, IGPU_USAGE, "argument '%s': '%s', expected %s", f->text,
                     field, expected);
}

/* LOW and HIGH of rand* and prefix, fields 4 and 5. */
static enum igpu_status parse_range(const struct fields *f, struct argspec *out,
                                    struct igpu_err *err)
{
    bool whole = out->init == ARGSPEC_RANDI32 || out->init == ARGSPEC_PREFIX;
    double least = out->init == ARGSPEC_PREFIX ? 0.0 : whole ? INT32_MIN : -DBL_MAX;
    double most = whole ? INT32_MAX : DBL_MAX;

    out->low = 0.0;
    out->high = 1.0;
    if (f->count == 4)
        return IGPU_OK;
    if (f->count == 5)
        return bad_field(f, f->at[4], "both LOW and HIGH, or neither", err);
    for (size_t i = 4; i < 6; i++) {
        double *to = i == 4 ? &out->low : &out->high;

        if (!parse_real(f->at[i], to) || !(*to >= least && *to <= most) ||
            (whole && *to != floor(*to)))
            return bad_field(f, f->at[i],
                             out->init == ARGSPEC_PREFIX
                                 ? "a whole number, 0 to 2147483647"
                             : whole ? "a whole number of 32 bits"
                                     : "a finite number",
                             err);
    }
    if (out->low > out->high)
        return bad_field(f, f->at[4], "LOW not above HIGH", err);
    return IGPU_OK;
}

static enum igpu_status parse_chase(const struct fields *f, struct argspec *out,
                                    struct igpu_err *err)
{
    uint64_t lines = out->bytes / ARGSPEC_LINE;
    uint64_t most = out->init == ARGSPEC_CHASE      ? (uint64_t)1 << 32
                    : out->init == ARGSPEC_CHASEIDX ? (uint64_t)1 << 33
                                                    : (uint64_t)1 << 38;

    out->regions = 1;
    if (f->count == 5 && (!parse_u64(f->at[4], &out->regions) || out->regions == 0))
        return bad_field(f, f->at[4], "a number of regions, 1 or more", err);
    if (out->bytes % ARGSPEC_LINE != 0 || lines % out->regions != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "argument '%s': a chase needs a whole number of %d-byte "
                         "lines in each of its %llu regions",
                         f->text, (int)ARGSPEC_LINE, (unsigned long long)out->regions);
    if (out->bytes > most)
        return igpu_fail(err, IGPU_USAGE,
                         "argument '%s': '%s' reaches at most %lluG; use chase64",
                         f->text, f->at[2], (unsigned long long)(most >> 30));
    return IGPU_OK;
}

/* The fields after the initialiser's name. */
static enum igpu_status parse_init_fields(const struct fields *f, struct argspec *out,
                                          struct igpu_err *err)
{
    int64_t number[2] = {0, 0};

    switch (out->init) {
    case ARGSPEC_ZERO:
    case ARGSPEC_IOTA:
        return IGPU_OK;
    case ARGSPEC_FILE:
        if (f->at[3][0] == '\0' || strlen(f->at[3]) >= sizeof(out->path))
            return bad_field(f, f->at[3], "a path of 1 to 1023 characters", err);
        strcpy(out->path, f->at[3]);
        return IGPU_OK;
    case ARGSPEC_FILL:
    case ARGSPEC_RAMP:
        for (size_t i = 3; i < f->count; i++) {
            if (!parse_i64(f->at[i], &number[i - 3]) || number[i - 3] < INT32_MIN ||
                number[i - 3] > UINT32_MAX)
                return bad_field(f, f->at[i], "a number of 32 bits", err);
        }
        out->first = (uint32_t)number[0];
        out->step = (uint32_t)number[1];
        return IGPU_OK;
    default:
        break;
    }
    if (!parse_u64(f->at[3], &out->seed))
        return bad_field(f, f->at[3], "a seed, 0 or more", err);
    if (out->init == ARGSPEC_CHASE || out->init == ARGSPEC_CHASEIDX ||
        out->init == ARGSPEC_CHASE64)
        return parse_chase(f, out, err);
    return out->init == ARGSPEC_RAND ? IGPU_OK : parse_range(f, out, err);
}

static enum igpu_status parse_buffer(const struct fields *f, struct argspec *out,
                                     struct igpu_err *err)
{
    size_t rules = sizeof(init_rules) / sizeof(init_rules[0]);

    if (f->count < 3)
        return IGPU_OK; /* zero */
    for (size_t i = 0; i < rules; i++) {
        const struct init_rule *rule = &init_rules[i];

        if (strcmp(rule->name, f->at[2]) != 0)
            continue;
        out->init = rule->init;
        if (f->count - 3 < rule->least || f->count - 3 > rule->most)
            return igpu_fail(err, IGPU_USAGE,
                             "argument '%s': %zu fields after '%s', expected "
                             "buf:BYTES:%s",
                             f->text, f->count - 3, rule->name, rule->form);
        return parse_init_fields(f, out, err);
    }
    return bad_field(f, f->at[2],
                     "zero, iota, fill, ramp, rand, randi32, randf16, randf32, "
                     "randf64, prefix, chase, chaseidx, chase64 or file",
                     err);
}

static bool parse_element(const struct value_rule *rule, const char *text,
                          uint64_t *bits)
{
    unsigned width = rule->bytes * 8;
    int64_t whole = 0;
    double real = 0.0;
    float single;

    if (rule->form == 'u')
        return parse_u64(text, bits) && (width == 64 || *bits >> width == 0);
    if (rule->form == 'i') {
        if (!parse_i64(text, &whole))
            return false;
        *bits = (uint64_t)whole;
        return width == 64 ||
               (whole >= -((int64_t)1 << (width - 1)) && whole >> (width - 1) <= 0);
    }
    if (!parse_real(text, &real))
        return false;
    single = (float)real;
    if (rule->bytes == 2) {
        *bits = half_from_double(real);
    } else if (rule->bytes == 8) {
        memcpy(bits, &real, 8);
    } else {
        *bits = 0;
        memcpy(bits, &single, 4);
    }
    return true;
}

static enum igpu_status parse_value(const struct fields *f,
                                    const struct value_rule *rule, struct argspec *out,
                                    struct igpu_err *err)
{
    char *rest = f->count == 2 ? f->at[1] : NULL;
    size_t elements = 0;

    out->kind = ARGSPEC_VALUE;
    out->type = rule->name;
    while (rest != NULL) {
        char *text = rest;
        char *comma = strchr(rest, ',');
        uint64_t bits = 0;

        if (comma != NULL)
            *comma = '\0';
        rest = comma != NULL ? comma + 1 : NULL;
        if (elements == MAX_ELEMENTS || !parse_element(rule, text, &bits))
            return igpu_fail(err, IGPU_USAGE,
                             "argument '%s': '%s' is not element %zu of type %s, or "
                             "there are more than %d",
                             f->text, text, elements, rule->name, (int)MAX_ELEMENTS);
        for (unsigned i = 0; i < rule->bytes; i++)
            out->value[elements * rule->bytes + i] = (uint8_t)(bits >> (8 * i));
        elements++;
    }
    if (elements == 0)
        return igpu_fail(err, IGPU_USAGE, "argument '%s': expected %s:VALUE", f->text,
                         rule->name);
    out->bytes = elements * rule->bytes;
    return IGPU_OK;
}

/* imageKIND:SIZE:FORMAT[:INIT]: behind the format as a buffer's. */
static enum igpu_status parse_image(struct fields *f, enum image_kind kind,
                                    struct argspec *out, struct igpu_err *err)
{
    out->kind = ARGSPEC_IMAGE;
    out->image.kind = (uint8_t)kind;
    if (f->count < 3)
        return bad_field(f, f->at[0],
                         "a size and a format, as image2d:64x64:rgba-unorm8", err);
    if (!argspec_image_size(f->at[1], &out->image))
        return bad_field(f, f->at[1],
                         "the image's sizes, as 64, 64x32 or 64x32x8, layers last",
                         err);
    if (!argspec_image_format(f->at[2], &out->image))
        return bad_field(f, f->at[2],
                         "ORDER-TYPE, as rgba-unorm8, that OpenCL 1.2 knows", err);
    if (image_layout(&out->image, &out->bytes, err) != IGPU_OK)
        return IGPU_USAGE;
    memmove(&f->at[1], &f->at[2], (f->count - 2) * sizeof(f->at[0]));
    f->count--;
    return parse_buffer(f, out, err);
}

/* sampler:WORD[:WORD[:WORD]] in any order. */
static enum igpu_status parse_sampler(const struct fields *f, struct argspec *out,
                                      struct igpu_err *err)
{
    out->kind = ARGSPEC_SAMPLER;
    for (size_t i = 1; i < f->count; i++)
        if (!argspec_sampler_word(f->at[i], &out->sampler))
            return bad_field(f, f->at[i],
                             "none, clamp, clamp_to_edge, repeat, mirrored_repeat; "
                             "nearest, linear; texels, normalized",
                             err);
    return IGPU_OK;
}

enum igpu_status argspec_parse(const char *text, struct argspec *out,
                               struct igpu_err *err)
{
    size_t rules = sizeof(value_rules) / sizeof(value_rules[0]);
    struct fields f;
    enum igpu_status status = text_split(text, &f, err);

    memset(out, 0, sizeof(*out));
    if (status != IGPU_OK)
        return status;
    if (strcmp(f.at[0], "buf") == 0) {
        out->kind = ARGSPEC_BUFFER;
        status = parse_bytes(&f, &out->bytes, err);
        return status != IGPU_OK ? status : parse_buffer(&f, out, err);
    }
    if (argspec_image_kind(f.at[0]) != IMAGE_KIND_COUNT)
        return parse_image(&f, argspec_image_kind(f.at[0]), out, err);
    if (strcmp(f.at[0], "sampler") == 0)
        return parse_sampler(&f, out, err);
    if (strcmp(f.at[0], "local") == 0) {
        out->kind = ARGSPEC_LOCAL;
        status = parse_bytes(&f, &out->bytes, err);
        if (status != IGPU_OK)
            return status;
        if (f.count != 2 || out->bytes > 65536)
            return bad_field(&f, f.at[f.count - 1], "local:BYTES, at most 64K", err);
        return IGPU_OK;
    }
    for (size_t i = 0; i < rules; i++) {
        if (strcmp(f.at[0], value_rules[i].name) == 0)
            return parse_value(&f, &value_rules[i], out, err);
    }
    return bad_field(&f, f.at[0],
                     "buf, local, image2d (or another image), sampler or a type (i8 u8 "
                     "i16 u16 i32 u32 i64 u64 f16 f32 "
                     "f64), as in buf:64K:iota or f32:0.5",
                     err);
}
