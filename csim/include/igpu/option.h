/* options.h - the options of a program as one table, of which parsing and --help are
 * made: a new option is a row, and its case where it is taken. Tests:
 * tests/csim/test_option.c */
#ifndef IGPU_OPTION_H
#define IGPU_OPTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    IGPU_OPTIONS = 64,     /* rows of a table, at most */
    IGPU_OPTION_LONG = 256 /* the values of options without a letter begin here */
};

/* A table ends with a row whose name is NULL. */
struct igpu_option {
    int option; /* what igpu_option_next() gives; below 128: its letter, too */
    const char *name,
        *value;       /* --name VALUE; name "": the letter alone; value "": none */
    const char *text; /* what it does, in lines of at most 60 characters; NULL: one
                         of which --help says nothing here */
};

/* With optind 1 at first: the next option of argv, its value in optarg; -1: none is
 * left, and optind is the first further word; '?': unknown, or its value is missing
 * (argv[optind - 1]). to_program: options end at the first word that is none. */
int igpu_option_next(const struct igpu_option *table, bool to_program, int argc,
                     char **argv);

/* The rows of `table` that have a text, as lines of --help. Behind a text that ends
 * with a colon: the names of machines. */
void igpu_option_help(FILE *out, const struct igpu_option *table);

/* Decimal digits alone, from least to most. */
bool igpu_option_count(const char *text, uint64_t least, uint64_t most,
                       uint64_t *value);

/* "A..B", or "A" for both; A not above B, B not above `most`. */
bool igpu_option_range(const char *text, uint64_t most, uint64_t *first,
                       uint64_t *last);

#endif
