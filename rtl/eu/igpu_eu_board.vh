// igpu_eu_board.vh - step of stages s2, s3 and s6: scoreboards.
//
// Function  board_met: none of the needed bits is busy. board_may: who may issue: what
//           was ready stays so; where a result came for a thread that holds an
//           instruction, its bits decide.
// Contract  An instruction issues only when all bits that it sets are clear, and its
//           result clears them once: every event flips its bits.
// Model     csim/ref/eu.c: writes_scan()
// Source    docs/contract/model.md section 4.1

    function board_met(
        input [63:0] need_lo, input [63:0] busy_lo, input [63:0] need_hi,
        input [63:0] busy_hi, input [7:0] need_x, input [7:0] busy_x);
        board_met = ((need_lo & busy_lo) | (need_hi & busy_hi) |
                     {56'd0, need_x & busy_x}) == 64'd0;
    endfunction

    function [6:0] board_may(
        input [6:0] ready, input [6:0] held, input [6:0] cleared, input [6:0] met);
        board_may = ready | (held & cleared & met);
    endfunction
