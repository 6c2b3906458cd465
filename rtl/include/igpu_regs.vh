// igpu_regs.vh - the configuration write port, the control words of an instruction, and
// the numbers in them.
//
// The one table of them: the Makefile makes the C header igpu_regs_words.h and
// docs/reference/layouts.md from it. Fields are given as high:low.
`ifndef IGPU_REGS_VH
`define IGPU_REGS_VH

// Address of a register: a timing register is {0, class, field}.
`define IGPU_ADDR_FIELD     2:0
`define IGPU_ADDR_CLASS     5:3
`define IGPU_ADDR_OTHER     6:6    // 1: one of IGPU_REG_*
`define IGPU_ADDR_W         7
`define IGPU_CFG_W          8      // bits of a register, at most

// Fields of a class.
`define IGPU_FIELD_OCC      3'd0
`define IGPU_FIELD_FE       3'd1
`define IGPU_FIELD_LAT      3'd2
`define IGPU_FIELD_LAT_ACC  3'd3
`define IGPU_FIELD_LAT_FLAG 3'd4

// Classes, as enum uop_class (csim/include/igpu/uop.h).
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
`define IGPU_REG_RETIRE         7'h6f  // the link's: report each issue, if built in
`define IGPU_REG_PAGED          7'h70  // the link's: the store has a part of the kernel
`define IGPU_REG_ARBITER        7'h71  // of the launch: 1, units take the oldest thread
`define IGPU_REG_DISP_POLICY    7'h72  // IGPU_CHOOSE_*

// Values of disp.policy, as enum igpu_dispatch (csim/include/igpu/config.h).
`define IGPU_CHOOSE_RR          2'd0
`define IGPU_CHOOSE_FILL        2'd1
`define IGPU_CHOOSE_LEAST       2'd2

// Counters of an EU (rtl/eu/igpu_eu_count.v), as words of COUNT_W bits; what has two
// words has the low one first. Sums run on modulo 2^48, whatever launches.
`define IGPU_COUNT_W        24
`define IGPU_COUNT_BUSY     0     // cycles of FPU0, FPU1, SEND, BRANCH: two words each
`define IGPU_COUNT_BOTH     8     // cycles in which both FPUs are occupied
`define IGPU_COUNT_ACTIVE   10    // ... in which any unit is
`define IGPU_COUNT_LAST     12    // cycle of the last issue;
`define IGPU_COUNT_LEFT     14    // the units are occupied for so long from then on:
`define IGPU_COUNT_HELD     15    // a bit for each thread: it holds an instruction
`define IGPU_COUNT_FETCHED  16    // instructions of each thread slot, two words each
`define IGPU_COUNT_WORDS    32

// The fields of LEFT.
`define IGPU_LEFT_FPU0      7:0
`define IGPU_LEFT_FPU1      15:8
`define IGPU_LEFT_SEND      23:16

// Units, as enum uop_unit.
`define IGPU_UNIT_FPU_ANY   2'd0
`define IGPU_UNIT_FPU1      2'd1
`define IGPU_UNIT_SEND      2'd2
`define IGPU_UNIT_BRANCH    2'd3

// Kinds of destination, as enum uop_dst.
`define IGPU_DST_GRF        2'd0
`define IGPU_DST_ACC        2'd1
`define IGPU_DST_FLAG       2'd2

// Control word as the feeder gives it: counts, not cycles.
`define IGPU_UCTL_UNIT      1:0
`define IGPU_UCTL_CLASS     5:2
`define IGPU_UCTL_EXEC      9:6    // executed GRFs
`define IGPU_UCTL_GRFS      13:10  // GRFs of the destination
`define IGPU_UCTL_CONFLICTS 17:14
`define IGPU_UCTL_DST       19:18
`define IGPU_UCTL_PAYLOAD   24:20
`define IGPU_UCTL_RLEN      29:25
`define IGPU_UCTL_FLAGS     33:30  // enum uop_flags:
`define IGPU_UCTL_EOT       30:30
`define IGPU_UCTL_PORT      31:31
`define IGPU_UCTL_REST      33:32  // gateway, write-back: for the host
`define IGPU_UCTL_SWITCH    34:34  // {Switch}
`define IGPU_UCTL_W         35

// Control word as the EU's store holds it: cycles.
`define IGPU_CTL_UNIT       1:0
`define IGPU_CTL_EOT        2:2
`define IGPU_CTL_PORT       3:3
`define IGPU_CTL_OCC        11:4
`define IGPU_CTL_FE         19:12
`define IGPU_CTL_LAT        25:20
`define IGPU_CTL_W          26

// Instruction index and run length.
`define IGPU_UOP_W          17
`define IGPU_LEN_W          12
// The cycle counter: 2^48 cycles are three days of a 1 GHz clock.
`define IGPU_NOW_W          48

`endif
