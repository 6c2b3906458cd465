// igpu_assert.vh - a module's Contract line as assertions, beside the logic.
//
// IGPU_CONTRACT(clk, rst_n)       the contract counts from the first reset on, not during
//                                 one; once in a module, before IGPU_REQUIRE
// IGPU_CONTRACT_NO_RESET(clk)     ... of a module without a reset: from its 33rd clock on
// IGPU_REQUIRE(clk, cond, text)   cond holds at each edge of clk
// IGPU_HOLDS(cond, text)          cond, of outputs by inputs, holds always
// IGPU_BUILT(cond, text)          cond, of parameters, holds
// IGPU_PAST(name, w, clk, value)  for these: name is value of the clock before, w bits
// IGPU_KEPT(name, w, clk, when, value)  ... value of the last clock in which when was 1
// IGPU_SHADOW(items)              ... any other items; commas only within parentheses
//
// In a product and in synthesis all of them are nothing. With FORMAL (Yosys' read_verilog
// -formal) they are assertions to prove. With IGPU_ASSERT, in tests, a simulation ends with
// the file (so the module), the instance and the text of the contract that was broken; X
// breaks what IGPU_REQUIRE says. There the contract counts from 16 clocks after the first
// reset's beginning on: a reset may be shorter than the pipeline around the module, which
// holds anything until then. No semicolon stands behind these macros.
//
// No guard against being included twice: Icarus 11 fails on macros with arguments that one
// file has from another.

`ifdef FORMAL
`define IGPU_CHECKED
`define IGPU_ENSURE(cond, text) assert (cond);
`define IGPU_CONTRACT(clk, rst_n) \
    reg contract_q = 1'b0; \
    wire contract_on = contract_q && rst_n; \
    always @(posedge clk) contract_q <= contract_q || !(rst_n);
`elsif IGPU_ASSERT
`define IGPU_CHECKED
`define IGPU_ENSURE(cond, text) \
    assert (cond) else $fatal(1, "contract broken: %0s", text);
`define IGPU_CONTRACT(clk, rst_n) \
    reg [4:0] contract_q = 5'd0; \
    wire contract_on = contract_q[4] && rst_n; \
    always @(posedge clk) \
        if (!contract_q[4] && (contract_q != 5'd0 || !(rst_n))) contract_q <= contract_q + 5'd1;
`else
`define IGPU_CONTRACT(clk, rst_n)
`endif

`ifdef IGPU_CHECKED
`define IGPU_CONTRACT_NO_RESET(clk) \
    reg [5:0] contract_q = 6'd0; \
    wire contract_on = contract_q[5]; \
    always @(posedge clk) if (!contract_on) contract_q <= contract_q + 6'd1;
`define IGPU_REQUIRE(clk, cond, text) \
    always @(posedge clk) if (contract_on) begin `IGPU_ENSURE(cond, text) end
`define IGPU_BUILT(cond, text) initial begin `IGPU_ENSURE(cond, text) end
`define IGPU_PAST(name, w, clk, value) \
    reg [(w)-1:0] name; \
    always @(posedge clk) name <= value;
`define IGPU_KEPT(name, w, clk, when, value) \
    reg [(w)-1:0] name; \
    always @(posedge clk) if (when) name <= value;
`define IGPU_SHADOW(items) items
`else
`define IGPU_CONTRACT_NO_RESET(clk)
`define IGPU_REQUIRE(clk, cond, text)
`define IGPU_BUILT(cond, text)
`define IGPU_PAST(name, w, clk, value)
`define IGPU_KEPT(name, w, clk, when, value)
`define IGPU_SHADOW(items)
`endif

// In an event-driven simulation what is combinational settles before it counts.
`ifdef FORMAL
`define IGPU_HOLDS(cond, text) always @* `IGPU_ENSURE(cond, text)
`elsif IGPU_ASSERT
`ifdef VERILATOR
`define IGPU_HOLDS(cond, text) always @* `IGPU_ENSURE(cond, text)
`else
`define IGPU_HOLDS(cond, text) \
    always @(cond) begin #0; `IGPU_ENSURE((cond) !== 1'b0, text) end
`endif
`else
`define IGPU_HOLDS(cond, text)
`endif
