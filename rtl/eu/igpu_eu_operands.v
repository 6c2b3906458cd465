// igpu_eu_operands - the registers of a pass, read, and its elements in their slots.
//
// Function  Two stages. e0 reads: for each of three sources a window of general registers,
//           one of accumulators, and of other architecture registers the one that is named,
//           which the instruction has brought. e1 puts elements into slots. With one reader
//           (READERS 1) a pass's sources are read one after the other.
// Timing    A pass that is offered in a clock in which ready_o is up is at e1 two clocks
//           later, while e1_ready_i is up. With one reader ready_o is up in the clock in
//           which the pass's last source is read, the first one in the clock in which it is
//           offered.
// Contract  Registers are read as they were before the clock of the reading. A pass that is
//           offered stays until it is taken.
// Reset     rst_ni low, synchronous: no pass is under way.
// Tests     tests/cosim/test_values_forms, test_values_lanes
// Source    docs/develop/eu.md#operands

`default_nettype none
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_operands #(
    parameter XW      = 8,                 // what goes along with a pass
    parameter READERS = 3,                 // sources read in a clock: 3 or 1
    parameter LANES   = 4                  // as igpu_fpu's
) (
    input  wire                    clk_i,
    input  wire                    rst_ni,
    input  wire                    pass_i,      // a pass is offered
    output wire                    ready_o,     // ... and taken
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
    output wire [7*READERS-1:0]    grf_row_o,
    output wire [3*READERS-1:0]    acc_row_o,
    input  wire [512*READERS-1:0]  grf_i,       // a clock later
    input  wire [512*READERS-1:0]  acc_i,
    output reg                     e1_valid_o,
    output reg                     e1_send_o,
    output reg  [127:0]            e1_src0_o,
    output reg  [127:0]            e1_src1_o,
    output reg  [127:0]            e1_src2_o,
    output reg  [255:0]            e1_row_o,    // a payload's register
    output reg  [XW-1:0]           e1_along_o,
    input  wire                    e1_ready_i
);

    localparam S = `IGPU_SRC_W;
    localparam SECOND = READERS == 1 ? 0 : 1, THIRD = READERS == 1 ? 0 : 2;

    // ---- e0: addresses, reading ------------------------------------------------------
    reg                    e0_valid, e0_send, e0_last;
    reg [S*READERS-1:0]    e0_src;
    reg [63:0]             e0_imm;
    reg [1:0]              e0_slot, e0_dsize, e0_step;
    reg [4:0]              e0_first;
    reg [4*READERS-1:0]    e0_comp;
    reg [12*READERS-1:0]   e0_at;
    reg [READERS-1:0]      e0_odd;
    reg [256*READERS-1:0]  e0_arf;
    reg [XW-1:0]           e0_along;

    wire                    e1_moves = !e1_valid_o || e1_ready_i;
    wire                    room     = !e0_valid || e1_moves;
    wire [12*READERS-1:0]   base, first;
    wire [READERS-1:0]      odd;
    wire [128*READERS-1:0]  slots;
    // The sources of this clock, and what is theirs.
    wire [S*READERS-1:0]    src;
    wire [4*READERS-1:0]    comp;
    wire [256*READERS-1:0]  arf;
    wire [1:0]              step;
    wire                    last;

    assign ready_o  = room && last;
    assign read_o   = e0_valid;
    assign grf_re_o = pass_i && room;

    generate
        if (READERS == 1) begin : g_one
            reg [1:0] step_q;
            wire      two   = inst_i[72 + S +: 2] != `IGPU_FILE_NONE;
            wire      three = inst_i[72 + 2*S +: 2] != `IGPU_FILE_NONE;

            assign step = step_q;
            assign last = send_i || step_q == (three ? 2'd2 : {1'b0, two});
            assign src  = inst_i[72 + S*step_q +: S];
            assign comp = comp_i[4*step_q +: 4];
            assign arf  = arf_i[256*step_q +: 256];

            always @(posedge clk_i) begin
                if (!rst_ni)
                    step_q <= 2'd0;
                else if (grf_re_o)
                    step_q <= last ? 2'd0 : step_q + 2'd1;
            end
        end else begin : g_all
            assign step = 2'd0;
            assign last = 1'b1;
            assign src  = inst_i[72 +: 3*S];
            assign comp = comp_i;
            assign arf  = arf_i;
        end
    endgenerate

    genvar g;
    generate
        for (g = 0; g < READERS; g = g + 1) begin : g_source
            wire [S-1:0]  now       = src[S*g +: S];
            wire [S-1:0]  was       = e0_src[S*g +: S];
            wire          e0_is_arf = was[`IGPU_SRC_FILE] == `IGPU_FILE_ARF;
            wire          e0_is_acc = was[15:12] == `IGPU_ARF_ACC;
            wire [511:0]  window =
                !e0_is_arf ? grf_i[512*g +: 512] :
                e0_is_acc  ? acc_i[512*g +: 512] : {256'd0, e0_arf[256*g +: 256]};

            igpu_eu_address u_address (
                .src_i(now), .addr_i(addr_i), .first_i(first_i), .comp_i(comp[4*g +: 4]),
                .base_o(base[12*g +: 12]),
                .first_o(first[12*g +: 12]));

            assign grf_row_o[7*g +: 7] = send_i && g == 0 ? row_i : first[12*g+5 +: 7];
            assign acc_row_o[3*g +: 3] = first[12*g+5 +: 3];
            // Other architecture registers have one row, whatever their number.
            assign odd[g] = first[12*g+5] &&
                            !(now[`IGPU_SRC_FILE] == `IGPU_FILE_ARF && now[15:12] != `IGPU_ARF_ACC);

            igpu_eu_swizzle #(.LANES(LANES)) u_swizzle (
                .on_i(e0_valid && !e0_send && was[`IGPU_SRC_FILE] != `IGPU_FILE_NONE),
                .src_i(was), .imm_i(e0_imm), .window_i(window),
                .odd_i(e0_odd[g]), .at_i({e0_at[12*g+5] && !(e0_is_arf && !e0_is_acc),
                                          e0_at[12*g +: 5]}),
                .first_i(e0_first), .comp_i(e0_comp[4*g +: 4]), .slot_i(e0_slot), .dsize_i(e0_dsize),
                .data_o(slots[128*g +: 128]));
        end
    endgenerate

    always @(posedge clk_i) begin
        if (!rst_ni)
            e0_valid <= 1'b0;
        else if (room)
            e0_valid <= pass_i;
        if (grf_re_o) begin
            e0_send  <= send_i;
            e0_src   <= src;
            e0_imm   <= inst_i[`IGPU_INST_IMM];
            e0_slot  <= slot_i;
            e0_dsize <= dsize_i;
            e0_first <= first_i;
            e0_comp  <= comp;
            e0_at    <= base;
            e0_odd   <= odd;
            e0_arf   <= arf;
            e0_along <= along_i;
            e0_step  <= step;
            e0_last  <= last;
        end
    end

    // ---- e1: slots -----------------------------------------------------------------------
    always @(posedge clk_i) begin
        if (!rst_ni)
            e1_valid_o <= 1'b0;
        else if (e1_moves)
            e1_valid_o <= e0_valid && e0_last;
        if (e0_valid && e1_moves) begin
            e1_send_o  <= e0_send;
            if (READERS != 1 || e0_step == 2'd0)
                e1_src0_o <= slots[127:0];
            if (READERS != 1 || e0_step != 2'd2)
                e1_src1_o <= READERS != 1       ? slots[128*SECOND +: 128] :
                             e0_step == 2'd1 ? slots[127:0] : 128'd0;
            e1_src2_o  <= READERS != 1       ? slots[128*THIRD +: 128] :
                          e0_step == 2'd2 ? slots[127:0] : 128'd0;
            e1_row_o   <= grf_i[255:0];
            e1_along_o <= e0_along;
        end
    end

    wire unused = &{1'b0, inst_i, comp_i, arf_i, e0_src, e0_at, e0_step, first};

endmodule

`default_nettype wire
