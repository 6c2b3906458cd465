// igpu_fpu_away.vh - does rounding go away from zero? A function.
//
// Function  From the mode (IGPU_RNE...), the sign, the last bit that stays (odd), the bit
//           below it (half), and whether anything lies below that (rest).
// Tests     tests/formal/test_proofs.sh (igpu_fpu_round), tests/fpu, tests/rtl/igpu_math_tb.cpp
// Source    IEEE 754-2008 4.3

    function away_from_zero(input [1:0] rnd, input sign, input odd, input half, input rest);
        away_from_zero = rnd == `IGPU_RNE ? half && (rest || odd) :
                         (half || rest) && ((rnd == `IGPU_RTP && !sign) ||
                                            (rnd == `IGPU_RTN && sign));
    endfunction
