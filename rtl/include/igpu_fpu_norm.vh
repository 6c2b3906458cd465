// igpu_fpu_norm.vh - count leading zeros and shift them out, as a task.
//
// Function  count: zeros above the highest 1 of data; norm: data shifted left by
//           that. Without any 1: norm is 0 and count has no meaning. Halving search:
//           a step for each bit of the count.
// Contract  The module has localparams NORM_N (bits) and NORM_CW (bits of the count),
//           2^(NORM_CW-1) < NORM_N <= 2^NORM_CW.
// Tests     tests/formal/test_proofs.sh (igpu_fpu_norm), tests/fpu

    task normalized(input [NORM_N-1:0] data, output [NORM_N-1:0] norm,
                    output [NORM_CW-1:0] count);
        integer k;
        begin
            norm  = data;
            count = {NORM_CW{1'b0}};
            for (k = NORM_CW - 1; k >= 0; k = k - 1)
                if ((norm >> (NORM_N - (1 << k))) == {NORM_N{1'b0}}) begin
                    norm     = norm << (1 << k);
                    count[k] = 1'b1;
                end
        end
    endtask
