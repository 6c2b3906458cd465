// igpu_fpu_cond.vh - does a condition modifier hold? A function.
//
// Function  For a pair (or a value against zero) of which one of less, equal, nan may
//           be set; none: greater. ne holds for NaN.
// Model     csim/emu/emu_exec.c.  Tests: tests/fpu.  Source: docs/contract/fpu.md#comparison

    function condition(input [3:0] cmod, input less, input equal, input nan,
                       input over);
        case (cmod)
        `IGPU_CMOD_EQ: condition = equal;
        `IGPU_CMOD_NE: condition = !equal;
        `IGPU_CMOD_GT: condition = !less && !equal && !nan;
        `IGPU_CMOD_GE: condition = !less && !nan;
        `IGPU_CMOD_LT: condition = less;
        `IGPU_CMOD_LE: condition = less || equal;
        `IGPU_CMOD_OV: condition = over;
        `IGPU_CMOD_UN: condition = nan;
        default:       condition = 1'b0;
        endcase
    endfunction
