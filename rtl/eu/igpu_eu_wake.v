// igpu_eu_wake - tells a simulator when this EU has to be evaluated next.
//
// Function  If nothing changes in this cycle and no token arrives, the state
//           stays as it is for wake_o cycles (0: for ever), and a host that
//           owns time may go there at once. An FPGA leaves wake_o unconnected,
//           and the logic disappears.
// Timing    Combinational.
// Contract  wake_o may be smaller than needed, never larger.
// Reset     No state.
// Tests     tests/rtl/igpu_eu_tb.v (skipping must not change a cycle)
// Source    docs/model.md section 1 (window)

`default_nettype none

module igpu_eu_wake (
    input  wire       change_i,     // something changes in this cycle
    input  wire       ready_i,      // a ready thread waits for a unit
    input  wire [9:0] now_i,        // low bits of the cycle, as of all that follow
    input  wire       fpu0_occ_i,   // FPU0 is occupied
    input  wire [7:0] fpu0_until_i, // until this cycle
    input  wire       fpu1_occ_i,
    input  wire [7:0] fpu1_until_i,
    input  wire       send_occ_i,
    input  wire [7:0] send_until_i,
    input  wire       hold_i,       // a thread is held by the front end
    input  wire [7:0] hold_until_i, // until this cycle
    input  wire       fpu0_busy_i,  // FPU0 has an instruction in flight
    input  wire [9:0] fpu0_at_i,    // the oldest completes in this cycle
    input  wire       fpu1_busy_i,
    input  wire [9:0] fpu1_at_i,
    input  wire       resp_busy_i,  // a response is being written
    input  wire [7:0] resp_left_i,
    output reg  [9:0] wake_o        // cycles to the next event; 0: none
);

    // The least of what is to come; 10'h3ff stands for nothing.
    reg [7:0] near, left;
    reg [9:0] all, far;
    always @* begin
        near   = 8'hff;
        left   = 8'd0;
        all    = 10'h3ff;
        far    = 10'd0;
        wake_o = 10'd1;
        if (!change_i) begin
            if (hold_i)
                near = hold_until_i - now_i[7:0];
            left = fpu0_until_i - now_i[7:0];
            if (ready_i && fpu0_occ_i && left < near)
                near = left;
            left = fpu1_until_i - now_i[7:0];
            if (ready_i && fpu1_occ_i && left < near)
                near = left;
            // A message can be granted when its payload is read.
            left = send_until_i - now_i[7:0];
            if (send_occ_i && left < near)
                near = left;
            if (resp_busy_i && resp_left_i < near)
                near = resp_left_i;
            if (near != 8'hff)
                all = {2'd0, near};
            far = fpu0_at_i - now_i;
            if (fpu0_busy_i && far < all)
                all = far;
            far = fpu1_at_i - now_i;
            if (fpu1_busy_i && far < all)
                all = far;
            wake_o = (all == 10'h3ff) ? 10'd0 : all;
        end
    end

endmodule

`default_nettype wire
