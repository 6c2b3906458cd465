// igpu_eu_arf - flags, addresses, control and state of all threads.
//
// Function  f0 and f1, a0, cr0.0 and sr0 of the thread that is looked at; written by results,
//           which change single bytes or, of flags, single bits, and by whoever starts a
//           thread. What is written to n0 is nowhere: the gateway counts.
// Timing    Shown in the same clock; written at its end.
// Contract  Threads are below THREADS. Nobody looks at a register of a thread that is
//           written in the same clock: it has one instruction at a time.
// Reset     None: a thread's registers are written before it starts.
// Tests     tests/cosim/test_values_forms
// Source    docs/develop/eu.md#registers

`default_nettype none
`include "igpu_isa.vh"
`include "igpu_values.vh"

module igpu_eu_arf #(
    parameter THREADS = 8,
    parameter TW      = 3
) (
    input  wire          clk_i,
    input  wire [TW-1:0] thread_i,     // that is looked at
    output wire [63:0]   flags_o,      // {f1, f0}
    output wire [255:0]  addr_o,       // a0
    output wire [31:0]   ctrl_o,       // cr0.0
    output wire [127:0]  state_o,      // sr0
    input  wire [TW-1:0] wthread_i,    // whose registers results write
    input  wire          we_i,         // a result is one:
    input  wire [3:0]    warf_i,       // ... IGPU_ARF_
    input  wire          wreg_i,       // ... of flags: which
    input  wire [255:0]  wdata_i,
    input  wire [31:0]   wbyte_i,      // ... its bytes
    input  wire          fwe_i,        // a result's conditions
    input  wire          freg_i,
    input  wire [31:0]   fmask_i,      // ... their bits of the register
    input  wire [31:0]   fset_i,
    input  wire          poke_i,       // from outside, whole registers
    input  wire [2:0]    poke_kind_i,  // IGPU_POKE_
    input  wire [TW-1:0] poke_thread_i,
    input  wire [255:0]  poke_data_i
);

    reg [63:0]  flag_m [0:THREADS-1];
    reg [255:0] addr_m [0:THREADS-1];
    reg [31:0]  ctrl_m [0:THREADS-1];
    reg [127:0] state_m [0:THREADS-1];

    assign flags_o = flag_m[thread_i];
    assign addr_o  = addr_m[thread_i];
    assign ctrl_o  = ctrl_m[thread_i];
    assign state_o = state_m[thread_i];

    // ---- flags -------------------------------------------------------------------
    wire [63:0] old   = flag_m[wthread_i];
    wire        moved = we_i && warf_i == `IGPU_ARF_FLAG;
    wire [31:0] bits  = {{8{wbyte_i[3]}}, {8{wbyte_i[2]}}, {8{wbyte_i[1]}}, {8{wbyte_i[0]}}};
    reg  [63:0] flags;

    always @* begin
        flags = old;
        if (moved && !wreg_i)
            flags[31:0]  = (old[31:0] & ~bits) | (wdata_i[31:0] & bits);
        if (moved && wreg_i)
            flags[63:32] = (old[63:32] & ~bits) | (wdata_i[31:0] & bits);
        if (fwe_i && !freg_i)
            flags[31:0]  = (flags[31:0] & ~fmask_i) | (fset_i & fmask_i);
        if (fwe_i && freg_i)
            flags[63:32] = (flags[63:32] & ~fmask_i) | (fset_i & fmask_i);
    end

    always @(posedge clk_i) begin
        if (poke_i && poke_kind_i == `IGPU_POKE_FLAG)
            flag_m[poke_thread_i] <= poke_data_i[63:0];
        else if (moved || fwe_i)
            flag_m[wthread_i] <= flags;
    end

    // ---- a0, cr0, sr0 ----------------------------------------------------------------
    wire         addr_we = we_i && warf_i == `IGPU_ARF_ADDR;
    wire         ctrl_we = we_i && warf_i == `IGPU_ARF_CTRL;
    wire [255:0] old_addr = addr_m[wthread_i];
    reg  [255:0] addr;
    integer      i;

    always @* begin
        addr = old_addr;
        for (i = 0; i < 32; i = i + 1)
            if (addr_we && wbyte_i[i])
                addr[8*i +: 8] = wdata_i[8*i +: 8];
    end

    always @(posedge clk_i) begin
        if (poke_i && poke_kind_i == `IGPU_POKE_ADDR)
            addr_m[poke_thread_i] <= poke_data_i;
        else if (addr_we)
            addr_m[wthread_i] <= addr;
    end

    always @(posedge clk_i) begin
        if (poke_i && poke_kind_i == `IGPU_POKE_CTRL)
            ctrl_m[poke_thread_i] <= poke_data_i[31:0];
        else if (ctrl_we)
            ctrl_m[wthread_i] <= (ctrl_m[wthread_i] & ~bits) | (wdata_i[31:0] & bits);
    end

    always @(posedge clk_i) begin
        if (poke_i && poke_kind_i == `IGPU_POKE_STATE)
            state_m[poke_thread_i] <= poke_data_i[127:0];
    end

endmodule

`default_nettype wire
