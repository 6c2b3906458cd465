/* json.h - the writer of all our JSON: commas, escapes and layout in one place.
 *
 * A value is written into the container that is open, with its key in an object, with
 * key NULL in an array and at the top. Keys are the program's own and need no escape.
 * Failures of the stream are its caller's to find (ferror).
 * Tests: tests/csim/test_json.c */
#ifndef IGPU_JSON_H
#define IGPU_JSON_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { IGPU_JSON_DEPTH = 16 };
enum igpu_json_layout {
    IGPU_JSON_ROW,  /* the members in one line */
    IGPU_JSON_LINES /* each begins a line */
};

struct igpu_json {
    FILE *out;
    bool dense;     /* no blanks: for files of many small objects */
    uint32_t depth; /* containers that are open */
    struct {
        bool lines, object, some; /* some: has a member */
    } open[IGPU_JSON_DEPTH];
};

/* Write to `out`, which stays the caller's. */
void igpu_json_start(struct igpu_json *j, FILE *out, bool dense);

/* Open a container; at most IGPU_JSON_DEPTH in each other. */
void igpu_json_object(struct igpu_json *j, const char *key,
                      enum igpu_json_layout layout);
void igpu_json_array(struct igpu_json *j, const char *key,
                     enum igpu_json_layout layout);
/* Close the one opened last. Behind the outermost comes a newline. */
void igpu_json_end(struct igpu_json *j);

/* One value. A text that is no UTF-8 has U+FFFD where it is not. */
void igpu_json_text(struct igpu_json *j, const char *key, const char *text);
void igpu_json_u64(struct igpu_json *j, const char *key, uint64_t value);
void igpu_json_i64(struct igpu_json *j, const char *key, int64_t value);
void igpu_json_bool(struct igpu_json *j, const char *key, bool value);
/* With so many decimals; what is no finite number becomes null. */
void igpu_json_real(struct igpu_json *j, const char *key, double value,
                    unsigned decimals);
/* value / 10^decimals (1 to 9), exactly. */
void igpu_json_fixed(struct igpu_json *j, const char *key, uint64_t value,
                     unsigned decimals);

/* Bytes of the UTF-8 sequence at `text`: 1 to 4, or 0 when there is none. */
int igpu_utf8_bytes(const char *text);

#endif
