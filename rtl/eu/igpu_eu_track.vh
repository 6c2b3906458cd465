// igpu_eu_track.vh - step of stages s1 to s6: instructions in flight in FPU0 or FPU1.
//
// Function  track_done: the oldest one's result is there. track_room: fewer than 16 are
//           in flight. track_span: cycles to the result of what issues, D - now =
//           max(latency, D' - now) + occupancy.
// Contract  D' - now is at most the longest latency (63), so no D lies 1024 cycles ahead.
// Model     csim/ref/eu.c: issue_fpu()
// Source    docs/contract/model.md sections 4.3 and 4.6

    function track_done(input busy, input [`IGPU_DIST_W-1:0] d, input [`IGPU_DIST_W-1:0] now);
        track_done = busy && d == now;
    endfunction

    // The ring holds 15; with the oldest, 16 are in flight. One that is done leaves first.
    function track_room(input done, input [3:0] wr, input [3:0] rd);
        track_room = done || wr + 4'd1 != rd;
    endfunction

    // D' - now, where something is still in flight.
    function [6:0] track_prior(input busy, input [6:0] last, input [6:0] now);
        track_prior = busy ? last - now : 7'd0;
    endfunction

    function track_later(input [6:0] prior, input [5:0] lat);
        track_later = prior < {1'b0, lat};
    endfunction

    function [`IGPU_DIST_W-1:0] track_span(
        input [6:0] prior, input [5:0] lat, input [7:0] occ);
        track_span = (track_later(prior, lat) ? {{(`IGPU_DIST_W-6){1'b0}}, lat} :
                                                {{(`IGPU_DIST_W-7){1'b0}}, prior}) +
                     {{(`IGPU_DIST_W-8){1'b0}}, occ};
    endfunction
