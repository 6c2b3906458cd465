// igpu_decode_tb - each class's formula of docs/contract/model.md section 5, from the reset
// values of params.def and from written registers, and the saturations.

`default_nettype none
`include "igpu_params.vh"
`include "igpu_regs.vh"

module igpu_decode_tb;
    `include "igpu_check.vh"

    reg         clk = 0, rst_n = 0, we = 0;
    reg  [6:0]  addr = 0;
    reg  [7:0]  data = 0;
    reg  [`IGPU_UCTL_W-1:0] uctl = 0;
    wire [`IGPU_CTL_W-1:0]  ctl;
    wire [7:0]  dur;

    igpu_decode u_decode (
        .clk_i(clk), .rst_ni(rst_n), .cfg_we_i(we), .cfg_addr_i(addr),
        .cfg_data_i(data), .uctl_i(uctl), .ctl_o(ctl), .dur_o(dur));

    task edge_;
        begin
            #4 clk = 1;
            #5 clk = 0;
            #1;
        end
    endtask

    task write(input [6:0] a, input [5:0] d);
        begin
            we   = 1;
            addr = a;
            data = d;
            edge_;
            we = 0;
        end
    endtask

    // Class, counts -> occ, fe, lat.
    task alu(input [3:0] cls, input [3:0] e, input [3:0] g, input [3:0] c,
             input [1:0] dst, input integer occ, input integer fe, input integer lat);
        begin
            uctl = {5'd0, 5'd0, 5'd0, dst, c, g, e, cls, 2'd0};
            edge_;
            check(ctl[11:4] === occ && ctl[19:12] === fe && ctl[25:20] === lat);
        end
    endtask

    task msg(input [4:0] p, input [4:0] rlen, input integer occ, input integer fe,
             input integer d);
        begin
            uctl = {5'b00010, rlen, p, 2'd0, 4'd0, 4'd0, 4'd0, `IGPU_CLASS_MSG,
                    `IGPU_UNIT_SEND};
            edge_;
            check(ctl[11:4] === occ && ctl[19:12] === fe && dur === d);
            check(ctl[1:0] === `IGPU_UNIT_SEND && ctl[2] === 0 && ctl[3] === 1);
        end
    endtask

    integer c;

    initial begin
        edge_;
        rst_n = 1;
        alu(`IGPU_CLASS_ALU32, 2, 2, 0, 0, 2 * `IGPU_EU_ALU32_OCC, 2 * `IGPU_EU_ALU32_FE,
            `IGPU_EU_ALU32_LAT);
        alu(`IGPU_CLASS_ALU32, 1, 1, 0, 1, `IGPU_EU_ALU32_OCC, `IGPU_EU_ALU32_FE,
            `IGPU_EU_ALU32_LAT_ACC);
        alu(`IGPU_CLASS_ALU64, 4, 4, 0, 2, 4 * `IGPU_EU_ALU64_OCC, 4 * `IGPU_EU_ALU64_FE,
            `IGPU_EU_ALU64_LAT_FLAG);
        alu(`IGPU_CLASS_DF, 8, 8, 0, 0, 8 * `IGPU_EU_DF_OCC, 8 * `IGPU_EU_DF_FE,
            `IGPU_EU_DF_LAT);
        alu(`IGPU_CLASS_MATH, 2, 2, 0, 0, 2 * `IGPU_EU_MATH_OCC, 2 * `IGPU_EU_MATH_FE,
            `IGPU_EU_MATH_LAT);
        alu(`IGPU_CLASS_IDIV, 4, 2, 0, 2, 4 * `IGPU_EU_IDIV_OCC, 2 * `IGPU_EU_IDIV_FE,
            `IGPU_EU_IDIV_LAT);
        alu(`IGPU_CLASS_LRP, 2, 2, 3, 0, 2 * `IGPU_EU_LRP_OCC,
            2 * `IGPU_EU_LRP_FE + 3 * `IGPU_EU_CONFLICT_FE, `IGPU_EU_LRP_LAT);
        msg(5, 3, 5 * `IGPU_EU_SEND_GRF, 5 * `IGPU_EU_SEND_GRF, 3 * `IGPU_EU_RESP_GRF);
        result("the reset values are the defaults of params.def");

        for (c = 0; c < 8; c = c + 1) begin
            write({1'b0, c[2:0], `IGPU_FIELD_OCC}, 3 + c);
            write({1'b0, c[2:0], `IGPU_FIELD_FE}, 11 + c);
            write({1'b0, c[2:0], `IGPU_FIELD_LAT}, 21 + c);
            write({1'b0, c[2:0], `IGPU_FIELD_LAT_ACC}, 31 + c);
            write({1'b0, c[2:0], `IGPU_FIELD_LAT_FLAG}, 41 + c);
        end
        write(`IGPU_REG_CONFLICT_FE, 5);
        for (c = 0; c < 8; c = c + 1) begin
            alu(c, 3, 2, 1, 0, 3 * (3 + c), 2 * (11 + c) + 5, 21 + c);
            alu(c, 1, 1, 0, 1, 3 + c, 11 + c, 31 + c);
            alu(c, 1, 1, 0, 2, 3 + c, 11 + c, 41 + c);
        end
        // Classes with one latency: it is written last, and holds for all.
        write({1'b0, 3'd5, `IGPU_FIELD_LAT}, 13);
        alu(5, 1, 1, 0, 2, 8, 16, 13);
        result("each class has its own registers");

        write(`IGPU_REG_BRANCH_FE, 17);
        write(`IGPU_REG_NOP_FE, 3);
        uctl = {29'd0, `IGPU_CLASS_CTRL, `IGPU_UNIT_BRANCH};
        edge_;
        check(ctl[19:12] === 17 && ctl[1:0] === `IGPU_UNIT_BRANCH);
        uctl = {29'd0, `IGPU_CLASS_NOP, `IGPU_UNIT_BRANCH};
        edge_;
        check(ctl[19:12] === 3);
        write(`IGPU_REG_SWITCH_FE, 9);
        uctl[34] = 1;
        edge_;
        check(ctl[19:12] === 9);
        write(`IGPU_REG_SWITCH_FE, 2);
        edge_;
        check(ctl[19:12] === 3);
        write(`IGPU_REG_SEND_GRF, 4);
        write(`IGPU_REG_RESP_GRF, 7);
        msg(1, 0, 4, 4, 7);
        msg(20, 16, 80, 80, 112);
        uctl = {5'b00001, 30'd0};
        edge_;
        check(ctl[2] === 1 && ctl[3] === 0);
        result("branches, nops, thread switches, messages and ends");

        write({1'b0, 3'd0, `IGPU_FIELD_OCC}, 63);
        write({1'b0, 3'd0, `IGPU_FIELD_FE}, 63);
        alu(0, 8, 8, 8, 0, 255, 255, 21);
        alu(0, 4, 4, 0, 0, 252, 252, 21);
        write({1'b0, 3'd0, `IGPU_FIELD_FE}, 1);
        alu(0, 1, 1, 0, 0, 63, 2, 21);
        write(`IGPU_REG_SEND_GRF, 15);
        write(`IGPU_REG_RESP_GRF, 15);
        msg(31, 16, 255, 255, 240);
        write(`IGPU_REG_SEND_GRF, 1);
        msg(1, 1, 1, 2, 15);
        result("occ and fe saturate at 255, fe is at least 2");
        $finish;
    end
endmodule

`default_nettype wire
