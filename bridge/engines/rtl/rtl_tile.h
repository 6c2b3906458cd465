/* rtl_tile.h - what the DPI imports of one tile touch. The pointer goes through the
 * RTL as a chandle, so there is no global state. */
#ifndef IGPU_RTL_TILE_H
#define IGPU_RTL_TILE_H
#include <stdint.h>

#include "igpu/host.h"
#include "igpu/icache.h"

struct rtl_tile {
    struct host_calls calls;
    struct icache *icache;
    uint64_t now; /* the cycle being executed */
    uint8_t number;
    /* Ends of this cycle: reported after the cycle's issues. */
    uint8_t ends;
    struct host_end end[HOST_EUS];
};
#endif
