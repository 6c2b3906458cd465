// igpu_tile_regs - run-time parameters of a tile's dispatcher and send arbiter.
//
// Function  Holds dp.queue, eu.count and eu.threads.
// Timing    A register written at t is used from t + 1 on.
// Contract  Written only while the tile is idle; values in range.
// Reset     rst_ni low, synchronous: the defaults of params.def.
// Tests     tests/cosim/test_one_sided.c (every parameter matters)
// Source    csim/include/igpu/params.def

`default_nettype none
`include "igpu_params.vh"
`include "igpu_regs.vh"

module igpu_tile_regs #(
    parameter EUS = 8                  // EUs built; the default of eu.count
) (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       cfg_we_i,        // write a register
    input  wire [`IGPU_ADDR_W-1:0] cfg_addr_i, // IGPU_REG_*
    input  wire [`IGPU_CFG_W-1:0]  cfg_data_i,
    output reg  [`IGPU_DP_QUEUE_W-1:0]   queue_o,  // messages outside the EUs
    output reg  [`IGPU_EU_COUNT_W-1:0]   eus_o,    // EUs in use
    output reg  [`IGPU_EU_THREADS_W-1:0] threads_o // thread slots in use of each EU
);

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            queue_o   <= `IGPU_DP_QUEUE;
            eus_o     <= EUS[`IGPU_EU_COUNT_W-1:0];
            threads_o <= `IGPU_EU_THREADS;
        end else if (cfg_we_i) begin
            case (cfg_addr_i)
                `IGPU_REG_DP_QUEUE:   queue_o   <= cfg_data_i[`IGPU_DP_QUEUE_W-1:0];
                `IGPU_REG_EU_COUNT:   eus_o     <= cfg_data_i[`IGPU_EU_COUNT_W-1:0];
                `IGPU_REG_EU_THREADS: threads_o <= cfg_data_i[`IGPU_EU_THREADS_W-1:0];
                default: ;
            endcase
        end
    end

    wire unused = &{1'b0, cfg_data_i};

endmodule

`default_nettype wire
