// igpu_eu.vh - widths that the stages of the EU pipeline share (docs/eu-pipeline.md).
`ifndef IGPU_EU_VH
`define IGPU_EU_VH

`define IGPU_SLOTS   7        // hardware threads of an EU
`define IGPU_SLOT_W  3
`define IGPU_STAMP_W 11       // a cycle modulo 2^11; nothing lies 1024 cycles ahead
`define IGPU_DIST_W  10       // cycles from now to a result
// GRFs {last, first}, both inclusive; first > last: none.
`define IGPU_RANGE_W 14
// What an instruction sets: {other bits (enum uop_x), GRFs}.
`define IGPU_SET_W   22
// What it needs beyond that: {other bits, three ranges of GRFs}.
`define IGPU_NEED_W  50

`endif
