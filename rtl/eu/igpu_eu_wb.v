// igpu_eu_wb - results on their way into registers.
//
// Function  Results of the FPU's lanes, of extended math and of its pow, which others may pass,
//           wait in a queue each, with where they go. One a clock is made bytes of a window of
//           registers; into the accumulator, beside a destination, in a clock of its own.
// Timing    A result is written two clocks after it came at the earliest.
// Contract  pass_i only while room_o, which is for the pass that math_i and pow_i describe.
//           A result waits while its instruction has operands to read (reads_*), and while
//           hold_i, when somebody else writes.
// Reset     rst_ni low, synchronous: empty.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#results

`default_nettype none
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_wb #(
    parameter TW    = 3,
    parameter LANES = 4                              // as igpu_fpu's
) (
    input  wire                       clk_i,
    input  wire                       rst_ni,
    input  wire                       pass_i,        // a pass enters the FPU
    input  wire                       math_i,        // ... or would: extended math,
    input  wire                       pow_i,         // ... its pow
    input  wire                       macro_i,       // igpu_eu_macro
    input  wire [`IGPU_TAG_W+TW-1:0]  tag_i,
    output wire                       room_o,
    input  wire                       fpu_done_i,
    input  wire [143:0]               fpu_result_i,  // {carries, flags, slots}
    input  wire                       math_done_i,
    input  wire                       math_pow_i,
    input  wire [127:0]               math_result_i,
    input  wire                       macro_done_i,
    input  wire [64:0]                macro_result_i, // {flag, its slot}
    input  wire                       reads_i,       // this thread's instruction has operands
    input  wire [TW-1:0]              reads_thread_i,
    input  wire                       hold_i,
    output wire                       we_o,          // bytes are written:
    output wire [TW-1:0]              thread_o,
    output wire [1:0]                 file_o,
    output wire [3:0]                 arf_o,
    output wire                       acc_o,         // ... of the accumulator
    output wire                       grf_o,         // ... of general registers
    output wire [11:0]                at_o,          // first byte: register, byte
    output wire [511:0]               window_o,
    output wire [63:0]                byte_o,
    output wire                       flag_o,        // conditions are written:
    output wire                       freg_o,
    output wire [31:0]                fmask_o,
    output wire [31:0]                fset_o,
    output wire                       temp_o,        // it was one for the next round
    output wire                       ends_o         // it was the instruction's last
);

    localparam FULL = `IGPU_TAG_W + TW;
    localparam DW   = LANES == 1 ? 66 : 144;         // bits of a result that there are

    // ---- queues --------------------------------------------------------------------
    wire [3:0]        room, waits, take, free;
    wire [4*FULL-1:0] tags;
    wire [575:0]      results;
    wire [3:0]        kind = macro_i ? 4'd8 : pow_i ? 4'd4 : math_i ? 4'd2 : 4'd1;

    assign room_o = (room & kind) != 4'd0;

    genvar g;
    generate
        for (g = 0; g < 4; g = g + 1) begin : g_queue
            wire [143:0]   result = g == 0 ? fpu_result_i :
                g == 3 ? {15'd0, macro_result_i[64], 64'd0, macro_result_i[63:0]}
                       : {16'd0, math_result_i};
            wire [DW-1:0]  comes, kept;

            if (LANES == 1) begin : g_one       // slot 0 with its flag and its carry
                assign comes = {result[136], result[128], result[63:0]};
                assign results[144*g +: 144] = {7'd0, kept[DW-1], 7'd0, kept[DW-2], 64'd0,
                                                kept[63:0]};
                wire unused = &{1'b0, result};
            end else begin : g_all
                assign comes = result;
                assign results[144*g +: 144] = kept;
            end

            igpu_eu_queue #(.TW(FULL), .DW(DW), .AW(6)) u_queue (
                .clk_i(clk_i), .rst_ni(rst_ni), .tag_valid_i(pass_i && kind[g]), .tag_i(tag_i),
                .room_o(room[g]),
                .done_i(g == 0 ? fpu_done_i : g == 3 ? macro_done_i
                                                     : math_done_i && math_pow_i == (g == 2)),
                .result_i(comes),
                .valid_o(waits[g]), .tag_o(tags[FULL*g +: FULL]),
                .result_o(kept), .take_i(take[g]));

            assign free[g] = waits[g] && (tags[FULL*g + 47] || // IGPU_TAG_TEMP
                             !(reads_i && tags[FULL*g + `IGPU_TAG_W +: TW] == reads_thread_i));
        end
    endgenerate

    // ---- the one that is written ------------------------------------------------------
    reg                   valid_q, second_q;           // second_q: its second clock
    reg  [FULL-1:0]       tag_q;
    reg  [143:0]          result_q;
    wire [`IGPU_TAG_W-1:0] tag    = tag_q[`IGPU_TAG_W-1:0];
    wire [1:0]            file    = tag[`IGPU_TAG_FILE];
    wire [1:0]            acc     = tag[`IGPU_TAG_ACC];
    wire                  both    = acc != `IGPU_ACC_NO && file != `IGPU_FILE_NONE;
    wire                  to_acc  = acc != `IGPU_ACC_NO && (second_q || !both);
    wire                  carries = to_acc && acc == `IGPU_ACC_CARRY;
    wire                  moves   = valid_q && !hold_i;
    wire                  over    = moves && (!both || second_q);
    wire                  empty   = !valid_q || over;
    wire [1:0]            size    = carries ? 2'd2 : tag[`IGPU_TAG_SIZE];

    assign take = !empty  ? 4'd0 : free[3] ? 4'd8 : free[2] ? 4'd4 :
                  free[1] ? 4'd2 : {3'd0, free[0]};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            valid_q  <= 1'b0;
            second_q <= 1'b0;
        end else begin
            valid_q  <= take != 4'd0 || (valid_q && !over);
            second_q <= (second_q || (moves && both)) && !over;
        end
        if (take[3]) begin
            tag_q    <= tags[4*FULL-1:3*FULL];
            result_q <= results[575:432];
        end else if (take[2]) begin
            tag_q    <= tags[3*FULL-1:2*FULL];
            result_q <= results[431:288];
        end else if (take[1]) begin
            tag_q    <= tags[2*FULL-1:FULL];
            result_q <= results[287:144];
        end else if (take[0]) begin
            tag_q    <= tags[FULL-1:0];
            result_q <= results[143:0];
        end
    end

    // A carry is a dword.
    wire [127:0] carry = {31'd0, result_q[139], 31'd0, result_q[138],
                          31'd0, result_q[137], 31'd0, result_q[136]};

    igpu_eu_scatter #(.LANES(LANES)) u_scatter (
        .on_i(valid_q), .data_i(carries ? carry : result_q[127:0]), .lanes_i(tag[`IGPU_TAG_LANES]),
        .slot_i(tag[`IGPU_TAG_SLOT]), .size_i(size), .hs_i(to_acc ? 2'd1 : tag[`IGPU_TAG_HS]),
        .at_i(at_o[4:0]), .window_o(window_o), .byte_o(byte_o));

    assign we_o     = moves && (to_acc || file != `IGPU_FILE_NONE);
    assign thread_o = tag_q[`IGPU_TAG_W +: TW];
    assign file_o   = to_acc ? `IGPU_FILE_ARF : file;
    assign arf_o    = to_acc ? `IGPU_ARF_ACC : tag[`IGPU_TAG_ARF];
    assign acc_o    = file_o == `IGPU_FILE_ARF && arf_o == `IGPU_ARF_ACC;
    assign grf_o    = file_o == `IGPU_FILE_GRF;
    assign at_o     = to_acc ? {7'd0, tag[`IGPU_TAG_FIRST]} << size : tag[`IGPU_TAG_AT];
    assign flag_o   = moves && tag[`IGPU_TAG_FLAGS] && !second_q;
    assign freg_o   = tag[`IGPU_TAG_FREG];
    assign fmask_o  = {24'd0, tag[`IGPU_TAG_LANES]} << tag[`IGPU_TAG_FBIT];
    assign fset_o   = {24'd0, result_q[135:128]} << tag[`IGPU_TAG_FBIT];
    assign temp_o   = over && tag[`IGPU_TAG_TEMP];
    assign ends_o   = over && tag[`IGPU_TAG_LAST];

    wire unused = &{1'b0, result_q[143:140]};

endmodule

`default_nettype wire
