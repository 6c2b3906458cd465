// igpu_eu_rest.vh - step of stages s7 to s9: in which cycle the context has something to
// do next.
//
// Function  rest_next: in the next one. rest_waits: FPU0, FPU1, SEND are waited for by a
//           thread that is ready. Beyond that the first of: a result or a response, the
//           end of a hold or of a wait for code, a unit that is waited for.
// Contract  Who waited already found a free unit full, or without a thread for it.
// Model     csim/ref/eu.c: next_from()
// Source    docs/develop/eu-pipeline.md#sequencer

    // `met`: an instruction was fetched that may issue, to this unit.
    function rest_next(
        input [6:0] may_fetch, input [6:0] branch, input met, input [1:0] unit,
        input [2:0] occupied);
        rest_next = (may_fetch | branch) != 7'd0 ||
                    (met && (unit == `IGPU_UNIT_FPU_ANY ? occupied[1:0] != 2'b11 :
                             unit == `IGPU_UNIT_FPU1 ? !occupied[1] : !occupied[2]));
    endfunction

    function [2:0] rest_waits(
        input [6:0] any, input [6:0] fpu1, input [6:0] send, input [2:0] occupied);
        rest_waits = {send != 7'd0, (any | fpu1) != 7'd0, any != 7'd0} & occupied;
    endfunction
