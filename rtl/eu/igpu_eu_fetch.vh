// igpu_eu_fetch.vh - step of stages s4 to s6: the run queue; what an instruction needs.
//
// Function  fetch_last: this is a run's last instruction; fetch_ask: the next run is
//           wanted. fetch_place: the thread's place in its run, {instructions left,
//           index}, after this one. fetch_bits: the GRFs that it needs, its own results among
//           them.
// Contract  A run has at least one instruction. No run is asked for behind the end of a
//           thread.
// Model     csim/ref/eu.c: fetch()
// Source    docs/contract/model.md sections 4.1 and 4.2

    localparam [`IGPU_UOP_W-1:0] FETCH_UOP1 = 1;
    localparam [`IGPU_LEN_W-1:0] FETCH_LEN1 = 1;

    function fetch_last(input [`IGPU_LEN_W-1:0] left);
        fetch_last = left == FETCH_LEN1;
    endfunction

    function fetch_ask(input last, input eot);
        fetch_ask = last && !eot;
    endfunction

    function [`IGPU_LEN_W+`IGPU_UOP_W-1:0] fetch_place(
        input [`IGPU_LEN_W-1:0] left, input [`IGPU_UOP_W-1:0] uop);
        fetch_place = {left - FETCH_LEN1, uop + FETCH_UOP1};
    endfunction

    task fetch_bits(
        input  [`IGPU_RANGE_W-1:0]   set,         // the range that it sets,
        input  [3*`IGPU_RANGE_W-1:0] need,        // and the others
        output [63:0]                lo,
        output [63:0]                hi
    );
        reg [63:0] lo0, lo1, lo2, lo3, hi0, hi1, hi2, hi3;
        begin
            range_bits(set, lo0, hi0);
            range_bits(need[`IGPU_NEED_RANGE0], lo1, hi1);
            range_bits(need[`IGPU_NEED_RANGE1], lo2, hi2);
            range_bits(need[`IGPU_NEED_RANGE2], lo3, hi3);
            lo = lo0 | lo1 | lo2 | lo3;
            hi = hi0 | hi1 | hi2 | hi3;
        end
    endtask
