/* array_ports.h - the ports of igpu_host_array as C sees them: a pointer to each, made
 * by Verilator's shim (array_ports.hpp) from whatever shape was built. */
#ifndef IGPU_ARRAY_PORTS_H
#define IGPU_ARRAY_PORTS_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of *event after a clock. */
enum {
    ARRAY_IDLE = 1,
    ARRAY_ASKS = 2,
    ARRAY_ISSUES = 4,
    ARRAY_ASLEEP = 8,
    ARRAY_ENDS = 16,
    ARRAY_TILE = 32 /* dispatchers and queues take part in the next clock */
};

/* What was built. */
struct array_shape {
    unsigned tiles, eus; /* subslices, EUs of each */
    unsigned contexts;   /* EUs of a pipeline */
    unsigned store;      /* instructions */
};

/* Names as in igpu_host_array.sv; arrays by tile (open, done, msg) or pipeline. */
struct array_ports {
    void *model;
    struct array_shape shape;
    uint64_t *now, *limit, *skip_now, *launch_now, *store_need, *store_uctl, *ask,
        *ret_end;
    uint32_t *launch_threads, *store_addr, *store_set;
    uint32_t *open_thread, *open_pc, *done_uop, *msg_uop, *run_pc, *ret_uop, *count;
    uint16_t *soon, *open_len, *run_len, *ask_now, *ret_now, *ret_slot;
    uint8_t *rst_n, *event, *hold, *skip, *launch, *launch_tpg, *launch_pinned,
        *launch_slm, *over;
    uint8_t *cfg_we, *cfg_addr, *cfg_data, *store_we;
    uint8_t *open_valid, *open_eu, *open_slot, *open_bslot, *open_wait;
    uint8_t *done_valid, *done_credit, *done_wb, *done_eu, *done_slot;
    uint8_t *msg_valid, *msg_eu, *msg_slot, *ask_ctx, *ask_slot, *run_wait;
    uint8_t *ret_valid, *ret_ctx, *ret_left, *count_pipe, *count_ctx, *count_word;
    void (*clock)(void *model); /* one clock; outputs follow */
    void (*load)(void *model);  /* inputs have changed */
    void (*destroy)(void *model);
};

#ifdef __cplusplus
}
#endif
#endif
