// igpu_decode - turns an instruction's class and counts into cycles.
//
// Function  At the write port of the instruction stores: occupancy, front-end
//           time, latency and response time from the timing registers.
// Timing    ctl_o and dur_o come a clock after uctl_i: the products are in registers. A
//           register written at t is used from t+1 on.
// Contract  A class is 0 to 10; counts as in csim/include/igpu/uop.h.
// Reset     rst_ni low, synchronous: the defaults of params.def.
// Tests     tests/rtl/igpu_decode_tb.v
// Source    docs/contract/model.md section 5

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_params.vh"
`include "igpu_regs.vh"

module igpu_decode (
    input  wire                    clk_i,
    input  wire                    rst_ni,
    input  wire                    cfg_we_i,    // write a timing register
    input  wire [`IGPU_ADDR_W-1:0] cfg_addr_i,  // IGPU_REG_* or {class, field}
    input  wire [`IGPU_CFG_W-1:0]  cfg_data_i,
    input  wire [`IGPU_UCTL_W-1:0] uctl_i,      // counts
    output wire [`IGPU_CTL_W-1:0]  ctl_o,       // cycles
    output wire [7:0]              dur_o        // cycles of the response's write
);

    // One word a class, by its number (igpu_regs.vh).
    reg [5:0] occ_q [0:7];
    reg [5:0] fe_q [0:7];
    reg [5:0] lat_q [0:7];
    reg [5:0] acc_q [0:7];
    reg [5:0] flag_q [0:7];
    reg [`IGPU_EU_BRANCH_FE_W-1:0]   branch_fe_q;
    reg [`IGPU_EU_NOP_FE_W-1:0]      nop_fe_q;
    reg [`IGPU_EU_SWITCH_FE_W-1:0]   switch_fe_q;
    reg [`IGPU_EU_CONFLICT_FE_W-1:0] conflict_fe_q;
    reg [`IGPU_EU_SEND_GRF_W-1:0]    send_grf_q;
    reg [`IGPU_EU_RESP_GRF_W-1:0]    resp_grf_q;

    wire       cfg_class = cfg_we_i && !cfg_addr_i[`IGPU_ADDR_OTHER];
    wire [2:0] cfg_c     = cfg_addr_i[`IGPU_ADDR_CLASS];
    wire [5:0] cycles    = cfg_data_i[5:0];      // of a class

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            occ_q[0]  <= `IGPU_EU_ALU32_OCC;
            fe_q[0]   <= `IGPU_EU_ALU32_FE;
            lat_q[0]  <= `IGPU_EU_ALU32_LAT;
            acc_q[0]  <= `IGPU_EU_ALU32_LAT_ACC;
            flag_q[0] <= `IGPU_EU_ALU32_LAT_FLAG;
            occ_q[1]  <= `IGPU_EU_ALU64_OCC;
            fe_q[1]   <= `IGPU_EU_ALU64_FE;
            lat_q[1]  <= `IGPU_EU_ALU64_LAT;
            acc_q[1]  <= `IGPU_EU_ALU64_LAT_ACC;
            flag_q[1] <= `IGPU_EU_ALU64_LAT_FLAG;
            occ_q[2]  <= `IGPU_EU_DF_OCC;
            fe_q[2]   <= `IGPU_EU_DF_FE;
            lat_q[2]  <= `IGPU_EU_DF_LAT;
            acc_q[2]  <= `IGPU_EU_DF_LAT_ACC;
            flag_q[2] <= `IGPU_EU_DF_LAT_FLAG;
            occ_q[3]  <= `IGPU_EU_MATH_OCC;
            fe_q[3]   <= `IGPU_EU_MATH_FE;
            lat_q[3]  <= `IGPU_EU_MATH_LAT;
            acc_q[3]  <= `IGPU_EU_MATH_LAT;
            flag_q[3] <= `IGPU_EU_MATH_LAT;
            occ_q[4]  <= `IGPU_EU_MATH2_OCC;
            fe_q[4]   <= `IGPU_EU_MATH2_FE;
            lat_q[4]  <= `IGPU_EU_MATH2_LAT;
            acc_q[4]  <= `IGPU_EU_MATH2_LAT;
            flag_q[4] <= `IGPU_EU_MATH2_LAT;
            occ_q[5]  <= `IGPU_EU_IDIV_OCC;
            fe_q[5]   <= `IGPU_EU_IDIV_FE;
            lat_q[5]  <= `IGPU_EU_IDIV_LAT;
            acc_q[5]  <= `IGPU_EU_IDIV_LAT;
            flag_q[5] <= `IGPU_EU_IDIV_LAT;
            occ_q[6]  <= `IGPU_EU_DOT_OCC;
            fe_q[6]   <= `IGPU_EU_DOT_FE;
            lat_q[6]  <= `IGPU_EU_DOT_LAT;
            acc_q[6]  <= `IGPU_EU_DOT_LAT;
            flag_q[6] <= `IGPU_EU_DOT_LAT;
            occ_q[7]  <= `IGPU_EU_LRP_OCC;
            fe_q[7]   <= `IGPU_EU_LRP_FE;
            lat_q[7]  <= `IGPU_EU_LRP_LAT;
            acc_q[7]  <= `IGPU_EU_LRP_LAT;
            flag_q[7] <= `IGPU_EU_LRP_LAT;
        end else if (cfg_class) begin
            case (cfg_addr_i[`IGPU_ADDR_FIELD])
                `IGPU_FIELD_OCC:      occ_q[cfg_c]  <= cycles;
                `IGPU_FIELD_FE:       fe_q[cfg_c]   <= cycles;
                `IGPU_FIELD_LAT: begin
                    // Classes with one latency have it for every destination.
                    lat_q[cfg_c] <= cycles;
                    if ({1'b0, cfg_c} > `IGPU_CLASS_DF) begin
                        acc_q[cfg_c]  <= cycles;
                        flag_q[cfg_c] <= cycles;
                    end
                end
                `IGPU_FIELD_LAT_ACC:  acc_q[cfg_c]  <= cycles;
                `IGPU_FIELD_LAT_FLAG: flag_q[cfg_c] <= cycles;
                default: ;
            endcase
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            conflict_fe_q <= `IGPU_EU_CONFLICT_FE;
            branch_fe_q   <= `IGPU_EU_BRANCH_FE;
            nop_fe_q      <= `IGPU_EU_NOP_FE;
            switch_fe_q   <= `IGPU_EU_SWITCH_FE;
            send_grf_q    <= `IGPU_EU_SEND_GRF;
            resp_grf_q    <= `IGPU_EU_RESP_GRF;
        end else if (cfg_we_i) begin
            case (cfg_addr_i)
                `IGPU_REG_CONFLICT_FE: conflict_fe_q <= cfg_data_i[`IGPU_EU_CONFLICT_FE_W-1:0];
                `IGPU_REG_BRANCH_FE:   branch_fe_q   <= cfg_data_i[`IGPU_EU_BRANCH_FE_W-1:0];
                `IGPU_REG_NOP_FE:      nop_fe_q      <= cfg_data_i[`IGPU_EU_NOP_FE_W-1:0];
                `IGPU_REG_SWITCH_FE:   switch_fe_q   <= cfg_data_i[`IGPU_EU_SWITCH_FE_W-1:0];
                `IGPU_REG_SEND_GRF:    send_grf_q    <= cfg_data_i[`IGPU_EU_SEND_GRF_W-1:0];
                `IGPU_REG_RESP_GRF:    resp_grf_q    <= cfg_data_i[`IGPU_EU_RESP_GRF_W-1:0];
                default: ;
            endcase
        end
    end

    // ---- the counts ----
    wire [3:0] cls       = uctl_i[`IGPU_UCTL_CLASS];
    wire [3:0] exec_grfs = uctl_i[`IGPU_UCTL_EXEC];
    wire [3:0] dst_grfs  = uctl_i[`IGPU_UCTL_GRFS];
    wire [3:0] conflicts = uctl_i[`IGPU_UCTL_CONFLICTS];
    wire [1:0] dst       = uctl_i[`IGPU_UCTL_DST];
    wire [4:0] payload   = uctl_i[`IGPU_UCTL_PAYLOAD];
    wire [4:0] rlen      = uctl_i[`IGPU_UCTL_RLEN];

    // ---- products ----
    wire        msg      = cls == `IGPU_CLASS_MSG;
    wire [2:0]  c        = cls[2:0];
    wire [9:0]  occ_alu  = {6'd0, exec_grfs} * {4'd0, occ_q[c]};
    wire [9:0]  occ_msg  = {5'd0, payload} * {6'd0, send_grf_q};
    wire [10:0] fe_dst   = {7'd0, dst_grfs} * {5'd0, fe_q[c]};
    wire [10:0] fe_clash = {7'd0, conflicts} * {7'd0, conflict_fe_q};
    wire [8:0]  dur_all  = {4'd0, (rlen == 5'd0) ? 5'd1 : rlen} * {5'd0, resp_grf_q};
    wire [5:0]  lat_all  = (dst == `IGPU_DST_FLAG) ? flag_q[c] :
                           (dst == `IGPU_DST_ACC) ? acc_q[c] : lat_q[c];
    wire        ctrl     = cls == `IGPU_CLASS_CTRL;
    wire        nop      = cls == `IGPU_CLASS_NOP;

    // ---- the cycles, before saturation ----
    wire        s_msg, s_ctrl, s_nop, s_switch;
    wire [9:0]  occ_all;
    wire [10:0] s_dst, s_clash;
    wire [8:0]  dur;
    wire [5:0]  lat;
    wire        s_port, s_eot;
    wire [1:0]  s_unit;
    localparam  W = 4 + 10 + 22 + 9 + 6 + 4;
    wire [W-1:0] product = {msg, ctrl, nop, uctl_i[`IGPU_UCTL_SWITCH],
                            msg ? occ_msg : occ_alu, fe_dst, fe_clash, dur_all, lat_all,
                            uctl_i[`IGPU_UCTL_PORT], uctl_i[`IGPU_UCTL_EOT],
                            uctl_i[`IGPU_UCTL_UNIT]};
    reg  [W-1:0] word_q;
    reg  [10:0] fe_all;

    always @(posedge clk_i) begin
        word_q <= product;
    end

    assign {s_msg, s_ctrl, s_nop, s_switch, occ_all, s_dst, s_clash, dur, lat, s_port, s_eot,
            s_unit} = word_q;

    always @* begin
        fe_all = s_dst + s_clash;
        if (s_ctrl)
            fe_all = {5'd0, branch_fe_q};
        else if (s_nop)
            fe_all = {5'd0, nop_fe_q};
        else if (s_msg)
            fe_all = {1'b0, occ_all};
        if (s_switch && fe_all < {5'd0, switch_fe_q})
            fe_all = {5'd0, switch_fe_q};
    end

    wire [7:0] occ = (occ_all > 10'd255) ? 8'd255 : occ_all[7:0];
    wire [7:0] fe  = (fe_all > 11'd255) ? 8'd255 :
                     (fe_all < 11'd2) ? 8'd2 : fe_all[7:0];

    assign ctl_o[`IGPU_CTL_UNIT] = s_unit;
    assign ctl_o[`IGPU_CTL_EOT]  = s_eot;
    assign ctl_o[`IGPU_CTL_PORT] = s_port;
    assign ctl_o[`IGPU_CTL_OCC]  = occ;
    assign ctl_o[`IGPU_CTL_FE]   = fe;
    assign ctl_o[`IGPU_CTL_LAT]  = lat;
    assign dur_o = (dur > 9'd255) ? 8'd255 : dur[7:0];

    wire unused = &{1'b0, uctl_i[`IGPU_UCTL_REST], cfg_data_i};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, cls <= `IGPU_CLASS_MSG, "a class is 0 to 10")

endmodule

`default_nettype wire
