// igpu_regs.vh - addresses of the configuration write port and the layout of
// an instruction's control word. Written by hand; the bridge's counterpart is
// bridge/rtl/rtl_regs.h, and tests change each register through it.
`ifndef IGPU_REGS_VH
`define IGPU_REGS_VH

// Timing register of class c (enum uop_class): {c, field}.
`define IGPU_FIELD_OCC      3'd0
`define IGPU_FIELD_FE       3'd1
`define IGPU_FIELD_LAT      3'd2
`define IGPU_FIELD_LAT_ACC  3'd3
`define IGPU_FIELD_LAT_FLAG 3'd4

// Classes, as in csim/include/igpu/uop.h.
`define IGPU_CLASS_ALU32    4'd0
`define IGPU_CLASS_ALU64    4'd1
`define IGPU_CLASS_DF       4'd2
`define IGPU_CLASS_MATH     4'd3
`define IGPU_CLASS_MATH2    4'd4
`define IGPU_CLASS_IDIV     4'd5
`define IGPU_CLASS_DOT      4'd6
`define IGPU_CLASS_LRP      4'd7
`define IGPU_CLASS_CTRL     4'd8
`define IGPU_CLASS_NOP      4'd9
`define IGPU_CLASS_MSG      4'd10

// Other registers.
`define IGPU_REG_CONFLICT_FE    7'h60
`define IGPU_REG_BRANCH_FE      7'h61
`define IGPU_REG_NOP_FE         7'h62
`define IGPU_REG_SEND_GRF       7'h63
`define IGPU_REG_RESP_GRF       7'h64
`define IGPU_REG_DP_QUEUE       7'h65
`define IGPU_REG_EU_COUNT       7'h66
`define IGPU_REG_EU_THREADS     7'h67
`define IGPU_REG_SUBSLICES      7'h68
`define IGPU_REG_INTERVAL       7'h69
`define IGPU_REG_START_LATENCY  7'h6a
`define IGPU_REG_END_LATENCY    7'h6b
`define IGPU_REG_BARRIERS       7'h6c
`define IGPU_REG_SLM_KB         7'h6d
`define IGPU_REG_SWITCH_FE      7'h6e

// Units, as enum uop_unit.
`define IGPU_UNIT_FPU_ANY   2'd0
`define IGPU_UNIT_FPU1      2'd1
`define IGPU_UNIT_SEND      2'd2
`define IGPU_UNIT_BRANCH    2'd3

// Control word as the feeder gives it: counts, not cycles.
//   [1:0] unit  [5:2] class  [9:6] exec_grfs  [13:10] dst_grfs
//   [17:14] conflicts  [19:18] dst  [24:20] payload  [29:25] rlen
//   [33:30] flags {WB, GATE, PORT, EOT}  [34] {Switch}
`define IGPU_UCTL_W 35

// Control word as the EU's store holds it: cycles.
//   [1:0] unit  [2] EOT  [3] PORT  [11:4] occ  [19:12] fe  [25:20] lat
`define IGPU_CTL_W 26

// Instruction index and run length.
`define IGPU_UOP_W 17
`define IGPU_LEN_W 12
// The cycle counter. 2^48 cycles are three days of a 1 GHz clock.
`define IGPU_NOW_W 48

`endif
