// igpu_eu_mark - stage s2: ranges become bits for the scoreboards.
//
// Function  Six events can change a scoreboard in a visit: the results of FPU0, FPU1 and
//           a response clear bits; what FPU0, FPU1 and SEND issued in the visit before
//           sets bits. mk_hit_o says which threads are meant, event by event; mk_lo_o,
//           mk_hi_o, mk_x_o are the bits of each.
// Timing    Combinational, in s2.
// Contract  Events 0 to 2 set, 3 to 5 clear.
// Tests     tests/cosim/test_array.c
// Source    docs/eu-pipeline.md#scoreboard

`default_nettype none
`include "igpu_eu.vh"

module igpu_eu_mark (
    input  wire [5:0]                 s2_valid_i,  // the event is there
    input  wire [17:0]                s2_slot_i,   // its thread, 3 bits each
    input  wire [6*`IGPU_SET_W-1:0]   s2_set_i,    // its bits
    output reg  [6:0]                 mk_any_o,    // threads with an event,
    output reg  [41:0]                mk_hit_o,    // of each, 7 bits each
    output wire [6*64-1:0]            mk_lo_o,     // GRFs 0 to 63 of each
    output wire [6*64-1:0]            mk_hi_o,     // GRFs 64 to 127
    output wire [6*8-1:0]             mk_x_o       // other bits
);

    localparam S = `IGPU_SET_W;

    integer e;

    always @* begin
        mk_hit_o = 42'd0;
        mk_any_o = 7'd0;
        if (s2_valid_i != 6'd0)
            for (e = 0; e < 6; e = e + 1)
                if (s2_valid_i[e]) begin
                    mk_hit_o[7*e +: 7] = 7'd1 << s2_slot_i[3*e +: 3];
                    mk_any_o           = mk_any_o | mk_hit_o[7*e +: 7];
                end
    end

    genvar g;
    generate
        for (g = 0; g < 6; g = g + 1) begin : g_event
            wire [S-1:0] set = s2_set_i[S*g +: S];

            igpu_eu_range u_range (
                .en_i(s2_valid_i[g]), .range_i(set[`IGPU_SET_RANGE]),
                .lo_o(mk_lo_o[64*g +: 64]), .hi_o(mk_hi_o[64*g +: 64]));

            assign mk_x_o[8*g +: 8] = set[`IGPU_SET_X];
        end
    endgenerate

endmodule

`default_nettype wire
