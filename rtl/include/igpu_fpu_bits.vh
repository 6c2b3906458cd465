// igpu_fpu_bits.vh - integer operations on bits: logic, shift, field, count; tasks.
//
// Function  The results that need no adder. Bit-field and count operations work on
//           32 bits. Shift counts have 5 bits, 6 for 64-bit values (sh64). shr shifts
//           the value as its own type (stype) holds it; a result of type D makes bfe
//           extend the sign.
//           bfe: x width, y offset, z value. bfi1: x width, y offset. bfi2: x mask,
//           y value, z base; the value is aligned to the mask's lowest 1.
// Contract  The module has W (bits of an operand) and R (of a result), R >= W + 33.
//           Operands as igpu_fpu_source.vh extends them.
// Model     csim/emu/emu_alu_int.c.  Tests: tests/fpu.  Source: docs/contract/fpu.md#integers

    // Zeros above the highest 1, by halves.
    function [4:0] leading_zeros(input [31:0] data);
        reg [31:0] left;
        integer    k;
        begin
            left = data;
            leading_zeros = 5'd0;
            for (k = 4; k >= 0; k = k - 1)
                if ((left >> (32 - (1 << k))) == 32'd0) begin
                    left = left << (1 << k);
                    leading_zeros[k] = 1'b1;
                end
        end
    endfunction

    task bits_logic(input [4:0] op, input [3:0] stype, input sh64, input [W+1:0] x,
                    input [W+1:0] y, output [R-1:0] r);
        reg [5:0]   count;
        reg [R-1:0] wide, plain;           // plain: x as its type holds it
        begin
            count = {y[5] && sh64, y[4:0]};
            wide  = {{(R-W-2){x[W+1]}}, x};
            plain = {{(R-W){1'b0}}, x[W-1:0]};
            if (stype == `IGPU_TYPE_UB || stype == `IGPU_TYPE_B)
                plain[W-1:8] = {(W-8){1'b0}};
            else if (stype == `IGPU_TYPE_UW || stype == `IGPU_TYPE_W)
                plain = {{(R-16){1'b0}}, x[15:0]};
            else if ((stype == `IGPU_TYPE_UD || stype == `IGPU_TYPE_D) && W > 32)
                plain = plain & {{(R-32){1'b0}}, 32'hffffffff};
            case (op)
            `IGPU_FPU_OP_AND: r = {{(R-W-2){x[W+1] & y[W+1]}}, x & y};
            `IGPU_FPU_OP_OR:  r = {{(R-W-2){x[W+1] | y[W+1]}}, x | y};
            `IGPU_FPU_OP_XOR: r = {{(R-W-2){x[W+1] ^ y[W+1]}}, x ^ y};
            `IGPU_FPU_OP_NOT: r = ~wide;
            `IGPU_FPU_OP_SHL: r = wide << count;
            `IGPU_FPU_OP_SHR: r = plain >> count;
            default:          r = $signed(wide) >>> count; // asr
            endcase
        end
    endtask

    task bits_field(input [4:0] op, input [3:0] dtype, input [3:0] stype,
                    input [W+1:0] xi, input [W+1:0] yi, input [W+1:0] zi,
                    output [R-1:0] r);
        reg [31:0]   x, y, z, rev, find, field, keep, r32; // keep: not sign
        reg [5:0]    ones, top;
        reg [4:0]    lead;
        reg          beyond, sign, none;   // beyond: the field ends at bit 31
        integer      i;
        begin
            for (i = 0; i < 32; i = i + 1) begin         // the low 32 bits
                x[i] = xi[(i < W + 2) ? i : W + 1];
                y[i] = yi[(i < W + 2) ? i : W + 1];
                z[i] = zi[(i < W + 2) ? i : W + 1];
            end
            ones = 6'd0;
            for (i = 0; i < 32; i = i + 1) begin
                rev[i] = x[31 - i];
                ones   = ones + {5'd0, x[i]};
            end
            find = op == `IGPU_FPU_OP_FBL || op == `IGPU_FPU_OP_BFI2 ? rev :
                   op == `IGPU_FPU_OP_FBH && stype == `IGPU_TYPE_D && x[31] ? ~x : x;
            lead  = leading_zeros(find);
            none  = find == 32'd0;
            field = ~(32'hffffffff << x[4:0]);           // width ones
            r32   = 32'd0;
            case (op)
            `IGPU_FPU_OP_BFE: begin
                top    = {1'b0, x[4:0]} + {1'b0, y[4:0]};
                beyond = top >= 6'd32;
                sign   = dtype == `IGPU_TYPE_D && (beyond ? z[31] : z[top[4:0] - 5'd1]);
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
            r = {R{1'b0}};
            r[31:0] = r32;
            if (op == `IGPU_FPU_OP_BFE && dtype == `IGPU_TYPE_D)
                r[R-1:32] = {(R-32){r32[31]}};
        end
    endtask
