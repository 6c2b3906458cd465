// igpu_eu_unit.vh - step of stage s3: until when a unit is occupied.
//
// Function  unit_left: it still is, for so many cycles.
// Contract  Stamps are cycles modulo 2^10: an occupancy is at most 255, and `old` says
//           that the last visit is over 256 cycles ago.
// Model     csim/ref/eu.c: avail
// Source    docs/contract/model.md section 4.3

    task unit_left(
        input                    busy,
        input                    old,
        input [`IGPU_DIST_W-1:0] until_at,
        input [`IGPU_DIST_W-1:0] now,
        output                   still,
        output [7:0]             cycles
    );
        reg [`IGPU_DIST_W-1:0] left;
        begin
            left   = until_at - now;
            still  = busy && !old && !left[`IGPU_DIST_W-1] && left != {`IGPU_DIST_W{1'b0}};
            cycles = left[7:0];
        end
    endtask
