// igpu_isa_types.vh - data types as instructions encode them, to those of igpu_fpu.vh. For
// igpu_isa_decode.

// Of registers.
function [3:0] register_type;
    input [3:0] code;
    case (code)
    4'd0:    register_type = `IGPU_TYPE_UD;
    4'd1:    register_type = `IGPU_TYPE_D;
    4'd2:    register_type = `IGPU_TYPE_UW;
    4'd3:    register_type = `IGPU_TYPE_W;
    4'd4:    register_type = `IGPU_TYPE_UB;
    4'd5:    register_type = `IGPU_TYPE_B;
    4'd6:    register_type = `IGPU_TYPE_DF;
    4'd7:    register_type = `IGPU_TYPE_F;
    4'd8:    register_type = `IGPU_TYPE_UQ;
    4'd9:    register_type = `IGPU_TYPE_Q;
    4'd10:   register_type = `IGPU_TYPE_HF;
    default: register_type = 4'd0;
    endcase
endfunction

// Of immediates: no bytes, but vectors.
function [3:0] immediate_type;
    input [3:0] code;
    case (code)
    4'd4:    immediate_type = `IGPU_TYPE_UV;
    4'd5:    immediate_type = `IGPU_TYPE_VF;
    4'd6:    immediate_type = `IGPU_TYPE_V;
    4'd10:   immediate_type = `IGPU_TYPE_DF;
    4'd11:   immediate_type = `IGPU_TYPE_HF;
    default: immediate_type = register_type(code);
    endcase
endfunction

// Of instructions with three sources.
function [3:0] ternary_type;
    input [2:0] code;
    case (code)
    3'd0:    ternary_type = `IGPU_TYPE_F;
    3'd1:    ternary_type = `IGPU_TYPE_D;
    3'd2:    ternary_type = `IGPU_TYPE_UD;
    3'd3:    ternary_type = `IGPU_TYPE_DF;
    3'd4:    ternary_type = `IGPU_TYPE_HF;
    default: ternary_type = 4'd0;
    endcase
endfunction

// The bits of an immediate that count: those of words are there twice.
function [63:0] trimmed;
    input [3:0]  of_type;
    input [63:0] bits;
    case (of_type)
    `IGPU_TYPE_UQ, `IGPU_TYPE_Q, `IGPU_TYPE_DF: trimmed = bits;
    `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF: trimmed = {48'd0, bits[15:0]};
    default:                                    trimmed = {32'd0, bits[31:0]};
    endcase
endfunction
