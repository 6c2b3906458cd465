/* astc_peer.cpp - see astc_peer.h. */
#include "tests/tex/astc_peer.h"

/* Debian's is a shared library, with C's names. */
#define ASTCENC_DYNAMIC_LIBRARY
#include <astcenc.h>

struct astc_peer {
    astcenc_context *context;
    uint32_t wide, high, blocks;
    bool srgb;
};

static const astcenc_swizzle as_is = {ASTCENC_SWZ_R, ASTCENC_SWZ_G, ASTCENC_SWZ_B,
                                      ASTCENC_SWZ_A};

struct astc_peer *astc_peer_new(uint32_t wide, uint32_t high, uint32_t blocks,
                                bool srgb)
{
    astcenc_config config;
    auto *peer = new astc_peer{nullptr, wide, high, blocks, srgb};

    if (astcenc_config_init(srgb ? ASTCENC_PRF_LDR_SRGB : ASTCENC_PRF_LDR, wide, high,
                            1, ASTCENC_PRE_FASTEST, 0, &config) == ASTCENC_SUCCESS &&
        astcenc_context_alloc(&config, 1, &peer->context) == ASTCENC_SUCCESS)
        return peer;
    delete peer;
    return nullptr;
}

void astc_peer_free(struct astc_peer *peer)
{
    astcenc_context_free(peer->context);
    delete peer;
}

static astcenc_image image(const struct astc_peer *peer, void **pixels)
{
    return {peer->blocks * peer->wide, peer->high, 1,
            peer->srgb ? ASTCENC_TYPE_U8 : ASTCENC_TYPE_F16, pixels};
}

bool astc_peer_decode(struct astc_peer *peer, const uint8_t *blocks, void *pixels)
{
    astcenc_image to = image(peer, &pixels);

    return astcenc_decompress_image(peer->context, blocks, 16 * peer->blocks, &to,
                                    &as_is, 0) == ASTCENC_SUCCESS &&
           astcenc_decompress_reset(peer->context) == ASTCENC_SUCCESS;
}

bool astc_peer_encode(struct astc_peer *peer, void *pixels, uint8_t *blocks)
{
    astcenc_image from = image(peer, &pixels);

    return astcenc_compress_image(peer->context, &from, &as_is, blocks,
                                  16 * peer->blocks, 0) == ASTCENC_SUCCESS &&
           astcenc_compress_reset(peer->context) == ASTCENC_SUCCESS;
}
