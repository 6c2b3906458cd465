/* tokens.h - Intel's older form of device binaries, patch tokens: what their readers
 * share. All numbers are little-endian dwords; sizes and offsets are in bytes.
 * Source: docs/develop/sources.md#patch-tokens   Tests: tests/traces/test_tokens.c */
#ifndef TRACES_TOKENS_H
#define TRACES_TOKENS_H
#include "loader_impl.h"

/* What a program is, or a kernel: bytes that are walked from the front. */
struct tokens_span {
    const uint8_t *at;
    size_t bytes;
};

/* One token: its number and what follows its header. */
struct token {
    uint32_t number;
    struct tokens_span body;
};

static inline uint32_t tokens_word(struct tokens_span span, uint32_t index)
{
    const uint8_t *p = span.at + 4 * (size_t)index;

    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Cut bytes off the front of *rest; false: it has fewer. */
static inline bool tokens_cut(struct tokens_span *rest, uint64_t bytes,
                              struct tokens_span *out)
{
    if (bytes > rest->bytes)
        return false;
    *out = (struct tokens_span){rest->at, (size_t)bytes};
    rest->at += bytes;
    rest->bytes -= (size_t)bytes;
    return true;
}

/* What is left behind bytes that the span has. */
static inline struct tokens_span tokens_after(struct tokens_span span, size_t bytes)
{
    return (struct tokens_span){span.at + bytes, span.bytes - bytes};
}

/* The next token of a list; false at its end, or where one does not fit, which leaves
 * list->bytes as it was. */
static inline bool tokens_next(struct tokens_span *list, struct token *token)
{
    struct tokens_span rest = *list, head;
    uint32_t bytes;

    if (!tokens_cut(&rest, 8, &head))
        return false;
    bytes = tokens_word(head, 1);
    token->number = tokens_word(head, 0);
    if (bytes < 8 || !tokens_cut(&rest, bytes - 8, &token->body))
        return false;
    *list = rest;
    return true;
}

/* A kernel's heaps and tokens to *kernel, which has its name and text. */
enum igpu_status tokens_read_kernel(const char *label, struct loader_kernel *kernel,
                                    struct tokens_span dynamic,
                                    struct tokens_span surface, struct tokens_span list,
                                    struct igpu_err *err);
#endif
