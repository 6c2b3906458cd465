// igpu_fpu_jam.vh - shift right; what falls off makes the lowest bit 1; as a task.
//
// Function  out = data >> shift, with the lowest bit set when a 1 was lost. Rounding
//           then sees that the exact value lies above the kept bits.
// Contract  The module has localparams JAM_N (bits), JAM_SW (bits of a shift that
//           leaves something) and JAM_XW (bits of shift, more than JAM_SW);
//           2^(JAM_SW-1) < JAM_N <= 2^JAM_SW. shift is unsigned.
// Tests     tests/formal/test_proofs.sh (igpu_fpu_jam), tests/fpu

    task jammed(input [JAM_N-1:0] data, input [JAM_XW-1:0] shift,
                output [JAM_N-1:0] out);
        if (shift[JAM_XW-1:JAM_SW] != {(JAM_XW-JAM_SW){1'b0}}) begin
            out    = {JAM_N{1'b0}};                    // nothing stays
            out[0] = data != {JAM_N{1'b0}};
        end else begin
            out    = data >> shift[JAM_SW-1:0];
            out[0] = out[0] || (data & ~({JAM_N{1'b1}} << shift[JAM_SW-1:0])) !=
                               {JAM_N{1'b0}};
        end
    endtask
