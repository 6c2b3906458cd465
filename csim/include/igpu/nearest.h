/* nearest.h - what a word that is not known may have meant. */
#ifndef IGPU_NEAREST_H
#define IGPU_NEAREST_H
#include <stddef.h>

enum {
    NEAREST_MAX = 63,  /* characters that are compared */
    NEAREST_BEGUN = 2, /* with fewer a word is not the beginning of a longer one */
};

/* Edit distance of a[0..length) and b. */
size_t igpu_distance(const char *a, size_t length, const char *b);

/* The shortest of known[count] that begins with the word; else the one that is the
 * fewest edits away, if these are not more than a third of the word and one; NULL: none
 * is. */
const char *igpu_nearest(const char *word, const char *const *known, size_t count);
#endif
