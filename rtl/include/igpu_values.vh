// igpu_values.vh - what the stages that compute values share (docs/develop/eu.md): the plan of an
// instruction, and what travels with a pass through the FPU. Fields as high:low.
`ifndef IGPU_VALUES_VH
`define IGPU_VALUES_VH

// The plan: what the FPU does for an instruction (igpu_eu_plan).
`define IGPU_PLAN_OP     4:0     // IGPU_FPU_OP_, or the function of math
`define IGPU_PLAN_MATH   5:5
`define IGPU_PLAN_DTYPE  9:6
`define IGPU_PLAN_STYPE  21:10   // of sources 2, 1, 0; absent ones as source 0
`define IGPU_PLAN_MOD    27:22
`define IGPU_PLAN_CMOD   31:28
`define IGPU_PLAN_SAT    32:32
`define IGPU_PLAN_SLOT   34:33   // 0, 1, 2: slots of 16, 32, 64 bits
`define IGPU_PLAN_FLAGS  35:35   // it writes flags
`define IGPU_PLAN_ACC    37:36   // beside the destination: IGPU_ACC_
`define IGPU_PLAN_SECOND 38:38   // two rounds
`define IGPU_PLAN_SINGLE 39:39   // a channel at a time
`define IGPU_PLAN_REFUSE 40:40   // not computed here
`define IGPU_PLAN_MICRO  43:41   // rounds of operations: IGPU_MICRO_
`define IGPU_PLAN_MACRO  44:44   // igpu_eu_macro computes it
`define IGPU_PLAN_W      45

`define IGPU_MICRO_NO   3'd0
`define IGPU_MICRO_LINK 3'd1     // of a call
`define IGPU_MICRO_MAC  3'd2
`define IGPU_MICRO_LINE 3'd3
`define IGPU_MICRO_PLN  3'd4
`define IGPU_MICRO_LRP  3'd5
`define IGPU_MICRO_DOT  3'd6
`define IGPU_MICRO_SAD  3'd7

`define IGPU_ACC_NO     2'd0
`define IGPU_ACC_RESULT 2'd1
`define IGPU_ACC_CARRY  2'd2
`define IGPU_ACC_LOW    2'd3     // mach: the product's low half, in a round of its own

// A pass on its way: where its results go.
`define IGPU_TAG_LANES  7:0      // of its slots, that are on
`define IGPU_TAG_FIRST  12:8     // channel of slot 0
`define IGPU_TAG_SLOT   14:13
`define IGPU_TAG_SIZE   16:15    // log2 of the result's bytes
`define IGPU_TAG_FILE   18:17    // IGPU_FILE_
`define IGPU_TAG_ARF    22:19
`define IGPU_TAG_AT     34:23    // byte of slot 0's result
`define IGPU_TAG_HS     36:35    // stride, as in IGPU_DST_HS
`define IGPU_TAG_ACC    38:37
`define IGPU_TAG_FLAGS  39:39
`define IGPU_TAG_FREG   40:40    // flag register
`define IGPU_TAG_FBIT   45:41    // and bit of slot 0's channel
`define IGPU_TAG_LAST   46:46    // the instruction's last
`define IGPU_TAG_TEMP    47:47    // a result for the next round
`define IGPU_TAG_W       48       // then the thread

// What the host writes into a thread's registers (igpu_eu_arf): which.
`define IGPU_POKE_FLAG  3'd0     // f0, f1
`define IGPU_POKE_ADDR  3'd1
`define IGPU_POKE_CTRL  3'd2
`define IGPU_POKE_STATE 3'd3     // row 1: a thread begins, without calls and mme registers
`define IGPU_POKE_LANES 3'd4     // active, live, the lowest waiting pc
`define IGPU_POKE_PC    3'd5     // pcs of 8 lanes, 32 bits each: row in the address
`define IGPU_POKE_GRF   3'd6
`define IGPU_POKE_ACC   3'd7

`endif
