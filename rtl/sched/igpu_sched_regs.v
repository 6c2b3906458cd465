// igpu_sched_regs - run-time parameters of the dispatchers and the send arbiter.
//
// Function  Holds gpu.subslices, eu.count, eu.threads, disp.* and dp.queue.
// Timing    A register written at t is used from t + 1 on.
// Contract  Written only between launches; values in range.
// Reset     rst_ni low, synchronous: the defaults of params.def.
// Tests     tests/cosim/test_one_sided.c (every parameter matters)
// Source    csim/include/igpu/params.def

`default_nettype none
`include "igpu_assert.vh"
`include "igpu_params.vh"
`include "igpu_regs.vh"

module igpu_sched_regs #(
    parameter TILES = 3,               // subslices built
    parameter EUS   = 8                // EUs built in each
) (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       cfg_we_i,        // write a register
    input  wire [`IGPU_ADDR_W-1:0] cfg_addr_i,  // IGPU_REG_*
    input  wire [`IGPU_CFG_W-1:0]  cfg_data_i,
    output reg  [`IGPU_GPU_SUBSLICES_W-1:0] subslices_o, // subslices in use
    output reg  [`IGPU_EU_COUNT_W-1:0]   eus_o,     // EUs in use of each,
    output reg  [`IGPU_EU_THREADS_W-1:0] threads_o, // thread slots in use of each EU
    output reg  [`IGPU_DP_QUEUE_W-1:0]   queue_o,   // messages of a tile outside its EUs
    output reg        oldest_o,        // units take the oldest thread
    output reg  [5:0] eu_slots_o,      // thread slots of a subslice
    output reg  [`IGPU_DISP_INTERVAL_W-1:0] interval_o,  // cycles between dispatches
    output reg  [`IGPU_DISP_START_LATENCY_W-1:0] start_latency_o, // cycles
    output reg  [`IGPU_DISP_END_LATENCY_W-1:0]   end_latency_o,   // cycles
    output reg  [`IGPU_DISP_BARRIERS_W-1:0] barriers_o,  // barrier slots of a subslice
    output reg  [`IGPU_DISP_SLM_KB_W-1:0]   slm_kb_o,    // SLM of a subslice
    output reg  [`IGPU_DISP_POLICY_W-1:0]   policy_o     // which subslice: IGPU_CHOOSE_*
);

    integer i;

    // eus_o x threads_o. Of `*` Yosys makes one multiplier with that of a dispatcher's SLM,
    // which is needed at other times, and the choice between them was the longest path.
    always @* begin
        eu_slots_o = 6'd0;
        for (i = 0; i < `IGPU_EU_THREADS_W; i = i + 1)
            if (threads_o[i])
                eu_slots_o = eu_slots_o + ({2'd0, eus_o} << i);
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            subslices_o     <= TILES[`IGPU_GPU_SUBSLICES_W-1:0];
            eus_o           <= EUS[`IGPU_EU_COUNT_W-1:0];
            threads_o       <= `IGPU_EU_THREADS;
            oldest_o        <= 1'b0;
            queue_o         <= `IGPU_DP_QUEUE;
            interval_o      <= `IGPU_DISP_INTERVAL;
            start_latency_o <= `IGPU_DISP_START_LATENCY;
            end_latency_o   <= `IGPU_DISP_END_LATENCY;
            barriers_o      <= `IGPU_DISP_BARRIERS;
            slm_kb_o        <= `IGPU_DISP_SLM_KB;
            policy_o        <= `IGPU_DISP_POLICY;
        end else if (cfg_we_i) begin
            case (cfg_addr_i)
                `IGPU_REG_SUBSLICES:     subslices_o     <= cfg_data_i[`IGPU_GPU_SUBSLICES_W-1:0];
                `IGPU_REG_EU_COUNT:      eus_o           <= cfg_data_i[`IGPU_EU_COUNT_W-1:0];
                `IGPU_REG_EU_THREADS:    threads_o       <= cfg_data_i[`IGPU_EU_THREADS_W-1:0];
                `IGPU_REG_ARBITER:       oldest_o        <= cfg_data_i[0];
                `IGPU_REG_DP_QUEUE:      queue_o         <= cfg_data_i[`IGPU_DP_QUEUE_W-1:0];
                `IGPU_REG_INTERVAL:      interval_o      <= cfg_data_i[`IGPU_DISP_INTERVAL_W-1:0];
                `IGPU_REG_START_LATENCY:
                    start_latency_o <= cfg_data_i[`IGPU_DISP_START_LATENCY_W-1:0];
                `IGPU_REG_END_LATENCY:
                    end_latency_o   <= cfg_data_i[`IGPU_DISP_END_LATENCY_W-1:0];
                `IGPU_REG_BARRIERS:      barriers_o      <= cfg_data_i[`IGPU_DISP_BARRIERS_W-1:0];
                `IGPU_REG_SLM_KB:        slm_kb_o        <= cfg_data_i[`IGPU_DISP_SLM_KB_W-1:0];
                `IGPU_REG_DISP_POLICY:   policy_o        <= cfg_data_i[`IGPU_DISP_POLICY_W-1:0];
                default: ;
            endcase
        end
    end

    `IGPU_CONTRACT(clk_i, rst_ni)
    `IGPU_REQUIRE(clk_i, subslices_o != 0 && {29'd0, subslices_o} <= TILES,
                  "gpu.subslices is 1 to TILES")
    `IGPU_REQUIRE(clk_i, eus_o != 0 && {28'd0, eus_o} <= EUS, "eu.count is 1 to EUS")
    `IGPU_REQUIRE(clk_i, threads_o != 0, "eu.threads is 1 to 7")
    `IGPU_REQUIRE(clk_i, queue_o != 0 && queue_o <= 64, "dp.queue is 1 to 64")
    `IGPU_REQUIRE(clk_i, start_latency_o != 0 && end_latency_o != 0,
                  "disp.start_latency and disp.end_latency are 1 or more")
    `IGPU_REQUIRE(clk_i, barriers_o <= 16 && slm_kb_o <= 64,
                  "disp.barriers is at most 16, disp.slm_kb 64")
    `IGPU_REQUIRE(clk_i, policy_o <= `IGPU_CHOOSE_LEAST, "disp.policy has three values")

endmodule

`default_nettype wire
