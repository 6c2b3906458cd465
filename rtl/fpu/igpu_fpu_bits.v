// igpu_fpu_bits - integer operations on bits: logic, shift, field, count.
//
// Function  The results that need no adder. Bit-field and count operations work on
//           32 bits. Shift counts have 5 bits, 6 for 64-bit values. shr shifts the
//           value as its own type holds it.
//           bfe: x width, y offset, z value. bfi1: x width, y offset. bfi2: x mask,
//           y value, z base; the value is aligned to the mask's lowest 1.
// Timing    Combinational.
// Contract  Operands as igpu_fpu_source extends them. R >= W + 33.
// Model     csim/emu/emu_alu_int.c.  Tests: tests/fpu
// Source    docs/fpu.md#integers

`default_nettype none
`include "igpu_fpu.vh"

module igpu_fpu_bits #(
    parameter W = 32,                      // bits of an operand
    parameter R = 68                       // bits of a result
) (
    input  wire         on_i,               // else the result is 0
    input  wire [4:0]   op_i,
    input  wire [3:0]   dtype_i,           // D: bfe extends the sign
    input  wire [3:0]   stype_i,           // type of x
    input  wire         sh64_i,            // counts have six bits
    input  wire [W+1:0] x_i,
    input  wire [W+1:0] y_i,
    input  wire [W+1:0] z_i,
    output reg  [R-1:0] r_o                // signed
);

    wire on32 = on_i && op_i >= `IGPU_FPU_OP_BFE;

    // ---- shifts ---------------------------------------------------------
    reg  [5:0]   count;
    reg  [R-1:0] wide, plain;              // plain: x as its type holds it

    always @* begin
        count = 6'd0;
        wide  = {R{1'b0}};
        plain = {R{1'b0}};
        if (on_i && !on32) begin
            count = {y_i[5] && sh64_i, y_i[4:0]};
            wide  = {{(R-W-2){x_i[W+1]}}, x_i};
            plain = {{(R-W){1'b0}}, x_i[W-1:0]};
            if (stype_i == `IGPU_TYPE_UB || stype_i == `IGPU_TYPE_B)
                plain[W-1:8] = {(W-8){1'b0}};
            else if (stype_i == `IGPU_TYPE_UW || stype_i == `IGPU_TYPE_W)
                plain = {{(R-16){1'b0}}, x_i[15:0]};
            else if ((stype_i == `IGPU_TYPE_UD || stype_i == `IGPU_TYPE_D) && W > 32)
                plain = plain & {{(R-32){1'b0}}, 32'hffffffff};
        end
    end

    // ---- 32-bit views ---------------------------------------------------
    reg  [W+31:0] xe, ye, ze;
    reg  [31:0]   x, y, z, rev;
    reg  [5:0]    ones;
    integer       i;

    always @* begin
        {xe, ye, ze} = {(3*W+96){1'b0}};
        {x, y, z, rev} = 128'd0;
        ones = 6'd0;
        if (on32) begin
            xe = {{30{x_i[W+1]}}, x_i};
            ye = {{30{y_i[W+1]}}, y_i};
            ze = {{30{z_i[W+1]}}, z_i};
            x  = xe[31:0];
            y  = ye[31:0];
            z  = ze[31:0];
            for (i = 0; i < 32; i = i + 1) begin
                rev[i] = x[31 - i];
                ones   = ones + {5'd0, x[i]};
            end
        end
    end

    // ---- first 1 --------------------------------------------------------
    wire        low  = op_i == `IGPU_FPU_OP_FBL || op_i == `IGPU_FPU_OP_BFI2;
    wire        flip = op_i == `IGPU_FPU_OP_FBH && stype_i == `IGPU_TYPE_D;
    wire [31:0] unused_norm;
    wire [4:0]  lead;
    reg  [31:0] find;

    always @* begin
        find = x;
        if (on32)
            find = low ? rev : flip && x[31] ? ~x : x;
    end

    igpu_fpu_norm #(.N(32), .CW(5)) u_norm (
        .on_i(on32), .data_i(find), .data_o(unused_norm), .count_o(lead));

    // ---- fields ---------------------------------------------------------
    reg  [31:0] field, keep, r32;          // width ones; what is not sign
    reg  [5:0]  top;
    reg         beyond, sign, none;        // beyond: the field ends at bit 31

    always @* begin
        {field, keep, r32} = 96'd0;
        top    = 6'd0;
        beyond = 1'b0;
        sign   = 1'b0;
        none   = 1'b0;
        if (on32) begin
            none  = find == 32'd0;
            field = ~(32'hffffffff << x[4:0]);
            case (op_i)
            `IGPU_FPU_OP_BFE: begin
                top    = {1'b0, x[4:0]} + {1'b0, y[4:0]};
                beyond = top >= 6'd32;
                sign   = dtype_i == `IGPU_TYPE_D && (beyond ? z[31] : z[top[4:0] - 5'd1]);
                keep   = beyond ? ~(32'd0) >> y[4:0] : field;
                if (x[4:0] != 5'd0)
                    r32 = ((z >> y[4:0]) & keep) | (sign ? ~keep : 32'd0);
            end
            `IGPU_FPU_OP_BFI1:  r32 = field << y[4:0];
            `IGPU_FPU_OP_BFI2:  r32 = (x & (y << (none ? 5'd0 : lead))) | (z & ~x);
            `IGPU_FPU_OP_BFREV: r32 = rev;
            `IGPU_FPU_OP_CBIT:  r32 = {26'd0, ones};
            `IGPU_FPU_OP_LZD:   r32 = none ? 32'd32 : {27'd0, lead};
            default:            r32 = none ? 32'hffffffff : {27'd0, lead}; // fbh, fbl
            endcase
        end
    end

    always @* begin
        r_o = {R{1'b0}};
        if (on_i)
            case (op_i)
            `IGPU_FPU_OP_AND: r_o = {{(R-W-2){x_i[W+1] & y_i[W+1]}}, x_i & y_i};
            `IGPU_FPU_OP_OR:  r_o = {{(R-W-2){x_i[W+1] | y_i[W+1]}}, x_i | y_i};
            `IGPU_FPU_OP_XOR: r_o = {{(R-W-2){x_i[W+1] ^ y_i[W+1]}}, x_i ^ y_i};
            `IGPU_FPU_OP_NOT: r_o = ~wide;
            `IGPU_FPU_OP_SHL: r_o = wide << count;
            `IGPU_FPU_OP_SHR: r_o = plain >> count;
            `IGPU_FPU_OP_ASR: r_o = $signed(wide) >>> count;
            default: begin
                r_o[31:0] = r32;
                if (op_i == `IGPU_FPU_OP_BFE && dtype_i == `IGPU_TYPE_D)
                    r_o[R-1:32] = {(R-32){r32[31]}};
            end
            endcase
    end

    wire unused = &{1'b0, unused_norm, xe, ye, ze, top[5]};

endmodule

`default_nettype wire
