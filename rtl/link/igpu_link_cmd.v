// igpu_link_cmd - the host's commands, carried out one after the other.
//
// Function  Decodes command words (igpu_link.vh) into writes of registers, stores and
//           queues. A command that writes into the array (a redirect too) holds until its clock
//           has run once (en_i), one that reads counters until they were read.
// Timing    A word a clock at most.
// Contract  The host keeps to docs/develop/fpga.md: what is sent fits the queues. Unknown
//           commands are skipped as words.
// Reset     rst_ni low, synchronous: no command; the base is cycle 0.
// Tests     tests/cosim/test_fpga.c
// Source    docs/develop/fpga.md#commands

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_eu.vh"
`include "igpu_link.vh"
`include "igpu_regs.vh"

module igpu_link_cmd #(
    parameter TILES    = 3,
    parameter STORE_AW = 9
) (
    input  wire                     clk_i,
    input  wire                     rst_ni,
    input  wire                     valid_i,       // a command word
    input  wire [31:0]              data_i,
    output wire                     ready_o,
    input  wire                     en_i,          // the array's clock runs
    output reg                      launch_q,      // for the array
    output reg  [`IGPU_NOW_W-1:0]   launch_now_q,
    output reg  [31:0]              launch_threads_q,
    output reg  [5:0]               launch_tpg_q,
    output reg                      launch_pinned_q,
    output reg  [6:0]               launch_slm_q,
    output reg                      cfg_we_q,
    output reg  [6:0]               cfg_addr_q,
    output reg  [7:0]               cfg_data_q,
    output reg                      store_we_q,
    output reg  [STORE_AW-1:0]      store_addr_q,
    output reg  [1:0]               store_kind_q,
    output reg  [`IGPU_SET_W-1:0]   store_set_q,
    output reg  [`IGPU_NEED_W-1:0]  store_need_q,
    output reg  [`IGPU_UCTL_W-1:0]  store_uctl_q,
    output reg  [TILES-1:0]         done_q,        // a DONE for this tile
    output reg  [27:0]              done_data_q,
    output reg  [`IGPU_NOW_W-1:0]   base_q,        // its cycle; of all that is relative
    output reg                      run_q,         // a further run
    output reg  [8:0]               run_slot_q,    // {tile, EU, slot}; of a redirect too
    output reg  [30:0]              run_data_q,    // {last, hit, its bits}
    output reg                      first_q,       // a thread's first run
    output reg  [2:0]               first_tile_q,
    output reg  [28:0]              first_run_q,
    output reg                      redir_q,       // ... or where a branch leads
    output reg                      wait_q,        // the answer to an ask
    output reg  [7:0]               wait_data_q,   // ... or of first_run_q
    output reg                      limit_q,       // run up to base + limit_more
    output reg  [27:0]              limit_more_q,
    output reg  [15:0]              limit_seen_q,  // messages that the host knows
    output reg                      look_q,        // a kind's lookahead
    output reg  [1:0]               look_kind_q,
    output reg  [11:0]              look_cycles_q,
    output reg                      count_q,       // read all counters
    input  wire                     counted_i      // that was done
);

    localparam [7:0] ZERO = 8'd0;

    reg  [3:0] cmd_q;                              // whose words follow
    reg  [7:0] left_q;                             // so many
    wire       held = (launch_q || cfg_we_q || store_we_q || redir_q) && !en_i;
    wire       take = valid_i && ready_o;
    wire [3:0] cmd  = data_i[`IGPU_LINK_TAG];
    wire [16:0] index = data_i[`IGPU_LINK_STORE_INDEX];
    wire       head = take && left_q == ZERO;
    wire       body = take && left_q != ZERO;
    wire       last = body && left_q == 8'd1;

    assign ready_o = !launch_q && !cfg_we_q && !store_we_q && !redir_q && !count_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            left_q <= ZERO;
        end else if (head) begin
            cmd_q <= cmd;
            case (cmd)
                `IGPU_LINK_CMD_STORE:  left_q <= 8'd4;
                `IGPU_LINK_CMD_LAUNCH: left_q <= 8'd3;
                `IGPU_LINK_CMD_RUN:    left_q <= data_i[`IGPU_LINK_RUN_WORDS];
                `IGPU_LINK_CMD_FIRST,
                `IGPU_LINK_CMD_REDIR:  left_q <= 8'd1;
                `IGPU_LINK_CMD_LIMIT:  left_q <= 8'd1;
                default:               left_q <= ZERO;
            endcase
        end else if (body) begin
            left_q <= left_q - 8'd1;
        end
    end

    // ---- strobes ----
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {launch_q, cfg_we_q, store_we_q, redir_q} <= 4'd0;
        end else if (!held) begin
            launch_q   <= last && cmd_q == `IGPU_LINK_CMD_LAUNCH;
            cfg_we_q   <= head && cmd == `IGPU_LINK_CMD_CFG;
            store_we_q <= last && cmd_q == `IGPU_LINK_CMD_STORE;
            redir_q    <= last && cmd_q == `IGPU_LINK_CMD_REDIR;
        end
        run_q   <= rst_ni && body && cmd_q == `IGPU_LINK_CMD_RUN;
        first_q <= rst_ni && last && cmd_q == `IGPU_LINK_CMD_FIRST;
        limit_q <= rst_ni && last && cmd_q == `IGPU_LINK_CMD_LIMIT;
        wait_q  <= rst_ni && head && cmd == `IGPU_LINK_CMD_WAIT;
        look_q  <= rst_ni && head && cmd == `IGPU_LINK_CMD_LOOK;
        count_q <= rst_ni && ((head && cmd == `IGPU_LINK_CMD_COUNT) ||
                              (count_q && !counted_i));
        done_q  <= {TILES{1'b0}};
        if (rst_ni && head && cmd == `IGPU_LINK_CMD_DONE)
            done_q <= {{(TILES-1){1'b0}}, 1'b1} << data_i[`IGPU_LINK_TILE];
    end

    // ---- words ----
    always @(posedge clk_i) begin
        if (head) begin
            if (cmd == `IGPU_LINK_CMD_CFG)
                {cfg_addr_q, cfg_data_q} <= {data_i[`IGPU_LINK_CFG_ADDR],
                                             data_i[`IGPU_LINK_CFG_DATA]};
            if (cmd == `IGPU_LINK_CMD_STORE) begin
                store_kind_q <= data_i[`IGPU_LINK_STORE_KIND];
                store_addr_q <= index[STORE_AW-1:0];
            end
            if (cmd == `IGPU_LINK_CMD_LAUNCH)
                {launch_slm_q, launch_pinned_q, launch_tpg_q} <=
                    {data_i[`IGPU_LINK_LAUNCH_SLM], data_i[`IGPU_LINK_LAUNCH_PINNED],
                     data_i[`IGPU_LINK_LAUNCH_TPG]};
            if (cmd == `IGPU_LINK_CMD_DONE)
                done_data_q <= data_i[`IGPU_LINK_REST];
            if (cmd == `IGPU_LINK_CMD_RUN || cmd == `IGPU_LINK_CMD_REDIR)
                run_slot_q <= data_i[`IGPU_LINK_PLACE];
            if (cmd == `IGPU_LINK_CMD_FIRST)
                first_tile_q <= data_i[`IGPU_LINK_TILE];
            if (cmd == `IGPU_LINK_CMD_FIRST || cmd == `IGPU_LINK_CMD_REDIR ||
                cmd == `IGPU_LINK_CMD_WAIT)
                wait_data_q <= data_i[`IGPU_LINK_WAIT];
            if (cmd == `IGPU_LINK_CMD_LIMIT)
                limit_more_q <= data_i[`IGPU_LINK_REST];
            if (cmd == `IGPU_LINK_CMD_LOOK)
                {look_kind_q, look_cycles_q} <= {data_i[`IGPU_LINK_LOOK_KIND],
                                                 data_i[`IGPU_LINK_LOOK_CYCLES]};
        end
        if (body) begin
            if (cmd_q == `IGPU_LINK_CMD_STORE)
                case (left_q)
                    8'd4:    {store_uctl_q[`IGPU_UCTL_W-1:32], store_set_q} <=
                                 {data_i[`IGPU_LINK_STORE_HIGH], data_i[`IGPU_LINK_STORE_SET]};
                    8'd3:    store_need_q[31:0] <= data_i;
                    8'd2:    store_need_q[`IGPU_NEED_W-1:32] <= data_i[`IGPU_NEED_W-33:0];
                    default: store_uctl_q[31:0] <= data_i;
                endcase
            if (cmd_q == `IGPU_LINK_CMD_LAUNCH)
                case (left_q)
                    8'd3:    launch_threads_q <= data_i;
                    8'd2:    launch_now_q[31:0] <= data_i;
                    default: launch_now_q[`IGPU_NOW_W-1:32] <= data_i[`IGPU_NOW_W-33:0];
                endcase
            if (cmd_q == `IGPU_LINK_CMD_RUN)
                run_data_q <= {data_i[`IGPU_LINK_RUN_LAST], data_i[`IGPU_LINK_RUN_HIT],
                               data_i[`IGPU_LINK_RUN_BITS]};
            if (cmd_q == `IGPU_LINK_CMD_FIRST || cmd_q == `IGPU_LINK_CMD_REDIR)
                first_run_q <= data_i[`IGPU_LINK_RUN_BITS];
            if (cmd_q == `IGPU_LINK_CMD_LIMIT)
                limit_seen_q <= data_i[`IGPU_LINK_LIMIT_SEEN];
        end
        if (!rst_ni)
            base_q <= {`IGPU_NOW_W{1'b0}};
        else if (launch_q)
            base_q <= launch_now_q;
        else if (head && cmd == `IGPU_LINK_CMD_AT)
            base_q <= base_q + {{(`IGPU_NOW_W-28){1'b0}}, data_i[`IGPU_LINK_REST]};
    end

    wire unused = &{1'b0, index};

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, !(head && (cmd == `IGPU_LINK_CMD_DONE || cmd == `IGPU_LINK_CMD_RUN ||
                                    cmd == `IGPU_LINK_CMD_FIRST)) ||
                         {29'd0, data_i[`IGPU_LINK_TILE]} < TILES, "a command's tile was built")
    `IGPU_REQUIRE(clk_i, !(launch_q || cfg_we_q || store_we_q || redir_q || count_q) || !take,
                  "no word is taken while a command holds")

endmodule

`default_nettype wire
