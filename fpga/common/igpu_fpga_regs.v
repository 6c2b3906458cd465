// igpu_fpga_regs - the host's register port.
//
// Function  Turns 32-bit writes into writes of the tile's timing registers and of
//           its instruction store, into launches and limits; reads status and time.
// Timing    A write takes effect at the next host clock edge. Reads are
//           combinational from reg_addr_i.
// Contract  Addresses (docs/fpga.md has the table; words, not bytes):
//             00-7f w  register of the tile (igpu_regs.vh), bits 6:0
//             80-87 w  instruction, staged: need 31:0 .. 127:96, set likewise
//             88    w  {set_x, need_x}      89 w uctl 31:0     8a w uctl 34:32
//             8b    w  write the staged instruction at this index
//             90    w  upper 16 bits of the next write to 91 or 92
//             91    w  limit                92 w launch at this cycle
//             80    r  status   81 r now 31:0   82 r now 47:32   83 r build
//           Tile registers, instructions and launches only while the target rests.
// Reset     rst_ni low, synchronous: nothing is written; staged words undefined.
// Tests     tests/rtl/igpu_fpga_top_tb.v
// Source    docs/fpga.md

`default_nettype none
`include "igpu_regs.vh"

module igpu_fpga_regs #(
    parameter EUS      = 1,
    parameter STORE_AW = 9,
    parameter RUN_AW   = 2
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   reg_we_i,      // host: write reg_data_i
    input  wire [7:0]             reg_addr_i,
    input  wire [31:0]            reg_data_i,
    output reg  [31:0]            reg_data_o,    // host: the word at reg_addr_i
    output wire                   cfg_we_o,      // tile: write a register
    output wire [6:0]             cfg_addr_o,
    output wire [6:0]             cfg_data_o,
    output wire                   store_we_o,    // tile: write an instruction
    output wire [STORE_AW-1:0]    store_addr_o,
    output wire [127:0]           store_need_o,
    output wire [127:0]           store_set_o,
    output wire [7:0]             store_need_x_o,
    output wire [7:0]             store_set_x_o,
    output wire [`IGPU_UCTL_W-1:0] store_uctl_o,
    output wire                   limit_o,       // time: new limit cycle_o
    output wire                   launch_o,      // time: launch at cycle_o
    output wire [`IGPU_NOW_W-1:0] cycle_o,
    input  wire [`IGPU_NOW_W-1:0] now_i,         // target cycle
    input  wire [4:0]             stop_i,        // why the target stands still
    input  wire [7:0]             wait_eu_i      // EUs that wait for a run
);

    localparam [7:0] ADDR_X       = 8'h88;
    localparam [7:0] ADDR_UCTL_LO = 8'h89;
    localparam [7:0] ADDR_UCTL_HI = 8'h8a;
    localparam [7:0] ADDR_STORE   = 8'h8b;
    localparam [7:0] ADDR_HIGH    = 8'h90;
    localparam [7:0] ADDR_LIMIT   = 8'h91;
    localparam [7:0] ADDR_LAUNCH  = 8'h92;
    localparam [7:0] ADDR_STATUS  = 8'h80;
    localparam [7:0] ADDR_NOW_LO  = 8'h81;
    localparam [7:0] ADDR_NOW_HI  = 8'h82;
    localparam [7:0] ADDR_BUILD   = 8'h83;

    reg [255:0] mask_q;                          // staged {set, need}
    reg [15:0]  x_q;                             // staged {set_x, need_x}
    reg [`IGPU_UCTL_W-1:0] uctl_q;
    reg [15:0]  high_q;

    wire we = rst_ni && reg_we_i;

    assign cfg_we_o   = we && !reg_addr_i[7];
    assign cfg_addr_o = reg_addr_i[6:0];
    assign cfg_data_o = reg_data_i[6:0];

    assign store_we_o     = we && reg_addr_i == ADDR_STORE;
    assign store_addr_o   = reg_data_i[STORE_AW-1:0];
    assign store_need_o   = mask_q[127:0];
    assign store_set_o    = mask_q[255:128];
    assign store_need_x_o = x_q[7:0];
    assign store_set_x_o  = x_q[15:8];
    assign store_uctl_o   = uctl_q;

    assign limit_o  = we && reg_addr_i == ADDR_LIMIT;
    assign launch_o = we && reg_addr_i == ADDR_LAUNCH;
    assign cycle_o  = {high_q, reg_data_i};

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : g_mask
            localparam [7:0] ADDR = 8'h80 + i;
            always @(posedge clk_i) begin
                if (we && reg_addr_i == ADDR)
                    mask_q[32*i +: 32] <= reg_data_i;
            end
        end
    endgenerate

    always @(posedge clk_i) begin
        if (we) begin
            case (reg_addr_i)
                ADDR_X:       x_q           <= reg_data_i[15:0];
                ADDR_UCTL_LO: uctl_q[31:0]  <= reg_data_i;
                ADDR_UCTL_HI: uctl_q[34:32] <= reg_data_i[2:0];
                ADDR_HIGH:    high_q        <= reg_data_i[15:0];
                default: ;
            endcase
        end
    end

    always @* begin
        case (reg_addr_i)
            ADDR_STATUS: reg_data_o = {16'd0, wait_eu_i, 3'd0, stop_i};
            ADDR_NOW_LO: reg_data_o = now_i[31:0];
            ADDR_NOW_HI: reg_data_o = {16'd0, now_i[47:32]};
            ADDR_BUILD:  reg_data_o = {8'd0, RUN_AW[7:0], STORE_AW[7:0], EUS[7:0]};
            default:     reg_data_o = 32'd0;
        endcase
    end

endmodule

`default_nettype wire
