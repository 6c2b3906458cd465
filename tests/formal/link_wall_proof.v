// What igpu_link_wall must do in any state it can reach: three clocks after a mark, until
// the host says that it has seen it, the limit is not behind the mark's cycle + lookahead.
// The mark is any one of all. Nor is it ever behind the host's own limit; and where no mark
// is unseen it is that limit, so time does not stand without need.
module link_wall_proof (
    input wire        clk,
    input wire        rst_n,
    input wire        start,           // a launch
    input wire [47:0] start_now,
    input wire        limit,
    input wire [47:0] limit_now,
    input wire [15:0] seen,
    input wire        look,
    input wire [1:0]  look_kind,
    input wire [11:0] look_cycles,
    input wire        mark,
    input wire [47:0] mark_now,
    input wire [1:0]  mark_kind,
    input wire        choose           // follow this mark
);
    (* keep *) wire [47:0] host_q, wall_q, new_q, looks_q; // joined to u_dut's
    (* keep *) wire        walled_q, mark_q;
    (* keep *) wire [15:0] marks_q;
    wire [47:0] out;

    igpu_link_wall u_dut (
        .clk_i(clk), .rst_ni(rst_n), .begin_i(start), .launch_now_i(start_now),
        .limit_i(limit), .limit_now_i(limit_now), .limit_seen_i(seen), .look_i(look),
        .look_kind_i(look_kind), .look_cycles_i(look_cycles), .mark_i(mark),
        .mark_now_i(mark_now), .mark_kind_i(mark_kind), .limit_q(out));

    reg  [47:0] looks, host, past_host, wall;
    reg  [15:0] marks, known, number;  // so far; of which the host knows; the one followed
    reg         open, past_mark;       // it is followed, and the host has not seen it
    reg  [1:0]  age;
    wire [11:0] ahead = looks[12*mark_kind +: 12];
    wire        news = limit && seen == marks;     // it knows of all

    always @* begin
        // no host knows of a mark before it was told, nor less than it knew
        assume (!limit || (seen <= marks && seen >= known && !(past_mark && seen == marks)));
        assume (marks != 16'hffff);
        assume (!mark_now[47]);
        if (live) begin
            assert (!open || age != 2'd3 || out <= wall);
            assert (out <= past_host);
            assert (!past_all || out == past_host);
            // the block's state is the model's
            assert (looks_q == looks && host_q == host && marks_q == marks);
            assert (known <= marks && (known != marks || !past_mark));
            assert (!mark_q || past_mark);
            assert (!open || (number < marks && number >= known));
            assert (!open || age != 2'd1 || (mark_q && new_q == wall));
            assert (!open || age < 2'd2 || (walled_q && wall_q <= wall));
            assert (!open || age != 2'd0);
            assert (!(known == marks) || (!walled_q && !mark_q));
        end
    end

    reg past_all;                      // a clock ago the host knew of all marks

    always @(posedge clk) begin
        past_all <= known == marks;
        looks    <= live ? looks : looks_q;    // lookaheads have no reset
        if (look)
            looks[12*look_kind +: 12] <= look_cycles;
        if (!rst_n || start) begin
            host      <= rst_n ? start_now : 48'd0;
            past_host <= rst_n ? start_now : 48'd0;
            marks     <= 16'd0;
            known     <= 16'd0;
            open      <= 1'b0;
            past_mark <= 1'b0;
            past_all  <= 1'b1;
        end else begin
            past_host <= host;
            past_mark <= mark;
            if (limit)
                {host, known} <= {limit_now, seen};
            if (mark)
                marks <= marks + 16'd1;
            if (mark && choose && ahead != 12'd0) begin
                open   <= 1'b1;
                wall   <= mark_now + ahead;
                number <= marks;
                age    <= 2'd1;
            end else begin
                if (limit && seen > number)
                    open <= 1'b0;
                if (age != 2'd3)
                    age <= age + 2'd1;
            end
        end
    end
    // Nothing is promised before the first reset, and so it is with u_dut's contract.
    (* keep *) wire contract;          // joined to u_dut.contract_q
    reg live;
    initial live = 1'b0;
    always @(posedge clk) live <= live || !rst_n;
    always @* assert (contract == live);
endmodule
