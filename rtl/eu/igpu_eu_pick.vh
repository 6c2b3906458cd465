// igpu_eu_pick.vh - step of stages s3 and s4: which threads issue, and to which units.
//
// Function  pick_units: what each unit may choose from. pick_who: each unit that can take
//           one chooses by round-robin: FPU0 among those for either FPU, FPU1 among those
//           that FPU0 left and those for FPU1 alone, SEND, BRANCH. FPU1 has its first and
//           its second choice at once, and takes the second where FPU0 took the first.
// Contract  unit bits: 00 either FPU, 01 FPU1, 10 SEND, 11 BRANCH. Pointers and grants have
//           7 bits a unit, FPU0's lowest.
// Model     csim/ref/eu.c: issue_fpus(), ref_pick()
// Source    docs/model.md section 4.4

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

    task pick_who(
        input  [6:0]  any,
        input  [6:0]  fpu1,
        input  [6:0]  send,
        input  [6:0]  branch,
        input  [3:0]  can,                         // the unit can take one
        input  [27:0] above,                       // pointers,
        output [27:0] after,                       // and then
        output [3:0]  issue,                       // the unit takes one,
        output [27:0] who                          // this thread, one-hot
    );
        reg [6:0] req0, req1, req2, req3, who0, who1, after1;
        reg       any1;
        begin
            req0   = can[0] ? any : RR_0;
            req1   = can[1] ? any | fpu1 : RR_0;
            req2   = can[2] ? send : RR_0;
            req3   = can[3] ? branch : RR_0;
            who0   = rr_first(req0, above[6:0]);
            who1   = rr_first(req1, above[13:7]);
            after1 = rr_above(who1, above[13:7]);
            any1   = req1 != RR_0;
            if ((who0 & who1) != RR_0) begin
                rr_second(req1, above[13:7], who1, after1);
                any1 = who1 != RR_0;
            end
            issue = {req3 != RR_0, req2 != RR_0, any1, req0 != RR_0};
            who   = {rr_first(req3, above[27:21]), rr_first(req2, above[20:14]), who1, who0};
            after = {rr_above(who[27:21], above[27:21]), rr_above(who[20:14], above[20:14]),
                     after1, rr_above(who0, above[6:0])};
        end
    endtask
