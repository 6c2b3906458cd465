// igpu_values_type.vh - of data types: size, and what the FPU takes them for.

// log2 of the bytes of an element.
function [1:0] type_size;
    input [3:0] of_type;
    case (of_type)
    `IGPU_TYPE_UB, `IGPU_TYPE_B:                               type_size = 2'd0;
    `IGPU_TYPE_UW, `IGPU_TYPE_W, `IGPU_TYPE_HF,
    `IGPU_TYPE_V, `IGPU_TYPE_UV:                               type_size = 2'd1;
    `IGPU_TYPE_UQ, `IGPU_TYPE_Q, `IGPU_TYPE_DF:                type_size = 2'd3;
    default:                                                   type_size = 2'd2;
    endcase
endfunction
