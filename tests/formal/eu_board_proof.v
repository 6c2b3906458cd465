// A shadow scoreboard beside igpu_eu_board and igpu_eu_mark: a bit is busy exactly from the
// visit after the one that issues an instruction which sets it to the visit of its result,
// and no instruction is met while a bit that it needs is busy. The bit (sh_g), and which of
// two contexts (sh_c), are free, hence it holds for all.
`include "igpu_eu.vh"

module eu_board_proof (
    input wire        clk,
    input wire        sh_c, input wire [7:0] sh_g_i,
    input wire        s2_valid, s2_ctx, s2_first,  // a visit in s2,
    input wire [2:0]  issued, hit,                 // what the last one issued; results now
    input wire [65:0] set, hit_set,
    input wire        s6_fetch, s6_ctx, input wire [63:0] need_lo, need_hi,
    input wire [7:0]  need_x
);
    (* keep *) wire [63:0] lo0, lo1, hi0, hi1, nlo0, nlo1, nhi0, nhi1; // joined to the RAMs
    (* keep *) wire [7:0]  x0, x1, nx0, nx1;

    reg          c, live, s3_valid, s3_ctx, s3_first;
    reg  [7:0]   g;
    wire [191:0] mk_lo, mk_hi;
    wire [23:0]  mk_x;
    wire [63:0]  busy_lo, busy_hi;
    wire [7:0]   busy_x;
    wire         met;
    initial {live, s3_valid} = 2'b00;

    igpu_eu_mark u_mark (.s2_set_i(hit_set), .mk_lo_o(mk_lo), .mk_hi_o(mk_hi), .mk_x_o(mk_x));
    igpu_eu_board #(.ROWS(2), .CW(1)) u_dut (
        .clk_i(clk), .s2_first_i(s2_first), .s2_ctx_i(s2_ctx), .s2_issued_i(issued),
        .s2_set_i(set), .s2_hit_i(hit), .s2_lo_i(mk_lo), .s2_hi_i(mk_hi), .s2_x_i(mk_x),
        .s3_valid_i(s3_valid), .s3_ctx_i(s3_ctx), .s3_first_i(s3_first),
        .s6_fetch_i(s6_fetch), .s6_ctx_i(s6_ctx), .s6_need_lo_i(need_lo),
        .s6_need_hi_i(need_hi), .s6_need_x_i(need_x), .bd_busy_lo_o(busy_lo),
        .bd_busy_hi_o(busy_hi), .bd_busy_x_o(busy_x), .bd_met_o(met));

    function of(input [63:0] lo, input [63:0] hi, input [7:0] x);
        of = g[7] ? x[g[2:0]] : g[6] ? hi[g[5:0]] : lo[g[5:0]];
    endfunction

    function has(input [21:0] bits);               // this bit is among those
        has = g[7] ? bits[14 + g[2:0]] : bits[6:0] <= g[6:0] && g[6:0] <= bits[13:7];
    endfunction

    // ---- the shadow: of context c, as of its last visit ----
    reg        seen, q_busy, e_busy, needed, q_need; // e: in the visit that is in s3
    wire       sets = (issued[0] && has(set[21:0])) || (issued[1] && has(set[43:22])) ||
                      (issued[2] && has(set[65:44]));
    wire [2:0] clears = {hit[2] && has(hit_set[65:44]), hit[1] && has(hit_set[43:22]),
                         hit[0] && has(hit_set[21:0])};
    wire       mine = s2_valid && s2_ctx == c;
    wire       mine3 = s3_valid && s3_ctx == c;
    initial {seen, needed} = 2'b00;

    always @(posedge clk) begin
        live <= 1'b1;
        if (!live)
            {c, g} <= {sh_c, sh_g_i};
        {s3_valid, s3_ctx, s3_first} <= {s2_valid && live, s2_ctx, s2_first};
        e_busy <= !s2_first && (q_busy || sets) && clears == 3'd0;
        if (mine3) begin
            seen   <= 1'b1;
            q_busy <= e_busy;
        end
        if (s6_fetch && s6_ctx == c) begin
            needed <= live;
            q_need <= of(need_lo, need_hi, need_x);
        end
    end

    always @* begin
        if (live)
            assume (g < 8'd136);
        else
            assume (!s2_valid && !s6_fetch);
        // Visits of one context do not overlap; its first sets and clears nothing.
        assume (!(mine && mine3) && !(s6_fetch && s6_ctx == c && (mine || mine3)));
        assume ((issued & (issued - 3'd1)) == 3'd0);
        if (mine) begin
            assume (s2_first == !seen);
            assume (!s2_first || {issued, hit} == 6'd0);
            // An instruction that issues finds its bits free; its result comes once.
            assume (!sets || !q_busy);
            assume (clears == 3'd0 || q_busy || sets);
            assume ((clears & (clears - 3'd1)) == 3'd0);
        end
        if (live) begin
            if (mine3) begin
                assert (of(busy_lo, busy_hi, busy_x) == e_busy);
                assert (!(met && needed && q_need && e_busy));
            end
            if (seen)
                assert ((c ? of(lo1, hi1, x1) : of(lo0, hi0, x0)) == q_busy);
            if (needed)
                assert ((c ? of(nlo1, nhi1, nx1) : of(nlo0, nhi0, nx0)) == q_need);
            assert (!mine3 || seen != s3_first);
        end
    end
endmodule
