// igpu_least.vh - least4: the least of up to four numbers, by all comparisons at once.
//
// Function  {one is there, the least of those that are}.
// Contract  LEAST_W is the numbers' width, a localparam of the includer. Numbers are
//           unsigned, four of them from the lowest bits on. Without any, the least means
//           nothing. `valid` may come late.
// Tests     tests/rtl/igpu_min4_tb.v

    function [LEAST_W:0] least4(input [3:0] valid, input [4*LEAST_W-1:0] data);
        reg [LEAST_W-1:0] a, b, c, d;
        reg               ab, ac, ad, bc, bd, cd; // ab: a rather than b
        begin
            {d, c, b, a} = data;
            ab = valid[0] && (!valid[1] || a <= b);
            ac = valid[0] && (!valid[2] || a <= c);
            ad = valid[0] && (!valid[3] || a <= d);
            bc = valid[1] && (!valid[2] || b <= c);
            bd = valid[1] && (!valid[3] || b <= d);
            cd = valid[2] && (!valid[3] || c <= d);
            least4 = {valid != 4'd0,
                      (ab && ac && ad) ? a : (!ab && bc && bd) ? b : cd ? c : d};
        end
    endfunction
