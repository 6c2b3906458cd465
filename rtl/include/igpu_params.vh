// igpu_params.vh - generated from csim/include/igpu/params.def by `make params`.
// Of those that the RTL uses: default value (sized), and the width that holds
// the maximum. Do not edit.
`ifndef IGPU_PARAMS_VH
`define IGPU_PARAMS_VH

// gpu.subslices [subslice] 1..6
`define IGPU_GPU_SUBSLICES_W               3

// eu.count [EU per subslice] 1..8
`define IGPU_EU_COUNT_W                    4

// eu.threads [thread per EU] 1..7
`define IGPU_EU_THREADS                    3'd7
`define IGPU_EU_THREADS_W                  3

// disp.interval [cycle] 1..255
`define IGPU_DISP_INTERVAL                 8'd2
`define IGPU_DISP_INTERVAL_W               8

// disp.start_latency [cycle] 1..63
`define IGPU_DISP_START_LATENCY            6'd40
`define IGPU_DISP_START_LATENCY_W          6

// disp.end_latency [cycle] 1..63
`define IGPU_DISP_END_LATENCY              6'd32
`define IGPU_DISP_END_LATENCY_W            6

// disp.barriers [group per subslice] 1..16
`define IGPU_DISP_BARRIERS                 5'd16
`define IGPU_DISP_BARRIERS_W               5

// disp.slm_kb [KB per subslice] 1..64
`define IGPU_DISP_SLM_KB                   7'd64
`define IGPU_DISP_SLM_KB_W                 7

// disp.policy [rr|fill|least-loaded] 0..2
`define IGPU_DISP_POLICY                   2'd0
`define IGPU_DISP_POLICY_W                 2

// eu.alu32.occ [cycle per GRF] 1..63
`define IGPU_EU_ALU32_OCC                  6'd2

// eu.alu32.fe [cycle per GRF] 1..63
`define IGPU_EU_ALU32_FE                   6'd2

// eu.alu32.lat [cycle] 1..63
`define IGPU_EU_ALU32_LAT                  6'd10

// eu.alu32.lat_acc [cycle] 1..63
`define IGPU_EU_ALU32_LAT_ACC              6'd4

// eu.alu32.lat_flag [cycle] 1..63
`define IGPU_EU_ALU32_LAT_FLAG             6'd12

// eu.alu64.occ [cycle per GRF] 1..63
`define IGPU_EU_ALU64_OCC                  6'd4

// eu.alu64.fe [cycle per GRF] 1..63
`define IGPU_EU_ALU64_FE                   6'd4

// eu.alu64.lat [cycle] 1..63
`define IGPU_EU_ALU64_LAT                  6'd12

// eu.alu64.lat_acc [cycle] 1..63
`define IGPU_EU_ALU64_LAT_ACC              6'd8

// eu.alu64.lat_flag [cycle] 1..63
`define IGPU_EU_ALU64_LAT_FLAG             6'd16

// eu.df.occ [cycle per GRF] 1..63
`define IGPU_EU_DF_OCC                     6'd2

// eu.df.fe [cycle per GRF] 1..63
`define IGPU_EU_DF_FE                      6'd2

// eu.df.lat [cycle] 1..63
`define IGPU_EU_DF_LAT                     6'd12

// eu.df.lat_acc [cycle] 1..63
`define IGPU_EU_DF_LAT_ACC                 6'd8

// eu.df.lat_flag [cycle] 1..63
`define IGPU_EU_DF_LAT_FLAG                6'd16

// eu.math.occ [cycle per GRF] 1..63
`define IGPU_EU_MATH_OCC                   6'd4

// eu.math.fe [cycle per GRF] 1..63
`define IGPU_EU_MATH_FE                    6'd4

// eu.math.lat [cycle] 1..63
`define IGPU_EU_MATH_LAT                   6'd16

// eu.math2.occ [cycle per GRF] 1..63
`define IGPU_EU_MATH2_OCC                  6'd8

// eu.math2.fe [cycle per GRF] 1..63
`define IGPU_EU_MATH2_FE                   6'd4

// eu.math2.lat [cycle] 1..63
`define IGPU_EU_MATH2_LAT                  6'd24

// eu.idiv.occ [cycle per GRF] 1..63
`define IGPU_EU_IDIV_OCC                   6'd26

// eu.idiv.fe [cycle per GRF] 1..63
`define IGPU_EU_IDIV_FE                    6'd2

// eu.idiv.lat [cycle] 1..63
`define IGPU_EU_IDIV_LAT                   6'd28

// eu.dot.occ [cycle per GRF] 1..63
`define IGPU_EU_DOT_OCC                    6'd2

// eu.dot.fe [cycle per GRF] 1..63
`define IGPU_EU_DOT_FE                     6'd2

// eu.dot.lat [cycle] 1..63
`define IGPU_EU_DOT_LAT                    6'd12

// eu.lrp.occ [cycle per GRF] 1..63
`define IGPU_EU_LRP_OCC                    6'd4

// eu.lrp.fe [cycle per GRF] 1..63
`define IGPU_EU_LRP_FE                     6'd4

// eu.lrp.lat [cycle] 1..63
`define IGPU_EU_LRP_LAT                    6'd12

// eu.conflict.fe [cycle per GRF] 0..15
`define IGPU_EU_CONFLICT_FE                4'd1
`define IGPU_EU_CONFLICT_FE_W              4

// eu.branch.fe [cycle] 2..63
`define IGPU_EU_BRANCH_FE                  6'd8
`define IGPU_EU_BRANCH_FE_W                6

// eu.switch.fe [cycle] 2..63
`define IGPU_EU_SWITCH_FE                  6'd32
`define IGPU_EU_SWITCH_FE_W                6

// eu.nop.fe [cycle] 2..63
`define IGPU_EU_NOP_FE                     6'd2
`define IGPU_EU_NOP_FE_W                   6

// eu.send.grf [cycle per GRF] 1..15
`define IGPU_EU_SEND_GRF                   4'd1
`define IGPU_EU_SEND_GRF_W                 4

// eu.resp.grf [cycle per GRF] 1..15
`define IGPU_EU_RESP_GRF                   4'd1
`define IGPU_EU_RESP_GRF_W                 4

// dp.queue [message] 1..64
`define IGPU_DP_QUEUE                      7'd64
`define IGPU_DP_QUEUE_W                    7

`endif
