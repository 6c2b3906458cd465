// igpu_eu_pick.vh - step of stages s3 and s4: which threads issue, and to which units.
//
// Function  pick_units: what each unit may choose from. pick_who: each unit that can take
//           one chooses by round-robin: FPU0 among those for either FPU, FPU1 among those
//           that FPU0 left and those for FPU1 alone, SEND, BRANCH. FPU1 has its first and
//           its second choice at once, and takes the second where FPU0 took the first; or
//           its first of what FPU0 leaves, which is the same later (PICK_CHAIN, a localparam
//           of the includer: 1, less work for a simulator). Where the launch says so the
//           oldest thread goes first instead.
// Contract  unit bits: 00 either FPU, 01 FPU1, 10 SEND, 11 BRANCH. Words are numbered as
//           the units: FPU0, FPU1, SEND, BRANCH.
// Model     csim/ref/eu.c: issue_fpus(), ref_pick()
// Source    docs/contract/model.md section 4.4

    task pick_units(
        input  [6:0] ready,                        // may issue
        input  [6:0] unit1,                        // bit planes of the unit
        input  [6:0] unit0,
        output [6:0] any,                          // for either FPU
        output [6:0] fpu1,
        output [6:0] send,
        output [6:0] branch
    );
        begin
            any    = ready & ~unit1 & ~unit0;
            fpu1   = ready & ~unit1 & unit0;
            send   = ready & unit1 & ~unit0;
            branch = ready & unit1 & unit0;
        end
    endtask

    // The one of them than which none is older (7 bits a thread).
    function [6:0] pick_oldest(input [6:0] req, input [48:0] older);
        integer i;
        begin
            pick_oldest = 7'd0;
            for (i = 0; i < `IGPU_SLOTS; i = i + 1)
                pick_oldest = pick_oldest |
                              ({6'd0, req[i] && (req & older[7*i +: 7]) == 7'd0} << i);
        end
    endfunction

    task pick_who(
        input  [6:0] any,
        input  [6:0] fpu1,
        input  [6:0] send,
        input  [6:0] branch,
        input  [3:0] can,                          // the unit can take one
        input  [6:0] above0,                       // the units' pointers,
        input  [6:0] above1,
        input  [6:0] above2,
        input  [6:0] above3,
        input        oldest,                       // the oldest, and not by turns,
        input  [48:0] older,                       // of whom these are older
        output [6:0] after0,                       // and then
        output [6:0] after1,
        output [6:0] after2,
        output [6:0] after3,
        output [3:0] issue,                        // the unit takes one,
        output [6:0] who0,                         // this thread, one-hot
        output [6:0] who1,
        output [6:0] who2,
        output [6:0] who3
    );
        reg [6:0] req0, req1, left1, req2, req3;
        reg       any1;
        begin
            req0 = can[0] ? any : RR_0;
            req1 = can[1] ? any | fpu1 : RR_0;
            req2 = can[2] ? send : RR_0;
            req3 = can[3] ? branch : RR_0;
            any1 = req1 != RR_0;
            {who0, who1, who2, who3} = 28'd0;
            {after0, after1, after2, after3} = {above0, above1, above2, above3};
            if (oldest) begin
                who0 = pick_oldest(req0, older);
                who1 = pick_oldest(req1 & ~who0, older);
                who2 = pick_oldest(req2, older);
                who3 = pick_oldest(req3, older);
                any1 = (req1 & ~who0) != RR_0;
            end else begin
                if (req0 != RR_0)
                    rr_take(req0, above0, who0, after0);
                if (PICK_CHAIN != 0) begin
                    left1 = req1 & ~who0;
                    any1  = left1 != RR_0;
                    if (any1)
                        rr_take(left1, above1, who1, after1);
                end else if (any1) begin
                    rr_take(req1, above1, who1, after1);
                    if ((who0 & who1) != RR_0) begin
                        rr_second(req1, above1, who1, after1);
                        any1 = who1 != RR_0;
                    end
                end
                if (req2 != RR_0)
                    rr_take(req2, above2, who2, after2);
                if (req3 != RR_0)
                    rr_take(req3, above3, who3, after3);
            end
            issue = {req3 != RR_0, req2 != RR_0, any1, req0 != RR_0};
        end
    endtask
