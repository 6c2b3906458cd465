// igpu_isa_tables.vh - made by .ci/igpu_isa_tables.py (`make fpu-tables`).

function [18:0] row_control;
    input [4:0] index;
    case (index)
    5'd0: row_control = 19'b0000000000000000010;
    5'd1: row_control = 19'b0000100000000000000;
    5'd2: row_control = 19'b0000100000000000001;
    5'd3: row_control = 19'b0000100000000000010;
    5'd4: row_control = 19'b0000100000000000011;
    5'd5: row_control = 19'b0000100000000000100;
    5'd6: row_control = 19'b0000100000000000101;
    5'd7: row_control = 19'b0000100000000000111;
    5'd8: row_control = 19'b0000100000000001000;
    5'd9: row_control = 19'b0000100000000001001;
    5'd10: row_control = 19'b0000100000000001101;
    5'd11: row_control = 19'b0000110000000000000;
    5'd12: row_control = 19'b0000110000000000001;
    5'd13: row_control = 19'b0000110000000000010;
    5'd14: row_control = 19'b0000110000000000011;
    5'd15: row_control = 19'b0000110000000000100;
    5'd16: row_control = 19'b0000110000000000101;
    5'd17: row_control = 19'b0000110000000000111;
    5'd18: row_control = 19'b0000110000000001001;
    5'd19: row_control = 19'b0000110000000001101;
    5'd20: row_control = 19'b0000110000000010000;
    5'd21: row_control = 19'b0000110000100000000;
    5'd22: row_control = 19'b0001000000000000000;
    5'd23: row_control = 19'b0001000000000000010;
    5'd24: row_control = 19'b0001000000000000100;
    5'd25: row_control = 19'b0001000000100000000;
    5'd26: row_control = 19'b0010110000000000000;
    5'd27: row_control = 19'b0010110000000010000;
    5'd28: row_control = 19'b0011000000000000000;
    5'd29: row_control = 19'b0011000000100000000;
    5'd30: row_control = 19'b0101000000000000000;
    default: row_control = 19'b0101000000100000000;
    endcase
endfunction

function [20:0] row_datatype;
    input [4:0] index;
    case (index)
    5'd0: row_datatype = 21'b001000000000000000001;
    5'd1: row_datatype = 21'b001000000000001000000;
    5'd2: row_datatype = 21'b001000000000001000001;
    5'd3: row_datatype = 21'b001000000000011000001;
    5'd4: row_datatype = 21'b001000000000101011101;
    5'd5: row_datatype = 21'b001000000010111011101;
    5'd6: row_datatype = 21'b001000000011101000001;
    5'd7: row_datatype = 21'b001000000011101000101;
    5'd8: row_datatype = 21'b001000000011101011101;
    5'd9: row_datatype = 21'b001000001000001000001;
    5'd10: row_datatype = 21'b001000011000001000000;
    5'd11: row_datatype = 21'b001000011000001000001;
    5'd12: row_datatype = 21'b001000101000101000101;
    5'd13: row_datatype = 21'b001000111000101000100;
    5'd14: row_datatype = 21'b001000111000101000101;
    5'd15: row_datatype = 21'b001011100011101011101;
    5'd16: row_datatype = 21'b001011101011100011101;
    5'd17: row_datatype = 21'b001011101011101011100;
    5'd18: row_datatype = 21'b001011101011101011101;
    5'd19: row_datatype = 21'b001011111011101011100;
    5'd20: row_datatype = 21'b000000000010000001100;
    5'd21: row_datatype = 21'b001000000000001011101;
    5'd22: row_datatype = 21'b001000000000101000101;
    5'd23: row_datatype = 21'b001000001000001000000;
    5'd24: row_datatype = 21'b001000101000101000100;
    5'd25: row_datatype = 21'b001000111000100000100;
    5'd26: row_datatype = 21'b001001001001000001001;
    5'd27: row_datatype = 21'b001010111011101011101;
    5'd28: row_datatype = 21'b001011111011101011101;
    5'd29: row_datatype = 21'b001001111001101001100;
    5'd30: row_datatype = 21'b001001001001001001000;
    default: row_datatype = 21'b001001011001001001000;
    endcase
endfunction

