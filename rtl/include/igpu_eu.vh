// igpu_eu.vh - widths that the stages of the EU pipeline share (docs/develop/eu-pipeline.md), and
// what an instruction sets and needs. The Makefile makes igpu_eu_words.h for C, and
// docs/reference/layouts.md, from it. Fields are given as high:low.
`ifndef IGPU_EU_VH
`define IGPU_EU_VH

// Widths.
`define IGPU_SLOTS       7      // hardware threads of an EU
`define IGPU_SLOT_W      3
`define IGPU_STAMP_W     11     // a cycle modulo 2^11; nothing lies 1024 cycles ahead
`define IGPU_DIST_W      10     // cycles from now to a result

// A range of GRFs, both inclusive; first > last: none.
`define IGPU_RANGE_FIRST 6:0
`define IGPU_RANGE_LAST  13:7
`define IGPU_RANGE_W     14

// What an instruction sets.
`define IGPU_SET_RANGE   13:0
`define IGPU_SET_X       21:14  // other bits (enum uop_x)
`define IGPU_SET_W       22

// What it needs beyond that range.
`define IGPU_NEED_RANGE0 13:0
`define IGPU_NEED_RANGE1 27:14
`define IGPU_NEED_RANGE2 41:28
`define IGPU_NEED_RANGES 41:0
`define IGPU_NEED_X      49:42  // other bits; those that it sets are among them
`define IGPU_NEED_W      50

// A fetched instruction until it issues (what an issue needs of it).
`define IGPU_WORD_LAT    5:0
`define IGPU_WORD_EOT    6:6
`define IGPU_WORD_PORT   7:7
`define IGPU_WORD_OCC    15:8
`define IGPU_WORD_FE     23:16  // the front end holds the thread for so many cycles,
`define IGPU_WORD_HOLD   24:24  // ... or not at all
`define IGPU_WORD_SET    46:25
`define IGPU_WORD_UOP    63:47
`define IGPU_WORD_W      64

// An instruction in flight in an FPU.
`define IGPU_FLIGHT_SET  21:0
`define IGPU_FLIGHT_SLOT 24:22
`define IGPU_FLIGHT_D    34:25  // the cycle of its result, modulo 2^10
`define IGPU_FLIGHT_W    35

// A response that waits for the port.
`define IGPU_RESP_SET    21:0
`define IGPU_RESP_SLOT   24:22
`define IGPU_RESP_DUR    32:25
`define IGPU_RESP_W      33

`endif
