/* grow.c - see igpu/grow.h. */
#include "igpu/grow.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 }; /* elements */

bool igpu_resize(void *array, size_t element_bytes, size_t count)
{
    void *old, *now;

    if (count > SIZE_MAX / element_bytes)
        return false;
    memcpy(&old, array, sizeof(old));
    now = realloc(old, count > 0 ? count * element_bytes : 1);
    if (now == NULL)
        return false;
    memcpy(array, &now, sizeof(now));
    return true;
}

bool igpu_grow(void *array, size_t element_bytes, void *room, size_t room_bytes,
               size_t count, bool zero)
{
    const bool narrow = room_bytes == sizeof(uint32_t);
    const size_t most = narrow ? UINT32_MAX : SIZE_MAX;
    uint32_t small = 0;
    size_t had = 0, now;
    char *grown;

    assert(narrow || room_bytes == sizeof(had));
    memcpy(narrow ? (void *)&small : &had, room, room_bytes);
    had += small;
    now = had > most / 2 ? most : 2 * had;
    now = now < count ? count : now;
    now = now < FIRST ? FIRST : now;
    if (now > most || !igpu_resize(array, element_bytes, now))
        return false;
    memcpy(&grown, array, sizeof(grown));
    if (zero)
        memset(grown + had * element_bytes, 0, (now - had) * element_bytes);
    small = (uint32_t)now;
    memcpy(room, narrow ? (void *)&small : &now, room_bytes);
    return true;
}
