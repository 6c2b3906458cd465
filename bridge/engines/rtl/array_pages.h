/* array_pages.h - which instructions of a kernel are in an instruction store that is
 * smaller than the kernel. Both are divided into pages of a few instructions; a
 * page of the kernel lies in any page of the store, and stays there while an
 * instruction of it is promised: part of a run that was given and not issued yet, or a
 * message that waits for its answer. The RTL knows only places in the store. Tests:
 * tests/bridge/test_array_pages.c */
#ifndef IGPU_ARRAY_PAGES_H
#define IGPU_ARRAY_PAGES_H
#include <stdbool.h>
#include <stdint.h>

struct array_pages;

/* A kernel of `count` instructions in a store of `depth`, a multiple of `page`, the
 * instructions of a page; no page is in the store. NULL: out of memory. NULL may be
 * destroyed. */
struct array_pages *array_pages_create(uint32_t count, uint32_t depth, uint32_t page);
void array_pages_destroy(struct array_pages *pages);

/* Promise `n` instructions, 1 or more, from `uop` on, all of one page. Returns the
 * place of the first; *load is true if the page has to be written to the store first,
 * from the place that is a multiple of a page's size on. UINT32_MAX: every page of the
 * store is promised. */
uint32_t array_pages_promise(struct array_pages *pages, uint32_t uop, uint32_t n,
                             bool *load);
/* Is this instruction's page in the store? */
bool array_pages_have(const struct array_pages *pages, uint32_t uop);
/* Where an instruction of a promised page is. */
uint32_t array_pages_place(const struct array_pages *pages, uint32_t uop);
/* A promised instruction is done with. False: none of its page was promised. */
bool array_pages_release(struct array_pages *pages, uint32_t uop);
/* The instruction in this place; UINT32_MAX: there is none. */
uint32_t array_pages_uop(const struct array_pages *pages, uint32_t place);
#endif
