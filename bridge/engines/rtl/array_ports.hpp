// array_ports.hpp - Verilator's class of igpu_host_array behind struct array_ports.
#ifndef IGPU_ARRAY_PORTS_HPP
#define IGPU_ARRAY_PORTS_HPP
#include "bridge/engines/rtl/array_ports.h"
#include "bridge/engines/rtl/verilator_end.hpp"
#include "verilated.h"

// Classes that were Verilated with --x-initial unique, for tests, begin with random
// content.
struct ArrayContext : VerilatedContext {
    ArrayContext()
    {
        randReset(2);
        randSeed(1);
    }
};

template <class Top> struct ArrayModel {
    ArrayContext context;
    Top top{&context};

    ~ArrayModel()
    {
        verilated_ends(top);
    }
    static void clock(void *model)
    {
        Top &t = static_cast<ArrayModel *>(model)->top;
        t.tile_clk_i = (t.event_o & ARRAY_TILE) != 0;
        t.clk_i = 1, t.eval();
        t.clk_i = t.tile_clk_i = 0, t.eval();
    }
    static void load(void *model)
    {
        Top &t = static_cast<ArrayModel *>(model)->top;
        t.load_i = 1, t.eval();
        t.load_i = 0, t.eval();
    }
    static void destroy(void *model)
    {
        delete static_cast<ArrayModel *>(model);
    }
    static void make(struct array_ports *p, const struct array_shape &shape)
    {
        ArrayModel *m = new ArrayModel;
        Top &t = m->top;
        t.clk_i = t.tile_clk_i = t.load_i = 0;
        t.eval(); // the first sees no edge
        *p = {m,
              shape,
              &t.now_o,
              &t.limit_i,
              &t.skip_now_i,
              &t.launch_now_i,
              &t.store_need_i,
              &t.store_uctl_i,
              &t.ask_o,
              &t.ret_end_o,
              &t.launch_threads_i,
              &t.store_addr_i,
              &t.store_set_i,
              &t.open_thread_o[0],
              &t.open_pc_i[0],
              &t.done_uop_i[0],
              &t.msg_uop_o[0],
              &t.run_pc_i[0],
              &t.ret_uop_o[0],
              &t.count_o,
              &t.soon_o,
              &t.open_len_i[0],
              &t.run_len_i[0],
              &t.ask_now_o[0],
              &t.ret_now_o[0],
              &t.ret_slot_o[0],
              &t.rst_ni,
              &t.event_o,
              &t.hold_i,
              &t.skip_i,
              &t.launch_i,
              &t.launch_tpg_i,
              &t.launch_pinned_i,
              &t.launch_slm_i,
              &t.over_o,
              &t.cfg_we_i,
              &t.cfg_addr_i,
              &t.cfg_data_i,
              &t.store_we_i,
              &t.open_valid_o,
              &t.open_eu_o[0],
              &t.open_slot_o[0],
              &t.open_bslot_o[0],
              &t.open_wait_i[0],
              &t.done_valid_i,
              &t.done_credit_i,
              &t.done_wb_i,
              &t.done_eu_i[0],
              &t.done_slot_i[0],
              &t.msg_valid_o,
              &t.msg_eu_o[0],
              &t.msg_slot_o[0],
              &t.ask_ctx_o[0],
              &t.ask_slot_o[0],
              &t.run_wait_i[0],
              &t.ret_valid_o[0],
              &t.ret_ctx_o[0],
              &t.ret_left_o[0],
              &t.count_pipe_i,
              &t.count_ctx_i,
              &t.count_word_i,
              clock,
              load,
              destroy};
    }
};

// array_NAME(), from the class Varray_NAME: tiles, EUs of each, contexts, instructions.
#define ARRAY_SHAPE(name, tiles, eus, contexts, store)                                 \
    extern "C" void array_##name(struct array_ports *ports)                            \
    {                                                                                  \
        ArrayModel<Varray_##name>::make(ports, {tiles, eus, contexts, store});         \
    }
#endif
