// igpu_eu_link - branches to where a register says: a return, and brd, brc and calls that
// have no distance of their own.
//
// Function  Reads the register, once nobody else reads any, and gives the pc: a return's and
//           calla's from the text's begin on, else from the instruction's. brc takes the
//           register's second dword.
// Timing    at_o is there, while have_o, two clocks after read_o; it stays until done_i.
// Contract  grf_i has the register in the clock behind read_o. look_i: the instruction stands
//           at v3 and is not refused.
// Reset     rst_ni low, synchronous: nothing was read.
// Tests     tests/cosim/test_values, test_values_programs
// Source    docs/develop/eu.md#branches

`default_nettype none
`include "igpu_isa.vh"

module igpu_eu_link #(
    parameter PW = 11                      // bits of a pc
) (
    input  wire                    clk_i,
    input  wire                    rst_ni,
    input  wire                    look_i,
    input  wire [`IGPU_INST_W-1:0] inst_i,
    input  wire [PW-1:0]           pc_i,
    input  wire                    free_i,     // nobody reads
    input  wire                    done_i,     // it leaves v3
    output wire                    wants_o,    // a register says
    output wire                    read_o,     // read this one:
    output wire [6:0]              row_o,
    input  wire [255:0]            grf_i,
    output wire                    have_o,
    output wire [PW-1:0]           at_o
);

    wire [6:0]  op    = inst_i[`IGPU_INST_OP];
    wire [63:0] imm   = inst_i[`IGPU_INST_IMM];
    wire        calls = op == `IGPU_OP_CALL || op == `IGPU_OP_CALLA;
    wire        lanes = op == `IGPU_OP_BRD || op == `IGPU_OP_BRC;
    wire        whole = op == `IGPU_OP_RET || op == `IGPU_OP_CALLA;
    // Dword of the register file; a call has its register in source 1's place.
    wire [9:0]  place = calls ? imm[11:2] : {inst_i[86:80], inst_i[92:90]};
    wire [2:0]  word  = place[2:0] + {2'd0, op == `IGPU_OP_BRC};
    reg         reading_q, have_q;
    reg  [PW-1:0] link_q;

    assign wants_o = op == `IGPU_OP_RET || (calls && inst_i[118:117] == `IGPU_FILE_GRF) ||
                     (lanes && inst_i[73:72] == `IGPU_FILE_GRF);
    assign read_o  = look_i && wants_o && !reading_q && !have_q && free_i;
    assign row_o   = place[9:3];
    assign have_o  = have_q;
    assign at_o    = link_q + (whole ? {PW{1'b0}} : pc_i);

    always @(posedge clk_i) begin
        if (!rst_ni)
            {reading_q, have_q} <= 2'd0;
        else begin
            reading_q <= read_o;
            have_q    <= (reading_q || have_q) && !done_i;
        end
        if (reading_q)
            link_q <= grf_i[{word, 5'd3} +: PW];
    end

    wire unused = &{1'b0, inst_i, imm, grf_i};

endmodule

`default_nettype wire
