// igpu_eu_tb - one EU. First the contract's distances with one thread: open to fetch,
// front-end time, result time, send queue, end. Then a random program on seven threads
// and two EUs: one clocked twice every cycle, one only in the cycles that it names in
// wake_o and when it gets an input, and with the FPUs' datapaths; both must do the same.
// (Cycles of random programs against the contract:
// tests/cosim/test_random.c.)

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

module igpu_eu_tb;
    `include "igpu_check.vh"

    localparam [7:0] NO_X = 0;

    reg         clk = 0, rst_n = 0, lazy = 0, decide = 0, over = 0;
    reg  [47:0] now = 1000;
    reg         we = 0;
    reg  [4:0]  waddr = 0;
    reg  [63:0] need = 0, set = 0;
    reg  [7:0]  need_x = 0;
    reg  [25:0] ctl = 0;
    reg  [7:0]  dur = 1;
    reg         open = 0, done = 0, grant = 0;
    reg  [2:0]  open_slot = 0, done_slot = 0;
    reg  [16:0] open_pc = 0, run_pc = 0, done_uop = 0;
    reg  [11:0] open_len = 0, run_len = 0;
    reg  [7:0]  open_wait = 0, run_wait = 0;
    reg         misses = 0;                   // some runs wait for the instruction cache
    wire [1:0]  next, valid, port, ended;
    wire [1:0]  req = {valid[1] && now >= from[95:48], valid[0] && now >= from[47:0]};
    wire [5:0]  next_slot, msg_slot, end_slot;
    wire [33:0] next_uop, msg_uop;
    wire [7:0]  ret;
    wire [33:0] uop0, uop1, uop2, uop3;
    wire [5:0]  slot0, slot1, slot2, slot3;
    wire [95:0] wake, from;

    // The second EU has its datapaths: whatever they do, it issues as the first. FPU0
    // multiplies and adds, FPU1 inverts, while clocks > 0; the rest of their inputs is
    // random until then.
    reg                          fpu_clk = 0;
    reg  [2*`IGPU_FPU_IN_W-1:0]  fpu_op = 0;
    wire [4*`IGPU_FPU_OUT_W-1:0] fpu_res;
    integer                      fpu_clocks = 0, fpu_sums = 0, fpu_inverses = 0, w;

    task fpu_cycle;
        begin
            fpu_clocks = fpu_clocks + 1;
            for (w = 0; w < 2*`IGPU_FPU_IN_W; w = w + 32)
                fpu_op[w +: 32] = $random(seed);
            if (fpu_clocks > 60) begin
                // 0.25 + 1.5 * 2 in four slots; 1 / 4
                fpu_op[0 +: `IGPU_FPU_IN_W] = {2'b10, `IGPU_FPU_OP_MAD, `IGPU_TYPE_F,
                    {3{`IGPU_TYPE_F}}, 6'd0, 4'd0, 1'b0, 2'd0, 1'b0, 3'd0, 8'hff,
                    {4{32'h40000000}}, {4{32'h3fc00000}}, {4{32'h3e800000}}};
                fpu_op[`IGPU_FPU_IN_W +: `IGPU_FPU_IN_W] = {2'b11, 5'd1, `IGPU_TYPE_F,
                    {3{`IGPU_TYPE_F}}, 6'd0, 4'd0, 1'b0, 2'd0, 1'b0, 3'd0, 8'h0f,
                    256'd0, {4{32'h40800000}}};
            end else begin
                fpu_op[`IGPU_FPU_IN_W-1]   = 1'b0;
                fpu_op[2*`IGPU_FPU_IN_W-1] = 1'b0;
            end
            #1 fpu_clk = 1;
            #1 fpu_clk = 0;
            check(fpu_res[2*`IGPU_FPU_OUT_W-1:0] === {2*`IGPU_FPU_OUT_W{1'b0}});
            if (fpu_res[2*`IGPU_FPU_OUT_W+176] === 1'b1) begin
                check(fpu_res[2*`IGPU_FPU_OUT_W +: 128] === {4{32'h40500000}});
                fpu_sums = fpu_sums + 1;
            end
            if (fpu_res[3*`IGPU_FPU_OUT_W+311] === 1'b1) begin
                check(fpu_res[3*`IGPU_FPU_OUT_W+177 +: 128] === {4{32'h3e800000}});
                fpu_inverses = fpu_inverses + 1;
            end
        end
    endtask

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : g_eu
            wire due = i == 0 || !lazy || now >= wake[48*i +: 48];
            wire given = i == 0 || !lazy || open || done || grant;
            igpu_eu #(
                .DATAPATH(i), .STORE_DEPTH(32), .STORE_AW(5), .WAKE(1)
            ) u_eu (
                .clk_i(clk), .rst_ni(rst_n), .eval_i(decide && due), .ce_i(over && given),
                .now_i(now), .store_clk_i(clk), .store_we_i(we), .store_addr_i(waddr), .store_need_lo_i(need),
                .store_need_hi_i(64'd0), .store_need_x_i(need_x), .store_set_lo_i(set),
                .store_set_hi_i(64'd0), .store_set_x_i(NO_X), .store_ctl_i(ctl),
                .store_dur_i(dur), .open_valid_i(open), .open_slot_i(open_slot),
                .open_pc_i(open_pc), .open_len_i(open_len), .open_wait_i(open_wait), .next_o(next[i]),
                .next_slot_o(next_slot[3*i +: 3]), .next_uop_o(next_uop[17*i +: 17]),
                .run_pc_i(run_pc), .run_len_i(run_len), .run_wait_i(run_wait), .done_i(done),
                .done_slot_i(done_slot), .done_uop_i(done_uop), .msg_valid_o(valid[i]),
                .msg_from_o(from[48*i +: 48]), .msg_port_o(port[i]), .msg_slot_o(msg_slot[3*i +: 3]),
                .msg_uop_o(msg_uop[17*i +: 17]), .msg_grant_i(grant),
                .end_o(ended[i]), .end_slot_o(end_slot[3*i +: 3]),
                .ret_valid_o(ret[4*i +: 4]), .ret0_slot_o(slot0[3*i +: 3]),
                .ret0_uop_o(uop0[17*i +: 17]), .ret1_slot_o(slot1[3*i +: 3]),
                .ret1_uop_o(uop1[17*i +: 17]), .ret2_slot_o(slot2[3*i +: 3]),
                .ret2_uop_o(uop2[17*i +: 17]), .ret3_slot_o(slot3[3*i +: 3]),
                .ret3_uop_o(uop3[17*i +: 17]), .wake_o(wake[48*i +: 48]),
                .fpu_clk_i(fpu_clk), .fpu_op_i(fpu_op),
                .fpu_res_o(fpu_res[2*`IGPU_FPU_OUT_W*i +: 2*`IGPU_FPU_OUT_W]));
        end
    endgenerate

    // ---- one cycle: first the EUs decide, then what they asked for in the cycle is
    //      delivered, with the inputs that the caller has set in between ----
    integer laps [0:6];
    integer rested = 0, seed = 77;
    reg [1:0] did;        // the second EU decided in this cycle, else it shows an old one

    function [7:0] any_wait(input dummy);
        any_wait = (misses && $unsigned($random(seed)) % 3 == 0) ?
                   2 + $unsigned($random(seed)) % 254 : 0;
    endfunction

    task first_half;
        begin
            decide = 1;
            #1 did = {g_eu[1].due, 1'b1};
            #2 clk = 1;
            #1 decide = 0;
            #4 clk = 0;
            rested = rested + !did[1];
            #1;
        end
    endtask

    task second_half;
        begin
            check(did[1] ? next[0] === next[1] : !next[0]);
            check(did[1] ? ended[0] === ended[1] : !ended[0]);
            check(did[1] ? ret[3:0] === ret[7:4] : ret[3:0] === 0);
            check(req[0] === req[1]);
            check(!ret[0] || (uop0[16:0] === uop0[33:17] && slot0[2:0] === slot0[5:3]));
            check(!ret[1] || (uop1[16:0] === uop1[33:17] && slot1[2:0] === slot1[5:3]));
            check(!ret[2] || (uop2[16:0] === uop2[33:17] && slot2[2:0] === slot2[5:3]));
            check(!ret[3] || (uop3[16:0] === uop3[33:17] && slot3[2:0] === slot3[5:3]));
            if (next[0]) begin
                run_pc  <= (laps[next_slot[2:0]] == 0) ? 31 : 0;
                run_len <= (next_uop[16:0] == 31) ? 0 :
                           (laps[next_slot[2:0]] == 0) ? 1 : 31;
                laps[next_slot[2:0]] = laps[next_slot[2:0]] - 1;
                run_wait <= any_wait(0);
            end
            over = 1;
            #3 clk = 1;
            #5 clk = 0;
            over  = 0;
            now   = now + 1;
            open  = 0;
            done  = 0;
            grant = 0;
        end
    endtask

    task cycle;
        begin
            first_half;
            second_half;
        end
    endtask

    task store(input [4:0] a, input [63:0] n, input [63:0] s, input [1:0] unit,
               input eot, input is_port, input [7:0] occ, input [7:0] fe,
               input [5:0] lat);
        begin
            we    = 1;
            waddr = a;
            need  = n | s;
            set   = s;
            ctl   = {lat, fe, occ, is_port, eot, unit};
            cycle;
            we = 0;
        end
    endtask

    // Nothing issues for `n` cycles, then `units` do: in the cycle that is half over now.
    task after(input integer n, input [3:0] units);
        begin
            repeat (n) begin
                first_half;
                check(ret[3:0] === 0);
                second_half;
            end
            first_half;
            check(ret[3:0] === units);
        end
    endtask

    task start(input [2:0] s, input [16:0] pc, input [11:0] len);
        begin
            open      = 1;
            open_slot = s;
            open_pc   = pc;
            open_len  = len;
            open_wait = any_wait(0);
        end
    endtask

    // Random traffic: messages are granted and answered after random times.
    reg [19:0] wait_q [0:1023];
    integer    head = 0, tail = 0, ends = 0, k, unit, t;

    initial begin
        for (k = 0; k < 7; k = k + 1)
            laps[k] = 0;
        cycle;
        rst_n = 1;
        checks = 0;
        bad = 0;
        store(0, 0, 1, 0, 0, 0, 4, 4, 10);         // FPU: r0
        store(1, 1, 2, 0, 0, 0, 4, 6, 10);         // r0 -> r1
        store(2, 4, 4, 0, 0, 0, 2, 9, 10);         // r2, independent
        store(3, 2, 8, 2, 0, 1, 3, 3, 1);          // message: r1 -> r3
        store(4, 8, 0, 3, 0, 0, 0, 8, 0);          // branch on r3
        store(31, 0, 0, 2, 1, 0, 5, 5, 1);         // end of thread
        start(0, 0, 5);                            // this is t0 + 1
        cycle;
        after(1, 4'b0001);                         // fetched at t0 + 2, issued at + 3
        second_half;
        after(13, 4'b0001);                        // D = t + 14
        second_half;
        after(5, 4'b0001);                         // fetched at t + 5, issued at t + 6
        result("open, front-end time and result time");
        second_half;
        after(8, 4'b0100);                         // r1 was ready before: front end, 9
        check(req[0] === 0);
        second_half;
        repeat (2) begin
            first_half;
            check(req[0] === 0);
            second_half;
        end
        first_half;
        check(req[0] === 1 && port[0] === 1 && msg_uop[16:0] === 3);
        result("a message waits for its payload: not at occ - 1, at occ");
        grant = 1;
        second_half;
        first_half;
        check(req[0] === 0);
        second_half;
        repeat (20)
            cycle;
        done      = 1;
        done_slot = 0;
        done_uop  = 3;
        dur       = 1;
        first_half;
        check(ret[3:0] === 0);
        second_half;
        after(0, 4'b1000);                         // D = c + 1 with dur 1
        result("a response of one cycle frees its thread in the next");
        second_half;
        after(7, 4'b0100);                         // branch's fe 8, then the end
        check(ended[0] === 1 && end_slot[2:0] === 0);
        second_half;
        laps[0] = 0;
        start(0, 0, 1);
        cycle;
        after(1, 4'b0001);                         // not held by the last thread's end
        result("a slot's next thread is not held by the end before");
        second_half;
        repeat (40)
            cycle;
        start(1, 0, 1);
        open_wait = 6;
        cycle;
        after(6, 4'b0001);                         // fetched at t0 + 1 + 6
        result("a run waits for the instruction cache, to the cycle");
        second_half;

        // ---- random ----
        repeat (40)
            cycle;
        rst_n = 0;
        cycle;
        repeat (12)
            fpu_cycle;
        rst_n = 1;
        for (k = 0; k < 31; k = k + 1) begin
            unit = $random(seed) & 7;
            unit = (unit < 4) ? 0 : unit - 4;
            dur  = 1 + ($random(seed) & 3);
            store(k, 64'd1 << ($random(seed) & 7),
                  (unit == 3) ? 64'd0 : 64'd1 << ($random(seed) & 7), unit, 0, 1,
                  1 + ($random(seed) & 7), 2 + ($random(seed) & 15),
                  1 + ($random(seed) & 31));
        end
        lazy = 1;
        misses = 1;
        for (k = 0; k < 7; k = k + 1) begin
            laps[k] = 20;
            start(k, 0, 31);
            cycle;
            repeat ($random(seed) & 15)
                cycle;
        end
        for (t = 0; t < 60000 && ends < 7; t = t + 1) begin
            first_half;
            if (req[0] && ($random(seed) & 3) == 0) begin
                grant = 1;
                wait_q[tail % 1024] = {msg_slot[2:0], msg_uop[16:0]};
                tail = tail + 1;
            end
            if (head != tail && ($random(seed) & 15) == 0) begin
                done = 1;
                {done_slot, done_uop} = wait_q[head % 1024];
                head = head + 1;
            end
            ends = ends + ended[0];
            second_half;
            if (t < 300)
                fpu_cycle;
        end
        check(ends == 7 && tail > 100 && rested > t / 20);
        result("an EU clocked only when it has something to do does the same");
        check(fpu_sums > 200 && fpu_inverses > 40);
        result("its FPUs compute, and that changes no cycle");
        $finish;
    end
endmodule

`default_nettype wire
