// igpu_eu_operands - the registers of a pass, read, and its elements in their slots.
//
// Function  Two stages. e0 reads: for each of three sources a window of general registers,
//           one of accumulators, and of other architecture registers the one that is named,
//           which the instruction has brought. e1 puts elements into slots.
// Timing    A pass that comes in a clock in which ready_o is up is at e1 two clocks later,
//           while e1_ready_i is up.
// Contract  Registers are read as they were before the clock in which the pass comes.
// Reset     rst_ni low, synchronous: no pass is under way.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#operands

`default_nettype none
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_operands #(
    parameter XW = 8                       // what goes along with a pass
) (
    input  wire                    clk_i,
    input  wire                    rst_ni,
    input  wire                    pass_i,      // a pass comes
    output wire                    ready_o,
    output wire                    read_o,      // what is read is waited for here
    input  wire                    send_i,      // ... it is a payload's register:
    input  wire [6:0]              row_i,
    input  wire [`IGPU_INST_W-1:0] inst_i,
    input  wire [1:0]              slot_i,
    input  wire [4:0]              first_i,
    input  wire [1:0]              dsize_i,
    input  wire [11:0]             comp_i,      // as igpu_eu_micro's
    input  wire [255:0]            addr_i,      // a0
    input  wire [767:0]            arf_i,       // architecture registers of sources 2, 1, 0
    input  wire [XW-1:0]           along_i,
    output wire                    grf_re_o,
    output wire [20:0]             grf_row_o,
    output wire [8:0]              acc_row_o,
    input  wire [1535:0]           grf_i,       // a clock later
    input  wire [1535:0]           acc_i,
    output reg                     e1_valid_o,
    output reg                     e1_send_o,
    output reg  [127:0]            e1_src0_o,
    output reg  [127:0]            e1_src1_o,
    output reg  [127:0]            e1_src2_o,
    output reg  [255:0]            e1_row_o,    // a payload's register
    output reg  [XW-1:0]           e1_along_o,
    input  wire                    e1_ready_i
);

    // ---- e0: addresses, reading ------------------------------------------------------
    reg                    e0_valid, e0_send;
    reg [`IGPU_INST_W-1:0] e0_inst;
    reg [1:0]              e0_slot, e0_dsize;
    reg [4:0]              e0_first;
    reg [11:0]             e0_comp;
    reg [35:0]             e0_at;
    reg [2:0]              e0_odd;
    reg [767:0]            e0_arf;
    reg [XW-1:0]           e0_along;

    wire        e1_moves = !e1_valid_o || e1_ready_i;
    wire [35:0] base, first;
    wire [2:0]  odd;
    wire [383:0] slots;

    assign ready_o  = !e0_valid || e1_moves;
    assign read_o   = e0_valid;
    assign grf_re_o = pass_i && ready_o;

    genvar g;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_source
            wire [`IGPU_SRC_W-1:0] src   = inst_i[72 + `IGPU_SRC_W*g +: `IGPU_SRC_W];
            wire [`IGPU_SRC_W-1:0] e0_src = e0_inst[72 + `IGPU_SRC_W*g +: `IGPU_SRC_W];
            wire                   e0_is_arf = e0_src[`IGPU_SRC_FILE] == `IGPU_FILE_ARF;
            wire                   e0_is_acc = e0_src[15:12] == `IGPU_ARF_ACC;
            wire [511:0]           window =
                !e0_is_arf ? grf_i[512*g +: 512] :
                e0_is_acc  ? acc_i[512*g +: 512] : {256'd0, e0_arf[256*g +: 256]};

            igpu_eu_address u_address (
                .src_i(src), .addr_i(addr_i), .first_i(first_i), .comp_i(comp_i[4*g +: 4]),
                .base_o(base[12*g +: 12]),
                .first_o(first[12*g +: 12]));

            assign grf_row_o[7*g +: 7] = send_i && g == 0 ? row_i : first[12*g+5 +: 7];
            assign acc_row_o[3*g +: 3] = first[12*g+5 +: 3];
            // Other architecture registers have one row, whatever their number.
            assign odd[g] = first[12*g+5] &&
                            !(src[`IGPU_SRC_FILE] == `IGPU_FILE_ARF && src[15:12] != `IGPU_ARF_ACC);

            igpu_eu_swizzle u_swizzle (
                .on_i(e0_valid && !e0_send && e0_src[`IGPU_SRC_FILE] != `IGPU_FILE_NONE),
                .src_i(e0_src), .imm_i(e0_inst[`IGPU_INST_IMM]), .window_i(window),
                .odd_i(e0_odd[g]), .at_i({e0_at[12*g+5] && !(e0_is_arf && !e0_is_acc),
                                          e0_at[12*g +: 5]}),
                .first_i(e0_first), .comp_i(e0_comp[4*g +: 4]), .slot_i(e0_slot), .dsize_i(e0_dsize),
                .data_o(slots[128*g +: 128]));
        end
    endgenerate

    always @(posedge clk_i) begin
        if (!rst_ni)
            e0_valid <= 1'b0;
        else if (ready_o)
            e0_valid <= pass_i;
        if (grf_re_o) begin
            e0_send  <= send_i;
            e0_inst  <= inst_i;
            e0_slot  <= slot_i;
            e0_dsize <= dsize_i;
            e0_first <= first_i;
            e0_comp  <= comp_i;
            e0_at    <= base;
            e0_odd   <= odd;
            e0_arf   <= arf_i;
            e0_along <= along_i;
        end
    end

    // ---- e1: slots -----------------------------------------------------------------------
    always @(posedge clk_i) begin
        if (!rst_ni)
            e1_valid_o <= 1'b0;
        else if (e1_moves)
            e1_valid_o <= e0_valid;
        if (e0_valid && e1_moves) begin
            e1_send_o  <= e0_send;
            e1_src0_o  <= slots[127:0];
            e1_src1_o  <= slots[255:128];
            e1_src2_o  <= slots[383:256];
            e1_row_o   <= grf_i[255:0];
            e1_along_o <= e0_along;
        end
    end

    wire unused = &{1'b0, e0_inst, e0_at, first};

endmodule

`default_nettype wire
