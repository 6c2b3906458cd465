/* json.h - text in JSON. Tests: tests/csim/test_stats_write.c */
#ifndef IGPU_JSON_H
#define IGPU_JSON_H
#include <stdio.h>

/* `text` as a JSON string, quotes included; what is no UTF-8 becomes U+FFFD. */
void igpu_json_string(const char *text, FILE *out);

#endif
