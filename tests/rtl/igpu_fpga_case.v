// igpu_fpga_case - random cases: the bare tile against igpu_fpga_top.
//
// A case is a random kernel with random timing registers. First the bare tile runs it
// with a host that is never late, and everything it does is written down, tokens and
// results. Then igpu_fpga_top gets the same tokens and runs, each stream stalled at
// random for itself, and must make the same records with the same stamps.
// Cannot find: a fault of the tile itself, or one that delays all of a run equally.

`default_nettype none
`include "igpu_regs.vh"
`include "igpu_fpu.vh"

module igpu_fpga_case #(
    parameter EUS   = 1,
    parameter CASES = 4,
    parameter SEED  = 1
) (
    output reg done_o,
    output reg ok_o
);
    localparam N = `IGPU_NOW_W;
    localparam U = `IGPU_UOP_W;
    localparam L = `IGPU_LEN_W;
    localparam AW = 6, UOPS = 1 << AW, RUN_AW = 1, THREADS = 24, MOST = 8192;
    localparam EW = N + 9*EUS, RW = N + (16 + 4*U)*EUS;

    integer seed, errors, i, j, k;
    reg clk, rst_n;
    initial clk = 1'b0;
    always #5 clk = !clk;

    function automatic integer dice(input integer least, input integer most);
        dice = least + $unsigned($random(seed)) % (most - least + 1);
    endfunction
    function automatic chance(input integer percent);
        chance = dice(0, 99) < percent;
    endfunction

    // ---- the kernel and the paths ----
    integer case_no;
    reg [127:0]             need [0:UOPS-1], set [0:UOPS-1];
    reg [7:0]               need_x [0:UOPS-1], set_x [0:UOPS-1];
    reg [`IGPU_UCTL_W-1:0]  uctl [0:UOPS-1];
    integer most_eus, most_threads;

    function [31:0] mix(input integer thread, input integer number);
        reg [31:0] x;
        begin
            x = thread * 32'd2654435761 + number * 32'd40503 + case_no * 32'd97 + SEED;
            x = (x ^ (x >> 15)) * 32'd2246822519;
            x = (x ^ (x >> 13)) * 32'd3266489917;
            mix = x ^ (x >> 16);
        end
    endfunction
    function integer runs_of(input integer thread);
        runs_of = 1 + mix(thread, 1000) % 10;
    endfunction
    // {last, length, first}: the last run ends at the EOT in UOPS - 1.
    function [U+L:0] run_of(input integer thread, input integer number);
        reg [31:0] h;
        reg [L-1:0] len;
        reg [U-1:0] pc;
        begin
            h = mix(thread, number);
            len = 1 + h[2:0];
            pc = h[31:8] % (UOPS - 1 - 8);
            if (number + 1 == runs_of(thread))
                pc = UOPS - len;
            run_of = {number + 1 == runs_of(thread), len, pc};
        end
    endfunction

    function [127:0] few_bits(input integer count);
        integer b;
        begin
            few_bits = 128'd0;
            for (b = 0; b < count; b = b + 1)
                few_bits[dice(0, 15) * 8] = 1'b1;
        end
    endfunction

    task make_kernel;
        reg [1:0] unit;
        reg [3:0] cls, flags;
        reg [4:0] rlen, payload;
        reg [1:0] dst;
        reg [3:0] exec_grfs, dst_grfs, conflicts;
        reg writes;
        for (i = 0; i < UOPS; i = i + 1) begin
            unit = dice(0, 3);
            cls = 4'd0;
            flags = 4'd0;
            case (unit)
                `IGPU_UNIT_FPU_ANY: cls = dice(0, 1);
                `IGPU_UNIT_FPU1:    cls = dice(2, 7);
                `IGPU_UNIT_SEND:    cls = `IGPU_CLASS_MSG;
                default:            cls = dice(8, 9);
            endcase
            if (unit == `IGPU_UNIT_SEND)       // {WB, GATE, PORT, EOT}
                flags = chance(20) ? 4'b1100 : chance(70) ? 4'b1010 : 4'b0010;
            writes = flags[3] || unit < `IGPU_UNIT_SEND;
            set[i] = writes ? few_bits(dice(1, 2)) : 128'd0;
            set_x[i] = (writes && chance(30)) ? (8'd1 << dice(0, 7)) : 8'd0;
            need[i] = set[i] | few_bits(dice(0, 2));
            need_x[i] = set_x[i] | (chance(20) ? (8'd1 << dice(0, 7)) : 8'd0);
            if (i == UOPS - 1) begin
                unit = `IGPU_UNIT_SEND;
                cls = `IGPU_CLASS_MSG;
                flags = 4'b0001;
                {need[i], need_x[i], set[i], set_x[i]} = {{136{1'b1}}, 136'd0};
            end
            rlen = flags[3] ? dice(0, 8) : 0;
            payload = dice(1, 5);
            dst = dice(0, 2);
            exec_grfs = dice(1, 4);
            dst_grfs = dice(1, 4);
            conflicts = dice(0, 2);
            uctl[i] = {chance(10), flags, rlen, payload, dst, conflicts, dst_grfs, exec_grfs, cls,
                       unit};
        end
    endtask

    // ---- the bare tile ----
    reg                decide, ce, restart, cfg_we, store_we;
    reg  [N-1:0]       now;
    reg  [6:0]         cfg_addr, cfg_data;
    reg  [AW-1:0]      store_addr;
    reg                start_v, done_v, done_credit, done_wb;
    reg  [4:0]         start_bslot;
    reg  [2:0]         done_eu, done_slot;
    reg  [U-1:0]       done_uop, open_pc;
    reg  [L-1:0]       open_len;
    reg  [U*EUS-1:0]   run_pc, next_pc;
    reg  [L*EUS-1:0]   run_len, next_len;
    reg  [U-1:0]       first_pc;               // runs of the next cycle
    reg  [L-1:0]       first_len;
    wire               open_v, msg_v;
    wire [2:0]         open_eu, open_slot, msg_eu, msg_slot;
    wire [EUS-1:0]     next;
    wire [3*EUS-1:0]   next_slot;
    wire [U-1:0]       msg_uop;
    wire [7:0]         ends;
    wire [23:0]        end_slot;
    wire [39:0]        end_bslot;
    wire [4*EUS-1:0]   ret;
    wire [12*EUS-1:0]  ret_slot;
    wire [4*U*EUS-1:0] ret_uop;

    igpu_tile #(.EUS(EUS), .STORE_DEPTH(UOPS), .STORE_AW(AW)) u_tile (
        .clk_i(clk), .rst_ni(rst_n), .eval_i(decide), .ce_i(ce),
        .restart_i(restart), .now_i(now),
        .cfg_we_i(cfg_we), .cfg_addr_i(cfg_addr), .cfg_data_i(cfg_data),
        .store_we_i(store_we), .store_addr_i(store_addr),
        .store_need_lo_i(need[store_addr][63:0]),
        .store_need_hi_i(need[store_addr][127:64]), .store_need_x_i(need_x[store_addr]),
        .store_set_lo_i(set[store_addr][63:0]), .store_set_hi_i(set[store_addr][127:64]),
        .store_set_x_i(set_x[store_addr]), .store_uctl_i(uctl[store_addr]),
        .start_valid_i(start_v), .start_thread_i(32'd0), .start_bslot_i(start_bslot),
        .open_valid_o(open_v), .open_eu_o(open_eu), .open_slot_o(open_slot),
        .open_thread_o(), .open_bslot_o(), .open_pc_i(open_pc), .open_len_i(open_len),
        .open_wait_i(8'd0), .run_wait_i({8*EUS{1'b0}}),
        .next_o(next), .next_slot_o(next_slot), .next_uop_o(), .run_pc_i(run_pc),
        .run_len_i(run_len), .done_valid_i(done_v), .done_eu_i(done_eu),
        .done_slot_i(done_slot), .done_uop_i(done_uop), .done_credit_i(done_credit),
        .done_wb_i(done_wb), .msg_valid_o(msg_v), .msg_eu_o(msg_eu),
        .msg_slot_o(msg_slot), .msg_uop_o(msg_uop), .end_o(ends),
        .end_slot_o(end_slot), .end_bslot_o(end_bslot), .ret_valid_o(ret),
        .ret_slot_o(ret_slot), .ret_uop_o(ret_uop), .fpu_clk_i(1'b0),
        .fpu_op_i({2*`IGPU_FPU_IN_W*EUS{1'b0}}), .fpu_res_o());

    // ---- what it did: tokens in, records out ----
    reg [N+4:0]   start_log [0:MOST-1];       // {bslot, cycle}
    reg [N+U+7:0] done_log [0:MOST-1];        // {wb, credit, eu, slot, uop, cycle}
    reg [N+5:0]   open_log [0:MOST-1];
    reg [N+U+5:0] msg_log [0:MOST-1];
    reg [EW-1:0]  end_log [0:MOST-1];
    reg [RW-1:0]  ret_log [0:MOST-1];
    integer starts, dones, opens, msgs, endings, rets, ended;
    integer thread_of [0:63], at_run [0:63];
    reg [N-1:0] wait_at [0:255];
    reg [U+5:0] wait_msg [0:255];
    reg         wait_v [0:255];
    integer waiting, idle;
    reg [EW-1:0] end_word;
    reg [RW-1:0] ret_word;

    // Fields of EUs and units that did nothing are zero in a log.
    function [EW-1:0] end_masked(input [EW-1:0] w);
        integer e;
        begin
            end_masked = w;
            for (e = 0; e < EUS; e = e + 1)
                if (!w[N + e]) begin
                    end_masked[N + EUS + 3*e +: 3] = 3'd0;
                    end_masked[N + 4*EUS + 5*e +: 5] = 5'd0;
                end
        end
    endfunction
    function [RW-1:0] ret_masked(input [RW-1:0] w);
        integer e;
        begin
            ret_masked = w;
            for (e = 0; e < 4*EUS; e = e + 1)
                if (!w[N + e]) begin
                    ret_masked[N + 4*EUS + 3*e +: 3] = 3'd0;
                    ret_masked[N + 16*EUS + U*e +: U] = {U{1'b0}};
                end
        end
    endfunction

    task tile_inputs;
        begin
            start_v = starts < THREADS && starts - ended < most_eus * most_threads &&
                      chance(30);
            start_bslot = dice(0, 31);
            if (start_v) begin
                start_log[starts] = {start_bslot, now};
                starts = starts + 1;
            end
            done_v = 1'b0;
            for (i = 0; i < 256 && waiting != 0 && !done_v; i = i + 1)
                if (wait_v[i] && wait_at[i] <= now) begin
                    done_v = 1'b1;
                    wait_v[i] = 1'b0;
                    waiting = waiting - 1;
                    {done_eu, done_slot, done_uop} = wait_msg[i];
                    done_wb = uctl[done_uop[AW-1:0]][33];
                    done_credit = uctl[done_uop[AW-1:0]][31];
                    done_log[dones] = {done_wb, done_credit, wait_msg[i], now};
                    dones = dones + 1;
                end
        end
    endtask

    task tile_outputs;
        reg last;
        begin
            if (open_v) begin
                open_log[opens] = {open_slot, open_eu, now};
                thread_of[8*open_eu + open_slot] = opens;
                at_run[8*open_eu + open_slot] = 1;
                {last, first_len, first_pc} = run_of(opens, 0);
                opens = opens + 1;
            end
            next_len = {L*EUS{1'b0}};
            for (i = 0; i < EUS; i = i + 1)
                if (next[i]) begin
                    k = 8*i + next_slot[3*i +: 3];
                    if (at_run[k] < runs_of(thread_of[k])) begin
                        {last, next_len[L*i +: L], next_pc[U*i +: U]} =
                            run_of(thread_of[k], at_run[k]);
                        at_run[k] = at_run[k] + 1;
                    end
                end
            if (msg_v) begin
                msg_log[msgs] = {msg_uop, msg_slot, msg_eu, now};
                msgs = msgs + 1;
                for (i = 0; wait_v[i]; i = i + 1) ;
                wait_v[i] = 1'b1;
                wait_at[i] = now + dice(1, chance(20) ? 90 : 12);
                wait_msg[i] = {msg_eu, msg_slot, msg_uop};
                waiting = waiting + 1;
            end
            end_word = end_masked({end_bslot[5*EUS-1:0], end_slot[3*EUS-1:0],
                                   ends[EUS-1:0], now});
            if (ends != 8'd0) begin
                end_log[endings] = end_word;
                endings = endings + 1;
            end
            for (i = 0; i < 8; i = i + 1)
                if (ends[i])
                    ended = ended + 1;
            ret_word = ret_masked({ret_uop, ret_slot, ret, now});
            if (ret != {4*EUS{1'b0}}) begin
                ret_log[rets] = ret_word;
                rets = rets + 1;
            end
        end
    endtask

    task run_tile;
        begin
            {starts, dones, opens, msgs, endings, rets, ended, waiting, idle} = 0;
            for (i = 0; i < 256; i = i + 1)
                wait_v[i] = 1'b0;
            while (idle < 20 && rets < MOST - 1 && now - case_base < 30000) begin
                @(negedge clk);
                ce = 1'b0;
                decide = 1'b1;
                @(negedge clk);
                decide = 1'b0;
                ce = 1'b1;
                tile_inputs;
                #1 tile_outputs;
                @(posedge clk);
                #1 now = now + 1;
                {open_pc, open_len, run_pc, run_len} =
                    {first_pc, first_len, next_pc, next_len};
                if (ended == THREADS && waiting == 0)
                    idle = idle + 1;
            end
            @(negedge clk);
            ce = 1'b0;
            start_v = 1'b0;
            done_v = 1'b0;
        end
    endtask

`include "tests/rtl/igpu_fpga_case_host.vh"

endmodule

`default_nettype wire
