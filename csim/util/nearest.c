/* nearest.c - see igpu/nearest.h. Tests: tests/csim/test_config.c, which asks for keys,
 * tests/bridge/test_commands.sh */
#include "igpu/nearest.h"

#include <string.h>

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;

    return least < c ? least : c;
}

size_t igpu_distance(const char *a, size_t length, const char *b)
{
    size_t row[NEAREST_MAX + 1], columns = strlen(b);

    if (columns > NEAREST_MAX)
        columns = NEAREST_MAX;
    if (length > NEAREST_MAX)
        length = NEAREST_MAX;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);

            diagonal = row[j];
            row[j] = smallest(change, row[j] + 1, row[j - 1] + 1);
        }
    }
    return row[columns];
}

/* The shortest one that begins with the word and goes on; NULL: none does. */
static const char *begun(const char *word, size_t length, const char *const *known,
                         size_t count)
{
    const char *found = NULL;

    for (size_t i = 0; i < count; i++)
        if (strncmp(known[i], word, length) == 0 &&
            (found == NULL || strlen(known[i]) < strlen(found)))
            found = known[i];
    return found;
}

const char *igpu_nearest(const char *word, const char *const *known, size_t count)
{
    size_t length = strlen(word), least = length / 3 + 2;
    const char *found =
        length >= NEAREST_BEGUN ? begun(word, length, known, count) : NULL;

    if (found != NULL)
        return found;
    for (size_t i = 0; i < count; i++) {
        size_t d = igpu_distance(word, length, known[i]);

        if (d < least) {
            least = d;
            found = known[i];
        }
    }
    return found;
}
