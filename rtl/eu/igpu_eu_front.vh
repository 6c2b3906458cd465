// igpu_eu_front.vh - step of stage s6: what an issue and a fetch do to a thread.
//
// Function  front_hold: whether the front end holds a thread that issues, and how long;
//           front_issue, front_fetch: the threads' bits; front_run: the next run.
// Contract  A thread that fetches does not issue in the same cycle. The end of a thread
//           holds nobody.
// Model     csim/ref/eu.c: issue(), fetch()
// Source    docs/contract/model.md sections 4.2 and 4.5

    // {held, cycles: fe - 1}; fe 2: not at all.
    function [8:0] front_hold(input [7:0] fe);
        front_hold = {fe > 8'd2, fe - 8'd1};
    endfunction

    // The cycle at which a hold of now ends.
    function [7:0] front_end(input [7:0] now, input [7:0] span);
        front_end = now + span;
    endfunction

    // ... in its thread's place.
    function [55:0] front_until(
        input [55:0] free_at, input [2:0] slot, input [7:0] now, input [7:0] span);
        reg [7:0] over;
        begin
            over        = front_end(now, span);
            front_until = (free_at & ~(56'hff << {slot, 3'd0})) | ({48'd0, over} << {slot, 3'd0});
        end
    endfunction

    // The fetched instruction's unit, in a bit plane.
    function [6:0] front_plane(input [6:0] plane, input [6:0] fresh, input one);
        front_plane = (plane & ~fresh) | (one ? fresh : 7'd0);
    endfunction

    // The run is over; the next one's code is there (`has`), or comes later, in 9 bits of
    // a cycle.
    task front_run(
        input        more,                         // there is a next run,
        input  [7:0] wait_n,                       // in so many cycles
        input  [8:0] now,
        output       has,
        output       later,
        output [8:0] span,
        output [8:0] due
    );
        begin
            has   = more && wait_n == 8'd0;
            later = more && wait_n != 8'd0;
            span  = 9'd1 + {1'b0, wait_n};
            due   = now + span;
        end
    endtask
