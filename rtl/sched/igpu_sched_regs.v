// igpu_sched_regs - run-time parameters of the global dispatcher.
//
// Function  Holds gpu.subslices, eu.count, eu.threads and disp.*.
// Timing    A register written at t is used from t + 1 on.
// Contract  Written only between launches; values in range.
// Reset     rst_ni low, synchronous: the defaults of params.def.
// Tests     tests/cosim/test_one_sided.c (every parameter matters)
// Source    csim/include/igpu/params.def

`default_nettype none
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
    output reg  [5:0] eu_slots_o,      // thread slots of a subslice
    output reg  [`IGPU_DISP_INTERVAL_W-1:0] interval_o,  // cycles between dispatches
    output reg  [`IGPU_DISP_START_LATENCY_W-1:0] start_latency_o, // cycles
    output reg  [`IGPU_DISP_END_LATENCY_W-1:0]   end_latency_o,   // cycles
    output reg  [`IGPU_DISP_BARRIERS_W-1:0] barriers_o,  // barrier slots of a subslice
    output reg  [`IGPU_DISP_SLM_KB_W-1:0]   slm_kb_o     // SLM of a subslice
);

    reg [`IGPU_EU_COUNT_W-1:0]   eus_q;
    reg [`IGPU_EU_THREADS_W-1:0] threads_q;

    integer                      i;

    // eus_q x threads_q. Of `*` Yosys makes one multiplier with that of a dispatcher's SLM,
    // which is needed at other times, and the choice between them was the longest path.
    always @* begin
        eu_slots_o = 6'd0;
        for (i = 0; i < `IGPU_EU_THREADS_W; i = i + 1)
            if (threads_q[i])
                eu_slots_o = eu_slots_o + ({2'd0, eus_q} << i);
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            subslices_o     <= TILES[`IGPU_GPU_SUBSLICES_W-1:0];
            eus_q           <= EUS[`IGPU_EU_COUNT_W-1:0];
            threads_q       <= `IGPU_EU_THREADS;
            interval_o      <= `IGPU_DISP_INTERVAL;
            start_latency_o <= `IGPU_DISP_START_LATENCY;
            end_latency_o   <= `IGPU_DISP_END_LATENCY;
            barriers_o      <= `IGPU_DISP_BARRIERS;
            slm_kb_o        <= `IGPU_DISP_SLM_KB;
        end else if (cfg_we_i) begin
            case (cfg_addr_i)
                `IGPU_REG_SUBSLICES:     subslices_o     <= cfg_data_i[`IGPU_GPU_SUBSLICES_W-1:0];
                `IGPU_REG_EU_COUNT:      eus_q           <= cfg_data_i[`IGPU_EU_COUNT_W-1:0];
                `IGPU_REG_EU_THREADS:    threads_q       <= cfg_data_i[`IGPU_EU_THREADS_W-1:0];
                `IGPU_REG_INTERVAL:      interval_o      <= cfg_data_i[`IGPU_DISP_INTERVAL_W-1:0];
                `IGPU_REG_START_LATENCY:
                    start_latency_o <= cfg_data_i[`IGPU_DISP_START_LATENCY_W-1:0];
                `IGPU_REG_END_LATENCY:
                    end_latency_o   <= cfg_data_i[`IGPU_DISP_END_LATENCY_W-1:0];
                `IGPU_REG_BARRIERS:      barriers_o      <= cfg_data_i[`IGPU_DISP_BARRIERS_W-1:0];
                `IGPU_REG_SLM_KB:        slm_kb_o        <= cfg_data_i[`IGPU_DISP_SLM_KB_W-1:0];
                default: ;
            endcase
        end
    end

endmodule

`default_nettype wire
