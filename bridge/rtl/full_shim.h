/* full_shim.h - Verilator's class of the whole top (igpu_dpi_full.sv) behind C
 * functions: the boundary to full_shim.cpp. */
#ifndef IGPU_FULL_SHIM_H
#define IGPU_FULL_SHIM_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FULL_TILES = 6,          /* TILES of igpu_dpi_full.sv */
    FULL_STORE_DEPTH = 16384 /* instructions; STORE_DEPTH of igpu_dpi_full.sv */
};

/* A model after reset. tile[i] is what the DPI imports get as tile i's context. */
void *full_shim_new(void *const tile[FULL_TILES]);
void full_shim_del(void *model);

/* Between launches: a register, an instruction (uctl: rtl_uctl()), a launch's begin. */
void full_shim_config(void *model, uint8_t addr, uint8_t data);
void full_shim_store(void *model, uint32_t index, const struct uop *uop, uint64_t uctl);
void full_shim_launch(void *model, const struct host_launch *launch);

/* Put *done on its tile's port in the cycle that is loaded next, and only in it. */
void full_shim_done(void *model, const struct host_done *done);
/* Execute the loaded cycle, if told to, and load cycle `next`. Returns whether the
 * launch's last end takes effect in `next`. */
bool full_shim_load(void *model, bool execute, uint64_t next);

#ifdef __cplusplus
}
#endif
#endif