function [14:0] row_subreg;
    input [4:0] index;
    case (index)
    5'd0: row_subreg = 15'b000000000000000;
    5'd1: row_subreg = 15'b000000000000001;
    5'd2: row_subreg = 15'b000000000001000;
    5'd3: row_subreg = 15'b000000000001111;
    5'd4: row_subreg = 15'b000000000010000;
    5'd5: row_subreg = 15'b000000010000000;
    5'd6: row_subreg = 15'b000000100000000;
    5'd7: row_subreg = 15'b000000110000000;
    5'd8: row_subreg = 15'b000001000000000;
    5'd9: row_subreg = 15'b000001000010000;
    5'd10: row_subreg = 15'b000001010000000;
    5'd11: row_subreg = 15'b001000000000000;
    5'd12: row_subreg = 15'b001000000000001;
    5'd13: row_subreg = 15'b001000010000001;
    5'd14: row_subreg = 15'b001000010000010;
    5'd15: row_subreg = 15'b001000010000011;
    5'd16: row_subreg = 15'b001000010000100;
    5'd17: row_subreg = 15'b001000010000111;
    5'd18: row_subreg = 15'b001000010001000;
    5'd19: row_subreg = 15'b001000010001110;
    5'd20: row_subreg = 15'b001000010001111;
    5'd21: row_subreg = 15'b001000110000000;
    5'd22: row_subreg = 15'b001000111101000;
    5'd23: row_subreg = 15'b010000000000000;
    5'd24: row_subreg = 15'b010000110000000;
    5'd25: row_subreg = 15'b011000000000000;
    5'd26: row_subreg = 15'b011110010000111;
    5'd27: row_subreg = 15'b100000000000000;
    5'd28: row_subreg = 15'b101000000000000;
    5'd29: row_subreg = 15'b110000000000000;
    5'd30: row_subreg = 15'b111000000000000;
    default: row_subreg = 15'b111000000011100;
    endcase
endfunction

function [11:0] row_source;
    input [4:0] index;
    case (index)
    5'd0: row_source = 12'b000000000000;
    5'd1: row_source = 12'b000000000010;
    5'd2: row_source = 12'b000000010000;
    5'd3: row_source = 12'b000000010010;
    5'd4: row_source = 12'b000000011000;
    5'd5: row_source = 12'b000000100000;
    5'd6: row_source = 12'b000000101000;
    5'd7: row_source = 12'b000001001000;
    5'd8: row_source = 12'b000001010000;
    5'd9: row_source = 12'b000001110000;
    5'd10: row_source = 12'b000001111000;
    5'd11: row_source = 12'b001100000000;
    5'd12: row_source = 12'b001100000010;
    5'd13: row_source = 12'b001100001000;
    5'd14: row_source = 12'b001100010000;
    5'd15: row_source = 12'b001100010010;
    5'd16: row_source = 12'b001100100000;
    5'd17: row_source = 12'b001100101000;
    5'd18: row_source = 12'b001100111000;
    5'd19: row_source = 12'b001101000000;
    5'd20: row_source = 12'b001101000010;
    5'd21: row_source = 12'b001101001000;
    5'd22: row_source = 12'b001101010000;
    5'd23: row_source = 12'b001101100000;
    5'd24: row_source = 12'b001101101000;
    5'd25: row_source = 12'b001101110000;
    5'd26: row_source = 12'b001101110001;
    5'd27: row_source = 12'b001101111000;
    5'd28: row_source = 12'b010001101000;
    5'd29: row_source = 12'b010001101001;
    5'd30: row_source = 12'b010001101010;
    default: row_source = 12'b010110001000;
    endcase
endfunction

function [25:0] row_control3;
    input [1:0] index;
    case (index)
    2'd0: row_control3 = 26'b00100000000110000000000001;
    2'd1: row_control3 = 26'b00000000000110000000000001;
    2'd2: row_control3 = 26'b00000000001000000000000001;
    default: row_control3 = 26'b00000000001000000000100001;
    endcase
endfunction

function [48:0] row_source3;
    input [1:0] index;
    case (index)
    2'd0: row_source3 = 49'b0000001110010011100100111001000001111000000000000;
    2'd1: row_source3 = 49'b0000001110010011100100111001000001111000000000010;
    2'd2: row_source3 = 49'b0000001110010011100100111001000001111000000001000;
    default: row_source3 = 49'b0000001110010011100100111001000001111000000100000;
    endcase
endfunction
