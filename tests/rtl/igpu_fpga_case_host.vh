// igpu_fpga_case_host.vh - second half of igpu_fpga_case: the top and its host.

    // ---- the top ----
    reg          reg_we;
    reg  [7:0]   reg_addr;
    reg  [31:0]  reg_data;
    wire [31:0]  reg_read;
    reg          ts_v, td_v, tr_v, open_r, take_r, msg_r, end_r, ret_r;
    wire         ts_r, td_r, tr_r, to_v, tt_v, tm_v, te_v, tx_v;
    reg  [2:0]   tr_eu, tr_slot;
    reg  [U+L:0] tr_run, first;
    wire [N+5:0] to_d;
    wire [4*EUS-1:0] tt_d;
    wire [N+U+5:0] tm_d;
    wire [EW-1:0] te_d;
    wire [RW-1:0] tx_d;
    integer      si, di, oi, mi, ei, xi;     // tokens given, records taken
    reg  [N+4:0] ts;
    reg  [N+U+7:0] td;

    igpu_fpga_top #(.EUS(EUS), .STORE_AW(AW), .RUN_AW(RUN_AW), .START_AW(2),
                    .DONE_AW(2), .OUT_AW(1), .RETIRE(1)) u_top (
        .clk_i(clk), .rst_ni(rst_n), .reg_we_i(reg_we), .reg_addr_i(reg_addr),
        .reg_data_i(reg_data), .reg_data_o(reg_read),
        .start_valid_i(ts_v), .start_ready_o(ts_r), .start_cycle_i(ts[N-1:0]),
        .start_bslot_i(ts[N +: 5]), .start_pc_i(first[U-1:0]),
        .start_len_i(first[U +: L]), .start_last_i(first[U+L]),
        .done_valid_i(td_v), .done_ready_o(td_r), .done_cycle_i(td[N-1:0]),
        .done_eu_i(td[N+U+3 +: 3]), .done_slot_i(td[N+U +: 3]),
        .done_uop_i(td[N +: U]), .done_credit_i(td[N+U+6]), .done_wb_i(td[N+U+7]),
        .run_valid_i(tr_v), .run_ready_o(tr_r), .run_eu_i(tr_eu), .run_slot_i(tr_slot),
        .run_pc_i(tr_run[U-1:0]), .run_len_i(tr_run[U +: L]), .run_last_i(tr_run[U+L]),
        .open_valid_o(to_v), .open_ready_i(open_r), .open_cycle_o(to_d[N-1:0]),
        .open_eu_o(to_d[N +: 3]), .open_slot_o(to_d[N+3 +: 3]),
        .take_valid_o(tt_v), .take_ready_i(take_r), .take_eu_o(tt_d[EUS-1:0]),
        .take_slot_o(tt_d[EUS +: 3*EUS]),
        .msg_valid_o(tm_v), .msg_ready_i(msg_r), .msg_cycle_o(tm_d[N-1:0]),
        .msg_eu_o(tm_d[N +: 3]), .msg_slot_o(tm_d[N+3 +: 3]), .msg_uop_o(tm_d[N+6 +: U]),
        .end_valid_o(te_v), .end_ready_i(end_r), .end_cycle_o(te_d[N-1:0]),
        .end_eu_o(te_d[N +: EUS]), .end_slot_o(te_d[N+EUS +: 3*EUS]),
        .end_bslot_o(te_d[N+4*EUS +: 5*EUS]),
        .ret_valid_o(tx_v), .ret_ready_i(ret_r), .ret_cycle_o(tx_d[N-1:0]),
        .ret_unit_o(tx_d[N +: 4*EUS]), .ret_slot_o(tx_d[N+4*EUS +: 12*EUS]),
        .ret_uop_o(tx_d[N+16*EUS +: 4*U*EUS]));

    task wrong(input [8*32-1:0] what, input integer number);
        begin
            errors = errors + 1;
            if (errors < 5)
                $display("# EUS=%0d case %0d host clock %0d: %0s, number %0d",
                         EUS, case_no, host, what, number);
        end
    endtask

    task write_reg(input [7:0] addr, input [31:0] data);
        begin
            @(negedge clk);
            reg_we = 1'b1;
            reg_addr = addr;
            reg_data = data;
            @(negedge clk);
            reg_we = 1'b0;
        end
    endtask
    task write_cycle(input [7:0] addr, input [N-1:0] cycle);
        begin
            write_reg(8'h90, {16'd0, cycle[N-1:32]});
            write_reg(addr, cycle[31:0]);
        end
    endtask
    task expect_reg(input [7:0] addr, input [31:0] data, input [31:0] mask);
        begin
            @(negedge clk);
            reg_addr = addr;
            #1 if ((reg_read & mask) !== (data & mask))
                wrong("register reads wrong", addr);
        end
    endtask

    // A timing register of both tiles.
    task configure(input [6:0] addr, input [6:0] data);
        begin
            cfg_addr = addr;
            cfg_data = data;
            cfg_we = 1'b1;
            write_reg({1'b0, addr}, {25'd0, data});
            cfg_we = 1'b0;
        end
    endtask

    task load_kernel;
        for (k = 0; k < UOPS; k = k + 1) begin
            for (j = 0; j < 4; j = j + 1) begin
                write_reg(8'h80 + j, need[k][32*j +: 32]);
                write_reg(8'h84 + j, set[k][32*j +: 32]);
            end
            write_reg(8'h88, {16'd0, set_x[k], need_x[k]});
            write_reg(8'h89, uctl[k][31:0]);
            write_reg(8'h8a, {29'd0, uctl[k][34:32]});
            store_addr = k;
            store_we = 1'b1;
            write_reg(8'h8b, k);
            store_we = 1'b0;
        end
    endtask

    // ---- the host: every stream at its own pace ----
    integer host, p_start, p_done, p_run, p_limit, p_open, p_take, p_msg, p_end, p_ret;
    integer owner [0:63], given [0:63], room [0:63];
    integer stops_limit, stops_run, stops_full;
    reg [N-1:0] limit, safe, last_cycle;
    reg         high_step;

    task host_tokens;
        begin
            ts_v = si < starts && chance(p_start);
            ts = start_log[si];
            first = run_of(si, 0);
            td_v = di < dones && chance(p_done);
            td = done_log[di];
            tr_v = 1'b0;
            if (chance(p_run)) begin
                k = dice(0, 63);
                for (i = 0; i < 64 && !tr_v; i = i + 1) begin
                    j = (k + i) % 64;
                    if (owner[j] >= 0 && room[j] > 0 && given[j] < runs_of(owner[j])) begin
                        tr_v = 1'b1;
                        tr_eu = j / 8;
                        tr_slot = j % 8;
                        tr_run = run_of(owner[j], given[j]);
                    end
                end
            end
            open_r = chance(p_open);
            take_r = chance(p_take);
            msg_r = chance(p_msg);
            end_r = chance(p_end);
            ret_r = chance(p_ret);
        end
    endtask

    // Raise the limit, at most to the first token that the top has not accepted.
    task host_limit;
        begin
            safe = last_cycle;
            if (si < starts && start_log[si][N-1:0] < safe)
                safe = start_log[si][N-1:0];
            if (di < dones && done_log[di][N-1:0] < safe)
                safe = done_log[di][N-1:0];
            reg_we = 1'b0;
            if (high_step) begin
                reg_we = 1'b1;
                reg_addr = 8'h91;
                reg_data = limit[31:0];
                high_step = 1'b0;
            end else if (limit < safe && chance(p_limit)) begin
                limit = chance(60) ? safe : limit + 1 + $unsigned($random(seed)) % (safe - limit);
                reg_we = 1'b1;
                reg_addr = 8'h90;
                reg_data = {16'd0, limit[N-1:32]};
                high_step = 1'b1;
            end else begin
                reg_addr = 8'h80;
            end
        end
    endtask

    task host_take;
        begin
            if (!reg_we) begin
                stops_limit = stops_limit + reg_read[0];
                stops_run = stops_run + reg_read[1];
                stops_full = stops_full + reg_read[2];
                if (reg_read[4:3] != 2'd0)
                    wrong("a token is late", 0);
                if (reg_read[1] != (reg_read[15:8] != 8'd0))
                    wrong("status: EUs that wait", 0);
            end
            if (ts_v && ts_r)
                si = si + 1;
            if (td_v && td_r)
                di = di + 1;
            if (tr_v && !tr_r)
                wrong("run refused within room", 8*tr_eu + tr_slot);
            if (tr_v && tr_r) begin
                given[8*tr_eu + tr_slot] = given[8*tr_eu + tr_slot] + 1;
                room[8*tr_eu + tr_slot] = room[8*tr_eu + tr_slot] - 1;
            end
            if (tt_v && take_r)
                for (i = 0; i < EUS; i = i + 1)
                    if (tt_d[i]) begin
                        j = 8*i + tt_d[EUS + 3*i +: 3];
                        room[j] = room[j] + 1;
                    end
        end
    endtask

    task host_compare;
        begin
            if (to_v && open_r) begin
                if (oi >= opens || to_d !== open_log[oi])
                    wrong("open differs", oi);
                j = 8*to_d[N +: 3] + to_d[N+3 +: 3];
                owner[j] = oi;
                given[j] = 1;
                room[j] = 1 << RUN_AW;
                oi = oi + 1;
            end
            if (tm_v && msg_r) begin
                if (mi >= msgs || tm_d !== msg_log[mi])
                    wrong("MSG differs", mi);
                mi = mi + 1;
            end
            if (te_v && end_r) begin
                if (ei >= endings || end_masked(te_d) !== end_log[ei])
                    wrong("END differs", ei);
                ei = ei + 1;
            end
            if (tx_v && ret_r) begin
                if (xi >= rets || ret_masked(tx_d) !== ret_log[xi])
                    wrong("issue differs", xi);
                xi = xi + 1;
            end
        end
    endtask

    task run_top;
        integer quiet;
        begin
            {si, di, oi, mi, ei, xi, host, quiet} = 0;
            limit = case_base;
            expect_reg(8'h81, case_base[31:0], 32'hffffffff);
            expect_reg(8'h82, {16'd0, case_base[N-1:32]}, 32'hffffffff);
            high_step = 1'b0;
            for (i = 0; i < 64; i = i + 1) begin
                owner[i] = -1;
                room[i] = 0;
            end
            while (quiet < 20 && host < 60000 && errors == 0) begin
                @(negedge clk);
                host = host + 1;
                host_tokens;
                host_limit;
                #1 host_take;
                host_compare;
                if (limit == last_cycle && !high_step && !reg_we && reg_read[0] &&
                        !(to_v || tt_v || tm_v || te_v || tx_v))
                    quiet = quiet + 1;
            end
            @(negedge clk);
            {reg_we, ts_v, td_v, tr_v, open_r, take_r, msg_r, end_r, ret_r} = 9'd0;
            if (oi != opens || mi != msgs || ei != endings || xi != rets)
                wrong("records are missing", oi + mi + ei + xi);
            expect_reg(8'h81, last_cycle[31:0], 32'hffffffff);
            expect_reg(8'h82, {16'd0, last_cycle[N-1:32]}, 32'hffffffff);
        end
    endtask

    // ---- one case ----
    reg [N-1:0] case_base;

    task pace;                                // one stream in four is slow
        begin
            p_start = chance(25) ? 3 : dice(20, 100);
            p_done = chance(25) ? 3 : dice(20, 100);
            p_run = chance(25) ? 5 : dice(20, 100);
            p_limit = chance(25) ? 5 : dice(20, 100);
            p_open = chance(25) ? 3 : dice(20, 100);
            p_take = chance(25) ? 3 : dice(20, 100);
            p_msg = chance(25) ? 3 : dice(20, 100);
            p_end = chance(25) ? 3 : dice(20, 100);
            p_ret = chance(25) ? 5 : dice(20, 100);
        end
    endtask

    task set_timing;
        begin
            most_eus = dice(1, EUS);
            most_threads = chance(50) ? 7 : dice(1, 7);
            configure(`IGPU_REG_EU_COUNT, most_eus);
            configure(`IGPU_REG_EU_THREADS, most_threads);
            configure(`IGPU_REG_DP_QUEUE, chance(50) ? 64 : dice(1, 4));
            configure(`IGPU_REG_BRANCH_FE, dice(2, 9));
            configure(`IGPU_REG_RESP_GRF, dice(1, 3));
            for (k = 0; k < 8; k = k + 1) begin
                configure({1'b0, k[2:0], `IGPU_FIELD_OCC}, dice(1, 5));
                configure({1'b0, k[2:0], `IGPU_FIELD_LAT}, dice(1, 20));
            end
        end
    endtask

    task run_case;
        begin
            make_kernel;
            set_timing;
            load_kernel;
            // A launch may lie before the cycle up to which the idle tile has run;
            // one case crosses the middle of the register writes at 2^32.
            case_base = (case_no == 1) ? 48'hfffffff0 : now - dice(1, 15);
            now = case_base;
            restart = 1'b1;
            write_cycle(8'h92, case_base);
            restart = 1'b0;
            run_tile;
            last_cycle = now;
            pace;
            run_top;
        end
    endtask

    // ---- what the host may not do is seen ----
    task late_token(input is_done);
        begin
            write_cycle(8'h91, last_cycle + 100);
            repeat (220) @(negedge clk);
            ts = {5'd0, last_cycle + 48'd99};
            td = {2'b11, 6'd0, {U{1'b0}}, last_cycle + 48'd99};
            ts_v = !is_done;
            td_v = is_done;
            @(negedge clk);
            ts_v = 1'b0;
            td_v = 1'b0;
            write_cycle(8'h91, last_cycle + 200);
            expect_reg(8'h80, is_done ? 32'h10 : 32'h08, 32'h1f);
            expect_reg(8'h81, last_cycle + 100, 32'hffffffff);
            reset;
            expect_reg(8'h80, 32'h01, 32'hffff);
            last_cycle = 48'd0;
        end
    endtask

    // A slot's queue of runs takes what it should, does not block others, and a
    // launch empties it.
    task fill_runs;
        begin
            tr_eu = 3'd0;
            for (k = 0; k < 2; k = k + 1) begin
                tr_slot = 3'd3;
                tr_v = 1'b1;
                repeat (1 << RUN_AW) begin
                    #1 if (!tr_r)
                        wrong("run refused while room", k);
                    @(negedge clk);
                end
                #1 if (tr_r)
                    wrong("run taken while full", k);
                tr_v = 1'b0;
                tr_slot = 3'd2;
                #1 if (!tr_r)
                    wrong("one slot blocks another", k);
                write_cycle(8'h92, 48'd1000);
            end
        end
    endtask

    task reset;
        begin
            @(negedge clk);
            rst_n = 1'b0;
            @(negedge clk);
            rst_n = 1'b1;
        end
    endtask

    initial begin
        {done_o, ok_o} = 2'b00;
        {decide, ce, restart, cfg_we, store_we, start_v, done_v, high_step} = 8'd0;
        {reg_we, ts_v, td_v, tr_v, open_r, take_r, msg_r, end_r, ret_r} = 9'd0;
        {errors, host, stops_limit, stops_run, stops_full, case_no} = 0;
        {si, di, oi, mi, ei, xi} = 0;
        seed = SEED;
        now = 48'd100;
        reset;
        expect_reg(8'h83, {8'd0, 8'd0 + RUN_AW[7:0], AW[7:0], EUS[7:0]}, 32'hffffffff);
        for (case_no = 0; case_no < CASES && errors == 0; case_no = case_no + 1) begin
            run_case;
            $display("# EUS=%0d case %0d (seed %0d): %0d cycles, %0d issues, %0d MSG, %0d host clocks",
                     EUS, case_no, SEED, last_cycle - case_base, rets, msgs, host);
            if (msgs == 0 || ended != THREADS)
                wrong("the case shows nothing", msgs);
        end
        if (stops_limit == 0 || stops_run == 0 || stops_full == 0)
            wrong("a reason to stop never came", 0);
        late_token(1'b0);
        late_token(1'b1);
        fill_runs;
        ok_o = errors == 0;
        done_o = 1'b1;
    end
