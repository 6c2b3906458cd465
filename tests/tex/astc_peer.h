/* astc_peer.h - Arm's ASTC library, whose header is C++, for tests in C. One row of
 * blocks of one format at a time; texels of a row of blocks are rows of pixels, four
 * channels. */
#ifndef ASTC_PEER_H
#define ASTC_PEER_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
struct astc_peer;

/* Blocks of wide x high texels, `blocks` a row; srgb: pixels are bytes, else halves.
 * NULL: it cannot be had. */
struct astc_peer *astc_peer_new(uint32_t wide, uint32_t high, uint32_t blocks,
                                bool srgb);
void astc_peer_free(struct astc_peer *peer);
/* False: the library complains. Blocks are 16 bytes each. */
bool astc_peer_decode(struct astc_peer *peer, const uint8_t *blocks, void *pixels);
bool astc_peer_encode(struct astc_peer *peer, void *pixels, uint8_t *blocks);
#ifdef __cplusplus
}
#endif
#endif
