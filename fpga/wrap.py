#!/usr/bin/env python3
"""wrap.py PORTS.json [PORT...] - a top pnr_top that puts the module dut between registers.

PORTS.json is Yosys' write_json of the module. Inputs come from a shift register,
outputs go through two ranks of registers into one bit: whatever the ports, three pins.
A PORT that is named is left out: an input is 0, an output open.
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    modules = json.load(file)["modules"]
m = next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
pins, ins, outs = [], 0, 0
for port, p in m["ports"].items():
    n = len(p["bits"])
    if port.endswith("clk_i"):
        pins.append(f".{port}(clk)")
    elif port in sys.argv[2:]:
        pins.append(f".{port}({n}'d0)" if p["direction"] == "input" else f".{port}()")
    elif p["direction"] == "input":
        pins.append(f".{port}(in[{ins} +: {n}])")
        ins += n
    else:
        pins.append(f".{port}(res[{outs} +: {n}])")
        outs += n
print(f"""module pnr_top (input clk, input bit_i, output reg bit_o);
    reg [{ins - 1}:0] in;
    wire [{outs - 1}:0] res;
    reg [{outs - 1}:0] kept;
    always @(posedge clk) begin
        in <= {{in, bit_i}};
        kept <= res;
        bit_o <= kept[0];
        if (in[0]) kept <= {{kept[{outs - 2}:0], kept[{outs - 1}]}};
    end
    dut u_dut ({', '.join(pins)});
endmodule""")
