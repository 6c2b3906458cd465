/* grow.h - arrays that grow: the one owner of realloc().
 * An array is a pointer and the number of elements that it has room for, an uint32_t or
 * a size_t; both zero are an empty one, free() ends it. Where one becomes larger its
 * room at least doubles, so that appending costs a copy an element, whatever the count.
 * False: memory is short, or the room cannot be counted; array and room are as before,
 * and the caller says so (igpu_no_memory()).   Tests: tests/csim/test_grow.c */
#ifndef IGPU_GROW_H
#define IGPU_GROW_H
#include <stdbool.h>
#include <stddef.h>

/* Room for `count` elements. Arguments are evaluated more than once; a count that is a
 * sum is a sum of size_t, which does not wrap. */
#define IGPU_RESERVE(array, room, count)                                               \
    ((count) <= (room) ||                                                              \
     igpu_grow(&(array), sizeof(*(array)), &(room), sizeof(room), (count), false))

/* The same; elements that were not there before are zero bytes. */
#define IGPU_RESERVE_ZERO(array, room, count)                                          \
    ((count) <= (room) ||                                                              \
     igpu_grow(&(array), sizeof(*(array)), &(room), sizeof(room), (count), true))

/* One more element behind `count` others, of the value that follows, which does not
 * name the count; counts it. */
#define IGPU_APPEND(array, count, room, ...)                                           \
    (((count) < (room) || igpu_grow(&(array), sizeof(*(array)), &(room), sizeof(room), \
                                    (size_t)(count) + 1, false)) &&                    \
     ((array)[(count)++] = (__VA_ARGS__), true))

/* Exactly `count` elements, or none and an address all the same: for arrays whose count
 * is known at once, that share one room, or that give back what they do not need. */
#define IGPU_RESIZE(array, count) igpu_resize(&(array), sizeof(*(array)), (count))

/* What these call: `array` is the address of the pointer, `room` of the number, which
 * has `room_bytes`. igpu_grow() grows even if there was room: to `count`, twice the old
 * room or 16, whichever is most. */
bool igpu_grow(void *array, size_t element_bytes, void *room, size_t room_bytes,
               size_t count, bool zero) __attribute__((cold));
bool igpu_resize(void *array, size_t element_bytes, size_t count);

#endif
