// igpu_eu_macro - madm, math.invm and math.rsqtm: numbers whose exponent is wider.
//
// Function  What the compiler divides and takes roots with. An operand is one of a thread's eight
//           mme registers, or a general register's number; the sum of a product is exact, then
//           rounded once, to the precision of its type alone if an mme register takes it. The
//           general register gets what fits into it. invm and rsqtm give a start value of 24
//           bits (igpu_math); zeros, infinities and NaN give the whole result, and early_o.
// Timing    One channel at a time: 13 clocks, of a start value 25; results are not held.
// Contract  valid_i: taken while ready_o. Exponents of mme registers have 16 bits. clear_i: a
//           thread begins, its mme registers are zero. math_clk_i is clk_i; a simulator may
//           leave out its clocks while no math was offered for 50 clocks.
// Reset     rst_ni low, synchronous: empty.
// Model     csim/emu/emu_math.c, emu_num.c  Tests: tests/cosim/test_values, test_values_programs
// Source    docs/develop/eu.md#macros

`default_nettype none
`include "igpu_fpu.vh"
`include "igpu_math.vh"

module igpu_eu_macro #(
    parameter THREADS = 8,
    parameter TW      = 3
) (
    input  wire          clk_i,
    input  wire          math_clk_i,
    input  wire          rst_ni,
    input  wire          clear_i,
    input  wire [TW-1:0] clear_thread_i,
    input  wire          valid_i,          // a channel:
    output wire          ready_o,
    input  wire          math_i,           // ... invm or rsqtm, not madm
    input  wire          root_i,           // ... rsqtm
    input  wire          wide_i,           // ... double floats
    input  wire [15:0]   mme_i,            // ... as IGPU_INST_MME
    input  wire [5:0]    mod_i,
    input  wire [1:0]    rnd_i,
    input  wire [TW-1:0] thread_i,
    input  wire [3:0]    lane_i,
    input  wire [191:0]  src_i,            // sources 2, 1, 0
    output wire          valid_o,          // a result
    output wire [63:0]   result_o,
    output wire          early_o
);

    localparam [3:0] IDLE = 4'd0, READ0 = 4'd1, READ1 = 4'd2, READ2 = 4'd3, READ3 = 4'd4,
                     MULTIPLY = 4'd5, ALIGN = 4'd6, ADD = 4'd7, NORMAL = 4'd8, SHIFT = 4'd9,
                     ROUND = 4'd10, DONE = 4'd11, START = 4'd12, WAIT = 4'd13;
    localparam EW = 18;
    localparam NW = 3 + EW + 53;           // {class, sign, exponent, mantissa}
    localparam RW = 3 + 16 + 53;

    reg [3:0]    step_q;
    reg          math_q, root_q, wide_q, trim_q, early_q;
    reg [15:0]   mme_q;
    reg [5:0]    mod_q;
    reg [1:0]    rnd_q;
    reg [TW-1:0] thread_q;
    reg [3:0]    lane_q;
    reg [191:0]  src_q;

    assign ready_o = step_q == IDLE;
    assign valid_o = step_q == DONE;
    assign early_o = early_q;

    // ---- mme registers -----------------------------------------------------------
    reg [RW-1:0] mme_m [0:(THREADS << 7)-1];
    reg [127:0]  there_m [0:THREADS-1];    // those that were written
    reg [RW-1:0] read_q;
    reg          there_q;

    // Which source is read now: step READ0 is source 0.
    wire [1:0]   which = step_q[1:0] - READ0[1:0];
    wire [3:0]   number = which == 2'd0 ? mme_q[7:4] : which == 2'd1 ? mme_q[11:8] : mme_q[15:12];
    wire [127:0] there = there_m[thread_q];
    reg          was_mme_q;

    always @(posedge clk_i) begin
        read_q    <= mme_m[{thread_q, number[2:0], lane_q}];
        there_q   <= there[{number[2:0], lane_q}];
        was_mme_q <= !number[3];
    end

    // ---- a number from its bits ------------------------------------------------------
    function [5:0] zeros53;
        input [52:0] x;
        integer      i;
        begin
            zeros53 = 6'd53;
            for (i = 0; i < 53; i = i + 1)
                if (x[i])
                    zeros53 = 6'd52 - i[5:0];
        end
    endfunction

    // Source of the clock before, whose mme register has been read.
    wire [1:0]     came = which - 2'd1;
    wire [63:0]    bits   = came == 2'd0 ? src_q[63:0] : came == 2'd1 ? src_q[127:64]
                                                                          : src_q[191:128];
    wire [1:0]     mods   = came == 2'd0 ? mod_q[1:0] : came == 2'd1 ? mod_q[3:2] : mod_q[5:4];
    wire [10:0]    biased = wide_q ? bits[62:52] : {3'd0, bits[30:23]};
    wire [51:0]    frac   = wide_q ? bits[51:0] : {bits[22:0], 29'd0};
    wire           top    = wide_q ? biased == 11'h7ff : biased == 11'h0ff;
    wire [52:0]    raw    = {biased != 11'd0, frac};
    reg  [5:0]     up;
    wire [EW-1:0]  bias   = wide_q ? 18'd1023 : 18'd127;
    wire [EW-1:0]  low    = {{(EW-11){1'b0}}, biased == 11'd0 ? 11'd1 : biased} - bias;
    reg  [NW-1:0]  found;

    // Only in its step; else nothing moves here.
    always @* begin
        up = 6'd0;
        if (step_q >= READ1 && step_q <= READ3)
            up = zeros53(raw);
    end

    always @* begin
        found[NW-3:0] = {1'b0, low - {{(EW-6){1'b0}}, up}, raw << up};
        found[NW-3]   = wide_q ? bits[63] : bits[31];
        found[NW-1 -: 2] = top && frac == 52'd0 ? `IGPU_CLS_INF :
                           top                  ? `IGPU_CLS_NAN :
                           raw == 53'd0         ? `IGPU_CLS_ZERO : `IGPU_CLS_FINITE;
        if (was_mme_q)
            found = there_q ? {read_q[RW-1 -: 3], {(EW-16){read_q[68]}}, read_q[68:0]}
                            : {NW{1'b0}};
        found[NW-3] = (found[NW-3] && !mods[0]) ^ mods[1];
    end

    reg [NW-1:0] x_q, y_q, z_q;            // sources 0, 1, 2

    // ---- product and sum ----------------------------------------------------------------
    wire [1:0]    xc = x_q[NW-1 -: 2], yc = y_q[NW-1 -: 2], zc = z_q[NW-1 -: 2];
    wire          xs = x_q[NW-3], ys = y_q[NW-3], zs = z_q[NW-3];
    wire signed [EW-1:0] xe = x_q[53 +: EW], ye = y_q[53 +: EW], ze = z_q[53 +: EW];

    reg  [1:0]    class_q, pclass_q;
    reg           sign_q, psign_q, negative_q;
    reg  signed [EW-1:0] exp_q;
    reg  [127:0]  m_q, n_q;
    reg  signed [EW-1:0] pexp_q;
    reg  [105:0]  product;

    always @* begin
        product = 106'd0;
        if (step_q == MULTIPLY)
            product = y_q[52:0] * z_q[52:0];
    end

    // x / 2 ** by, of which what falls off makes the lowest bit 1.
    function [127:0] jam;
        input [127:0]  x;
        input [EW-1:0] by;
        reg   [127:0]  moved;
        begin
            moved = by >= 18'd128 ? 128'd0 : x >> by[6:0];
            jam   = {moved[127:1], moved[0] || (by >= 18'd128 ? x != 128'd0
                                                              : x != moved << by[6:0])};
        end
    endfunction

    wire          product_leads = pexp_q >= xe;
    wire signed [EW-1:0] apart = product_leads ? pexp_q - xe : xe - pexp_q;
    wire [127:0]  addend = {x_q[52:0], 75'd0};

    function [7:0] zeros128;
        input [127:0] x;
        integer       i;
        begin
            zeros128 = 8'd128;
            for (i = 0; i < 128; i = i + 1)
                if (x[i])
                    zeros128 = 8'd127 - i[7:0];
        end
    endfunction

    reg  [7:0]    lead;

    always @* begin
        lead = 8'd0;
        if (step_q == NORMAL)
            lead = zeros128(m_q);
    end

    wire          sum_nan = pclass_q == `IGPU_CLS_NAN || xc == `IGPU_CLS_NAN ||
                            (pclass_q == `IGPU_CLS_INF && xc == `IGPU_CLS_INF && psign_q != xs);

    // ---- rounding -----------------------------------------------------------------------
    wire signed [EW-1:0] emax = wide_q ? 18'sd1023 : 18'sd127;
    wire signed [EW-1:0] emin = wide_q ? -18'sd1022 : -18'sd126;
    wire [53:0]   kept  = wide_q ? {1'b0, m_q[127:75]} : {30'd0, m_q[127:104]};
    wire          half  = wide_q ? m_q[74] : m_q[103];
    wire          below = wide_q ? m_q[73:0] != 74'd0 : m_q[102:0] != 103'd0;
    reg           rises;

    always @* begin
        case (rnd_q)
        `IGPU_RNE: rises = half && (below || kept[0]);
        `IGPU_RTP: rises = (half || below) && !sign_q;
        `IGPU_RTN: rises = (half || below) && sign_q;
        default:   rises = 1'b0;
        endcase
    end

    wire [53:0]   sum     = kept + {53'd0, rises};
    wire          carries = wide_q ? sum[53] : sum[24];
    wire [52:0]   trimmed = carries ? {1'b1, 52'd0} : wide_q ? sum[52:0] : {sum[23:0], 29'd0};
    wire signed [EW-1:0] texp = exp_q + {{(EW-1){1'b0}}, carries};

    // ... and as bits of the type.
    wire [63:0]   infinity = wide_q ? 64'h7ff0_0000_0000_0000 : 64'h7f80_0000;
    wire [EW-1:0] steps  = exp_q - emin;
    wire [63:0]   placed = {10'd0, sum} + (exp_q < emin ? 64'd0 : wide_q ? {1'b0, steps[10:0], 52'd0}
                                                                : {33'd0, steps[7:0], 23'd0});
    wire          beyond = exp_q > emax + 18'sd1 || placed >= infinity;
    wire          to_max = rnd_q == `IGPU_RTZ || (rnd_q == `IGPU_RTP && sign_q) ||
                           (rnd_q == `IGPU_RTN && !sign_q);
    reg  [63:0]   value, value_q;

    always @* begin
        case (class_q)
        `IGPU_CLS_NAN:  value = wide_q ? 64'h7ff8_0000_0000_0000 : 64'h7fc0_0000;
        `IGPU_CLS_INF:  value = infinity;
        `IGPU_CLS_ZERO: value = 64'd0;
        default:        value = !beyond ? placed : to_max ? infinity - 64'd1 : infinity;
        endcase
        if (class_q != `IGPU_CLS_NAN && sign_q)
            value = value | (wide_q ? 64'h8000_0000_0000_0000 : 64'h8000_0000);
    end

    assign result_o = value_q;

    // ---- start values -----------------------------------------------------------------------
    wire [NW-1:0] of     = root_q ? x_q : y_q;
    wire          starts = root_q ? xc == `IGPU_CLS_FINITE && !xs
                                  : xc == `IGPU_CLS_FINITE && yc == `IGPU_CLS_FINITE;
    wire          odd    = of[53];
    wire          unit_ready, unit_valid;
    wire [31:0]   unit_result;
    wire [5:0]    unit_flags;
    wire [`IGPU_MATH_TAG_W-1:0] unit_tag;

    igpu_math #(.LANES(1)) u_math (
        .clk_i(math_clk_i), .half_clk_i(1'b0), .rst_ni(rst_ni), .valid_i(step_q == START && starts),
        .ready_o(unit_ready), .fn_i({3'b111, root_q}), .half_i(1'b0), .signed_i(1'b0),
        .round_i(2'd0), .flush_i(1'b0), .x_i(of[52:21]), .y_i({31'd0, root_q && odd}),
        .tag_i({`IGPU_MATH_TAG_W{1'b0}}), .valid_o(unit_valid), .result_o(unit_result),
        .flags_o(unit_flags), .tag_o(unit_tag));

    // ---- steps -----------------------------------------------------------------------------------
    wire to_mme = !mme_q[3];

    always @(posedge clk_i) begin
        if (!rst_ni)
            step_q <= IDLE;
        else
            case (step_q)
            IDLE:    step_q <= valid_i ? READ0 : IDLE;
            READ3:   step_q <= math_q ? START : MULTIPLY;
            START:   step_q <= starts ? WAIT : SHIFT;
            WAIT:    step_q <= unit_valid ? NORMAL : WAIT;
            ROUND:   step_q <= trim_q ? SHIFT : DONE;
            DONE:    step_q <= IDLE;
            default: step_q <= step_q + 4'd1;
            endcase
    end

    always @(posedge clk_i) begin
        case (step_q)
        IDLE: if (valid_i) begin
            {math_q, root_q, wide_q} <= {math_i, root_i, wide_i};
            {mme_q, mod_q, rnd_q}    <= {mme_i, mod_i, rnd_i};
            {thread_q, lane_q}       <= {thread_i, lane_i};
            src_q   <= src_i;
            early_q <= 1'b0;
            trim_q  <= !mme_i[3];
        end
        READ1: x_q <= found;
        READ2: y_q <= found;
        READ3: z_q <= found;
        START: begin
            early_q <= !starts;
            sign_q  <= root_q ? (starts ? 1'b0 : xs) : starts ? ys : xs ^ ys;
            exp_q   <= root_q ? -{xe[EW-1], xe[EW-1:1]} : -ye; // half of it, rounded down
            class_q <= root_q ? (xc == `IGPU_CLS_NAN || (xs && xc != `IGPU_CLS_ZERO)
                                     ? `IGPU_CLS_NAN : xc) :
                       starts ? `IGPU_CLS_FINITE :
                       xc == `IGPU_CLS_NAN || yc == `IGPU_CLS_NAN || xc == yc ? `IGPU_CLS_NAN :
                       xc == `IGPU_CLS_INF || yc == `IGPU_CLS_ZERO ? `IGPU_CLS_INF
                                                                   : `IGPU_CLS_ZERO;
        end
        WAIT: m_q <= {unit_result[24:0], 103'd0};
        MULTIPLY: begin
            psign_q  <= ys ^ zs;
            pexp_q   <= ye + ze + {{(EW-1){1'b0}}, product[105]};
            n_q      <= product[105] ? {product, 22'd0} : {product[104:0], 23'd0};
            pclass_q <= yc == `IGPU_CLS_NAN || zc == `IGPU_CLS_NAN ||
                        (yc == `IGPU_CLS_INF && zc == `IGPU_CLS_ZERO) ||
                        (yc == `IGPU_CLS_ZERO && zc == `IGPU_CLS_INF) ? `IGPU_CLS_NAN :
                        yc == `IGPU_CLS_INF || zc == `IGPU_CLS_INF    ? `IGPU_CLS_INF :
                        yc == `IGPU_CLS_ZERO || zc == `IGPU_CLS_ZERO  ? `IGPU_CLS_ZERO
                                                                      : `IGPU_CLS_FINITE;
        end
        ALIGN: begin
            class_q    <= `IGPU_CLS_FINITE;
            sign_q     <= psign_q;
            exp_q      <= pexp_q;
            m_q        <= n_q;
            n_q        <= 128'd0;
            negative_q <= 1'b0;
            if (sum_nan)
                class_q <= `IGPU_CLS_NAN;
            else if (pclass_q == `IGPU_CLS_INF || xc == `IGPU_CLS_INF) begin
                class_q <= `IGPU_CLS_INF;
                sign_q  <= pclass_q == `IGPU_CLS_INF ? psign_q : xs;
            end else if (pclass_q == `IGPU_CLS_ZERO && xc == `IGPU_CLS_ZERO) begin
                class_q <= `IGPU_CLS_ZERO;
                sign_q  <= psign_q == xs ? xs : rnd_q == `IGPU_RTN;
            end else if (pclass_q == `IGPU_CLS_ZERO) begin
                {sign_q, exp_q, m_q} <= {xs, xe, addend};
            end else if (xc != `IGPU_CLS_ZERO) begin
                negative_q <= psign_q != xs;
                sign_q     <= product_leads ? psign_q : xs;
                exp_q      <= (product_leads ? pexp_q : xe) + 18'sd1;
                m_q        <= (product_leads ? n_q : addend) >> 1;
                n_q        <= jam(product_leads ? addend : n_q, apart + 18'sd1);
            end
        end
        ADD: begin
            m_q <= !negative_q ? m_q + n_q : m_q >= n_q ? m_q - n_q : n_q - m_q;
            if (negative_q && m_q == n_q) begin
                class_q <= `IGPU_CLS_ZERO;
                sign_q  <= rnd_q == `IGPU_RTN;
            end else if (negative_q && m_q < n_q)
                sign_q <= !sign_q;
        end
        NORMAL: begin
            m_q   <= m_q << lead[6:0];
            exp_q <= exp_q - {{(EW-8){1'b0}}, lead};
        end
        // The type's own precision, or the denormal's.
        SHIFT: if (!trim_q && exp_q < emin)
            m_q <= jam(m_q, emin - exp_q);
        ROUND: begin
            value_q <= value;
            trim_q  <= 1'b0;
            if (trim_q && class_q == `IGPU_CLS_FINITE) begin
                m_q   <= {trimmed, 75'd0};
                exp_q <= texp;
            end
        end
        default: value_q <= value_q;
        endcase
    end

    // ---- writing -----------------------------------------------------------------------------------
    wire           writes = step_q == ROUND && trim_q && to_mme;
    wire [127:0]   spot   = 128'd1 << {mme_q[2:0], lane_q};

    always @(posedge clk_i) begin
        if (writes)
            mme_m[{thread_q, mme_q[2:0], lane_q}] <= {class_q, sign_q, texp[15:0], trimmed};
    end

    always @(posedge clk_i) begin
        if (clear_i)
            there_m[clear_thread_i] <= 128'd0;
        else if (writes)
            there_m[thread_q] <= there | spot;
    end

    wire unused = &{1'b0, unit_ready, unit_result[31:25], unit_flags, unit_tag, of, steps};

endmodule

`default_nettype wire
