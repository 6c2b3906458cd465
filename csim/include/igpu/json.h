/* json.h - text in JSON. Tests: tests/csim/test_stats_write.c */
#ifndef IGPU_JSON_H
#define IGPU_JSON_H
#include <stdio.h>

/* Bytes of the UTF-8 sequence at `text`: 1 to 4, or 0 when there is none. */
int igpu_utf8_bytes(const char *text);

/* `text` as a JSON string, quotes included; what is no UTF-8 becomes U+FFFD. */
void igpu_json_string(const char *text, FILE *out);

#endif
