// igpu_params.vh - generated from csim/include/igpu/params.def by `make params`.
// Each run-time parameter: default value (sized), maximum, and the width that
// holds the maximum. Do not edit.
`ifndef IGPU_PARAMS_VH
`define IGPU_PARAMS_VH

// gpu.clock_hz [Hz] 1000000..10000000000
`define IGPU_GPU_CLOCK_HZ                   34'd1150000000
`define IGPU_GPU_CLOCK_HZ_MAX               34'd10000000000
`define IGPU_GPU_CLOCK_HZ_W                 34

// gpu.subslices [subslice] 1..6
`define IGPU_GPU_SUBSLICES                  3'd3
`define IGPU_GPU_SUBSLICES_MAX              3'd6
`define IGPU_GPU_SUBSLICES_W                3

// gpu.slices [slice] 1..2
`define IGPU_GPU_SLICES                     2'd1
`define IGPU_GPU_SLICES_MAX                 2'd2
`define IGPU_GPU_SLICES_W                   2

// eu.count [EU per subslice] 1..8
`define IGPU_EU_COUNT                       4'd8
`define IGPU_EU_COUNT_MAX                   4'd8
`define IGPU_EU_COUNT_W                     4

// eu.threads [thread per EU] 1..7
`define IGPU_EU_THREADS                     3'd7
`define IGPU_EU_THREADS_MAX                 3'd7
`define IGPU_EU_THREADS_W                   3

// disp.interval [cycle] 1..255
`define IGPU_DISP_INTERVAL                  8'd2
`define IGPU_DISP_INTERVAL_MAX              8'd255
`define IGPU_DISP_INTERVAL_W                8

// disp.start_latency [cycle] 1..63
`define IGPU_DISP_START_LATENCY             6'd40
`define IGPU_DISP_START_LATENCY_MAX         6'd63
`define IGPU_DISP_START_LATENCY_W           6

// disp.end_latency [cycle] 1..63
`define IGPU_DISP_END_LATENCY               6'd32
`define IGPU_DISP_END_LATENCY_MAX           6'd63
`define IGPU_DISP_END_LATENCY_W             6

// disp.barriers [group per subslice] 1..16
`define IGPU_DISP_BARRIERS                  5'd16
`define IGPU_DISP_BARRIERS_MAX              5'd16
`define IGPU_DISP_BARRIERS_W                5

// disp.slm_kb [KB per subslice] 1..64
`define IGPU_DISP_SLM_KB                    7'd64
`define IGPU_DISP_SLM_KB_MAX                7'd64
`define IGPU_DISP_SLM_KB_W                  7

// disp.launch_cycles [cycle] 0..1000000
`define IGPU_DISP_LAUNCH_CYCLES             20'd64
`define IGPU_DISP_LAUNCH_CYCLES_MAX         20'd1000000
`define IGPU_DISP_LAUNCH_CYCLES_W           20

// eu.alu32.occ [cycle per GRF] 1..63
`define IGPU_EU_ALU32_OCC                   6'd2
`define IGPU_EU_ALU32_OCC_MAX               6'd63
`define IGPU_EU_ALU32_OCC_W                 6

// eu.alu32.fe [cycle per GRF] 1..63
`define IGPU_EU_ALU32_FE                    6'd2
`define IGPU_EU_ALU32_FE_MAX                6'd63
`define IGPU_EU_ALU32_FE_W                  6

// eu.alu32.lat [cycle] 1..63
`define IGPU_EU_ALU32_LAT                   6'd10
`define IGPU_EU_ALU32_LAT_MAX               6'd63
`define IGPU_EU_ALU32_LAT_W                 6

// eu.alu32.lat_acc [cycle] 1..63
`define IGPU_EU_ALU32_LAT_ACC               6'd4
`define IGPU_EU_ALU32_LAT_ACC_MAX           6'd63
`define IGPU_EU_ALU32_LAT_ACC_W             6

// eu.alu32.lat_flag [cycle] 1..63
`define IGPU_EU_ALU32_LAT_FLAG              6'd12
`define IGPU_EU_ALU32_LAT_FLAG_MAX          6'd63
`define IGPU_EU_ALU32_LAT_FLAG_W            6

// eu.alu64.occ [cycle per GRF] 1..63
`define IGPU_EU_ALU64_OCC                   6'd4
`define IGPU_EU_ALU64_OCC_MAX               6'd63
`define IGPU_EU_ALU64_OCC_W                 6

// eu.alu64.fe [cycle per GRF] 1..63
`define IGPU_EU_ALU64_FE                    6'd4
`define IGPU_EU_ALU64_FE_MAX                6'd63
`define IGPU_EU_ALU64_FE_W                  6

// eu.alu64.lat [cycle] 1..63
`define IGPU_EU_ALU64_LAT                   6'd12
`define IGPU_EU_ALU64_LAT_MAX               6'd63
`define IGPU_EU_ALU64_LAT_W                 6

// eu.alu64.lat_acc [cycle] 1..63
`define IGPU_EU_ALU64_LAT_ACC               6'd8
`define IGPU_EU_ALU64_LAT_ACC_MAX           6'd63
`define IGPU_EU_ALU64_LAT_ACC_W             6

// eu.alu64.lat_flag [cycle] 1..63
`define IGPU_EU_ALU64_LAT_FLAG              6'd16
`define IGPU_EU_ALU64_LAT_FLAG_MAX          6'd63
`define IGPU_EU_ALU64_LAT_FLAG_W            6

// eu.df.occ [cycle per GRF] 1..63
`define IGPU_EU_DF_OCC                      6'd2
`define IGPU_EU_DF_OCC_MAX                  6'd63
`define IGPU_EU_DF_OCC_W                    6

// eu.df.fe [cycle per GRF] 1..63
`define IGPU_EU_DF_FE                       6'd2
`define IGPU_EU_DF_FE_MAX                   6'd63
`define IGPU_EU_DF_FE_W                     6

// eu.df.lat [cycle] 1..63
`define IGPU_EU_DF_LAT                      6'd12
`define IGPU_EU_DF_LAT_MAX                  6'd63
`define IGPU_EU_DF_LAT_W                    6

// eu.df.lat_acc [cycle] 1..63
`define IGPU_EU_DF_LAT_ACC                  6'd8
`define IGPU_EU_DF_LAT_ACC_MAX              6'd63
`define IGPU_EU_DF_LAT_ACC_W                6

// eu.df.lat_flag [cycle] 1..63
`define IGPU_EU_DF_LAT_FLAG                 6'd16
`define IGPU_EU_DF_LAT_FLAG_MAX             6'd63
`define IGPU_EU_DF_LAT_FLAG_W               6

// eu.math.occ [cycle per GRF] 1..63
`define IGPU_EU_MATH_OCC                    6'd4
`define IGPU_EU_MATH_OCC_MAX                6'd63
`define IGPU_EU_MATH_OCC_W                  6

// eu.math.fe [cycle per GRF] 1..63
`define IGPU_EU_MATH_FE                     6'd4
`define IGPU_EU_MATH_FE_MAX                 6'd63
`define IGPU_EU_MATH_FE_W                   6

// eu.math.lat [cycle] 1..63
`define IGPU_EU_MATH_LAT                    6'd16
`define IGPU_EU_MATH_LAT_MAX                6'd63
`define IGPU_EU_MATH_LAT_W                  6

// eu.math2.occ [cycle per GRF] 1..63
`define IGPU_EU_MATH2_OCC                   6'd8
`define IGPU_EU_MATH2_OCC_MAX               6'd63
`define IGPU_EU_MATH2_OCC_W                 6

// eu.math2.fe [cycle per GRF] 1..63
`define IGPU_EU_MATH2_FE                    6'd4
`define IGPU_EU_MATH2_FE_MAX                6'd63
`define IGPU_EU_MATH2_FE_W                  6

// eu.math2.lat [cycle] 1..63
`define IGPU_EU_MATH2_LAT                   6'd24
`define IGPU_EU_MATH2_LAT_MAX               6'd63
`define IGPU_EU_MATH2_LAT_W                 6

// eu.idiv.occ [cycle per GRF] 1..63
`define IGPU_EU_IDIV_OCC                    6'd26
`define IGPU_EU_IDIV_OCC_MAX                6'd63
`define IGPU_EU_IDIV_OCC_W                  6

// eu.idiv.fe [cycle per GRF] 1..63
`define IGPU_EU_IDIV_FE                     6'd2
`define IGPU_EU_IDIV_FE_MAX                 6'd63
`define IGPU_EU_IDIV_FE_W                   6

// eu.idiv.lat [cycle] 1..63
`define IGPU_EU_IDIV_LAT                    6'd28
`define IGPU_EU_IDIV_LAT_MAX                6'd63
`define IGPU_EU_IDIV_LAT_W                  6

// eu.dot.occ [cycle per GRF] 1..63
`define IGPU_EU_DOT_OCC                     6'd2
`define IGPU_EU_DOT_OCC_MAX                 6'd63
`define IGPU_EU_DOT_OCC_W                   6

// eu.dot.fe [cycle per GRF] 1..63
`define IGPU_EU_DOT_FE                      6'd2
`define IGPU_EU_DOT_FE_MAX                  6'd63
`define IGPU_EU_DOT_FE_W                    6

// eu.dot.lat [cycle] 1..63
`define IGPU_EU_DOT_LAT                     6'd12
`define IGPU_EU_DOT_LAT_MAX                 6'd63
`define IGPU_EU_DOT_LAT_W                   6

// eu.lrp.occ [cycle per GRF] 1..63
`define IGPU_EU_LRP_OCC                     6'd4
`define IGPU_EU_LRP_OCC_MAX                 6'd63
`define IGPU_EU_LRP_OCC_W                   6

// eu.lrp.fe [cycle per GRF] 1..63
`define IGPU_EU_LRP_FE                      6'd4
`define IGPU_EU_LRP_FE_MAX                  6'd63
`define IGPU_EU_LRP_FE_W                    6

// eu.lrp.lat [cycle] 1..63
`define IGPU_EU_LRP_LAT                     6'd12
`define IGPU_EU_LRP_LAT_MAX                 6'd63
`define IGPU_EU_LRP_LAT_W                   6

// eu.conflict.fe [cycle per GRF] 0..15
`define IGPU_EU_CONFLICT_FE                 4'd1
`define IGPU_EU_CONFLICT_FE_MAX             4'd15
`define IGPU_EU_CONFLICT_FE_W               4

// eu.branch.fe [cycle] 2..63
`define IGPU_EU_BRANCH_FE                   6'd8
`define IGPU_EU_BRANCH_FE_MAX               6'd63
`define IGPU_EU_BRANCH_FE_W                 6

// eu.switch.fe [cycle] 2..63
`define IGPU_EU_SWITCH_FE                   6'd32
`define IGPU_EU_SWITCH_FE_MAX               6'd63
`define IGPU_EU_SWITCH_FE_W                 6

// eu.nop.fe [cycle] 2..63
`define IGPU_EU_NOP_FE                      6'd2
`define IGPU_EU_NOP_FE_MAX                  6'd63
`define IGPU_EU_NOP_FE_W                    6

// eu.send.grf [cycle per GRF] 1..15
`define IGPU_EU_SEND_GRF                    4'd1
`define IGPU_EU_SEND_GRF_MAX                4'd15
`define IGPU_EU_SEND_GRF_W                  4

// eu.resp.grf [cycle per GRF] 1..15
`define IGPU_EU_RESP_GRF                    4'd1
`define IGPU_EU_RESP_GRF_MAX                4'd15
`define IGPU_EU_RESP_GRF_W                  4

// icache.kb [KB] 1..1024
`define IGPU_ICACHE_KB                      11'd48
`define IGPU_ICACHE_KB_MAX                  11'd1024
`define IGPU_ICACHE_KB_W                    11

// icache.ways [line of 64 B] 1..16
`define IGPU_ICACHE_WAYS                    5'd8
`define IGPU_ICACHE_WAYS_MAX                5'd16
`define IGPU_ICACHE_WAYS_W                  5

// icache.miss [cycle] 0..255
`define IGPU_ICACHE_MISS                    8'd77
`define IGPU_ICACHE_MISS_MAX                8'd255
`define IGPU_ICACHE_MISS_W                  8

// dp.queue [message] 1..64
`define IGPU_DP_QUEUE                       7'd64
`define IGPU_DP_QUEUE_MAX                   7'd64
`define IGPU_DP_QUEUE_W                     7

// dp.in_latency [cycle] 0..63
`define IGPU_DP_IN_LATENCY                  6'd16
`define IGPU_DP_IN_LATENCY_MAX              6'd63
`define IGPU_DP_IN_LATENCY_W                6

// dp.out_latency [cycle] 1..63
`define IGPU_DP_OUT_LATENCY                 6'd16
`define IGPU_DP_OUT_LATENCY_MAX             6'd63
`define IGPU_DP_OUT_LATENCY_W               6

// dp.messages [message] 1..64
`define IGPU_DP_MESSAGES                    7'd40
`define IGPU_DP_MESSAGES_MAX                7'd64
`define IGPU_DP_MESSAGES_W                  7

// dp.release_latency [cycle] 0..255
`define IGPU_DP_RELEASE_LATENCY             8'd8
`define IGPU_DP_RELEASE_LATENCY_MAX         8'd255
`define IGPU_DP_RELEASE_LATENCY_W           8

// dp.lines [line per cycle] 1..4
`define IGPU_DP_LINES                       3'd1
`define IGPU_DP_LINES_MAX                   3'd4
`define IGPU_DP_LINES_W                     3

// dp.return_grfs [GRF per cycle] 1..8
`define IGPU_DP_RETURN_GRFS                 4'd2
`define IGPU_DP_RETURN_GRFS_MAX             4'd8
`define IGPU_DP_RETURN_GRFS_W               4

// dp.empty_latency [cycle] 0..1023
`define IGPU_DP_EMPTY_LATENCY               10'd8
`define IGPU_DP_EMPTY_LATENCY_MAX           10'd1023
`define IGPU_DP_EMPTY_LATENCY_W             10

// dp.other_latency [cycle] 0..1023
`define IGPU_DP_OTHER_LATENCY               10'd64
`define IGPU_DP_OTHER_LATENCY_MAX           10'd1023
`define IGPU_DP_OTHER_LATENCY_W             10

// gw.latency [cycle] 0..1023
`define IGPU_GW_LATENCY                     10'd8
`define IGPU_GW_LATENCY_MAX                 10'd1023
`define IGPU_GW_LATENCY_W                   10

// slm.latency [cycle] 1..1023
`define IGPU_SLM_LATENCY                    10'd77
`define IGPU_SLM_LATENCY_MAX                10'd1023
`define IGPU_SLM_LATENCY_W                  10

// slm.banks [bank of 4 B] 1..64
`define IGPU_SLM_BANKS                      7'd16
`define IGPU_SLM_BANKS_MAX                  7'd64
`define IGPU_SLM_BANKS_W                    7

// slm.atomic [cycle] 1..8
`define IGPU_SLM_ATOMIC                     4'd1
`define IGPU_SLM_ATOMIC_MAX                 4'd8
`define IGPU_SLM_ATOMIC_W                   4

// l3.banks [bank per slice] 1..8
`define IGPU_L3_BANKS                       4'd4
`define IGPU_L3_BANKS_MAX                   4'd8
`define IGPU_L3_BANKS_W                     4

// l3.sets [set per bank] 1..4096
`define IGPU_L3_SETS                        13'd32
`define IGPU_L3_SETS_MAX                    13'd4096
`define IGPU_L3_SETS_W                      13

// l3.ways [way] 1..128
`define IGPU_L3_WAYS                        8'd64
`define IGPU_L3_WAYS_MAX                    8'd128
`define IGPU_L3_WAYS_W                      8

// l3.ways_slm [way] 1..128
`define IGPU_L3_WAYS_SLM                    8'd48
`define IGPU_L3_WAYS_SLM_MAX                8'd128
`define IGPU_L3_WAYS_SLM_W                  8

// l3.request_latency [cycle] 1..1023
`define IGPU_L3_REQUEST_LATENCY             10'd20
`define IGPU_L3_REQUEST_LATENCY_MAX         10'd1023
`define IGPU_L3_REQUEST_LATENCY_W           10

// l3.latency [cycle] 1..1023
`define IGPU_L3_LATENCY                     10'd57
`define IGPU_L3_LATENCY_MAX                 10'd1023
`define IGPU_L3_LATENCY_W                   10

// l3.fabric_latency [cycle] 0..1023
`define IGPU_L3_FABRIC_LATENCY              10'd20
`define IGPU_L3_FABRIC_LATENCY_MAX          10'd1023
`define IGPU_L3_FABRIC_LATENCY_W            10

// l3.mshrs [line per bank] 1..256
`define IGPU_L3_MSHRS                       9'd64
`define IGPU_L3_MSHRS_MAX                   9'd256
`define IGPU_L3_MSHRS_W                     9

// l3.write_buffer [line per bank] 1..256
`define IGPU_L3_WRITE_BUFFER                9'd16
`define IGPU_L3_WRITE_BUFFER_MAX            9'd256
`define IGPU_L3_WRITE_BUFFER_W              9

// l3.atomic [cycle] 1..63
`define IGPU_L3_ATOMIC                      6'd1
`define IGPU_L3_ATOMIC_MAX                  6'd63
`define IGPU_L3_ATOMIC_W                    6

// gti.request_latency [cycle] 1..1023
`define IGPU_GTI_REQUEST_LATENCY            10'd35
`define IGPU_GTI_REQUEST_LATENCY_MAX        10'd1023
`define IGPU_GTI_REQUEST_LATENCY_W          10

// gti.return_latency [cycle] 1..1023
`define IGPU_GTI_RETURN_LATENCY             10'd35
`define IGPU_GTI_RETURN_LATENCY_MAX         10'd1023
`define IGPU_GTI_RETURN_LATENCY_W           10

// gti.read_bytes [B per cycle] 1..64
`define IGPU_GTI_READ_BYTES                 7'd64
`define IGPU_GTI_READ_BYTES_MAX             7'd64
`define IGPU_GTI_READ_BYTES_W               7

// gti.write_bytes [B per cycle] 1..64
`define IGPU_GTI_WRITE_BYTES                7'd32
`define IGPU_GTI_WRITE_BYTES_MAX            7'd64
`define IGPU_GTI_WRITE_BYTES_W              7

// tlb.entries [page] 0..65536
`define IGPU_TLB_ENTRIES                    17'd512
`define IGPU_TLB_ENTRIES_MAX                17'd65536
`define IGPU_TLB_ENTRIES_W                  17

// tlb.ways [way] 1..64
`define IGPU_TLB_WAYS                       7'd16
`define IGPU_TLB_WAYS_MAX                   7'd64
`define IGPU_TLB_WAYS_W                     7

// tlb.walk_ps [ps] 0..10000000
`define IGPU_TLB_WALK_PS                    24'd59000
`define IGPU_TLB_WALK_PS_MAX                24'd10000000
`define IGPU_TLB_WALK_PS_W                  24

// tlb.pde_entries [entry] 0..128
`define IGPU_TLB_PDE_ENTRIES                8'd8
`define IGPU_TLB_PDE_ENTRIES_MAX            8'd128
`define IGPU_TLB_PDE_ENTRIES_W              8

// tlb.pde_ps [ps] 0..10000000
`define IGPU_TLB_PDE_PS                     24'd14500
`define IGPU_TLB_PDE_PS_MAX                 24'd10000000
`define IGPU_TLB_PDE_PS_W                   24

// page.bytes [B] 4096..2097152
`define IGPU_PAGE_BYTES                     22'd4096
`define IGPU_PAGE_BYTES_MAX                 22'd2097152
`define IGPU_PAGE_BYTES_W                   22

// page.random [flag] 0..1
`define IGPU_PAGE_RANDOM                    1'd1
`define IGPU_PAGE_RANDOM_MAX                1'd1
`define IGPU_PAGE_RANDOM_W                  1

// page.seed [-] 0..4294967295
`define IGPU_PAGE_SEED                      32'd1
`define IGPU_PAGE_SEED_MAX                  32'd4294967295
`define IGPU_PAGE_SEED_W                    32

// llc.size [B] 65536..1073741824
`define IGPU_LLC_SIZE                       31'd8388608
`define IGPU_LLC_SIZE_MAX                   31'd1073741824
`define IGPU_LLC_SIZE_W                     31

// llc.ways [way] 1..64
`define IGPU_LLC_WAYS                       7'd16
`define IGPU_LLC_WAYS_MAX                   7'd64
`define IGPU_LLC_WAYS_W                     7

// llc.slices [slice] 1..8
`define IGPU_LLC_SLICES                     4'd4
`define IGPU_LLC_SLICES_MAX                 4'd8
`define IGPU_LLC_SLICES_W                   4

// llc.clock_hz [Hz] 1000000..10000000000
`define IGPU_LLC_CLOCK_HZ                   34'd4000000000
`define IGPU_LLC_CLOCK_HZ_MAX               34'd10000000000
`define IGPU_LLC_CLOCK_HZ_W                 34

// llc.port_bytes [B per cycle] 1..64
`define IGPU_LLC_PORT_BYTES                 7'd32
`define IGPU_LLC_PORT_BYTES_MAX             7'd64
`define IGPU_LLC_PORT_BYTES_W               7

// llc.idle_clock_hz [Hz] 1000000..10000000000
`define IGPU_LLC_IDLE_CLOCK_HZ              34'd3037000000
`define IGPU_LLC_IDLE_CLOCK_HZ_MAX          34'd10000000000
`define IGPU_LLC_IDLE_CLOCK_HZ_W            34

// llc.latency [cycle] 0..10000
`define IGPU_LLC_LATENCY                    14'd82
`define IGPU_LLC_LATENCY_MAX                14'd10000
`define IGPU_LLC_LATENCY_W                  14

// llc.others [B] 64..1073741824
`define IGPU_LLC_OTHERS                     31'd851968
`define IGPU_LLC_OTHERS_MAX                 31'd1073741824
`define IGPU_LLC_OTHERS_W                   31

// llc.others_ps [ps] 0..1000000000000
`define IGPU_LLC_OTHERS_PS                  40'd700000
`define IGPU_LLC_OTHERS_PS_MAX              40'd1000000000000
`define IGPU_LLC_OTHERS_PS_W                40

// gti.writes [line] 1..1024
`define IGPU_GTI_WRITES                     11'd128
`define IGPU_GTI_WRITES_MAX                 11'd1024
`define IGPU_GTI_WRITES_W                   11

// llc.queue [line] 32..4096
`define IGPU_LLC_QUEUE                      13'd512
`define IGPU_LLC_QUEUE_MAX                  13'd4096
`define IGPU_LLC_QUEUE_W                    13

// cpu.agent [-] 0..3
`define IGPU_CPU_AGENT                      2'd0
`define IGPU_CPU_AGENT_MAX                  2'd3
`define IGPU_CPU_AGENT_W                    2

// cpu.ws [B] 64..4294967296
`define IGPU_CPU_WS                         33'd1048576
`define IGPU_CPU_WS_MAX                     33'd4294967296
`define IGPU_CPU_WS_W                       33

// cpu.threads [thread] 0..8
`define IGPU_CPU_THREADS                    4'd0
`define IGPU_CPU_THREADS_MAX                4'd8
`define IGPU_CPU_THREADS_W                  4

// cpu.cores [core] 1..8
`define IGPU_CPU_CORES                      4'd4
`define IGPU_CPU_CORES_MAX                  4'd8
`define IGPU_CPU_CORES_W                    4

// cpu.seed [-] 0..4294967295
`define IGPU_CPU_SEED                       32'd1
`define IGPU_CPU_SEED_MAX                   32'd4294967295
`define IGPU_CPU_SEED_W                     32

// cpu.warm [flag] 0..1
`define IGPU_CPU_WARM                       1'd1
`define IGPU_CPU_WARM_MAX                   1'd1
`define IGPU_CPU_WARM_W                     1

// cpu.clock_hz [Hz] 1000000..10000000000
`define IGPU_CPU_CLOCK_HZ                   34'd4200000000
`define IGPU_CPU_CLOCK_HZ_MAX               34'd10000000000
`define IGPU_CPU_CLOCK_HZ_W                 34

// cpu.l1_bytes [B] 512..1048576
`define IGPU_CPU_L1_BYTES                   21'd32768
`define IGPU_CPU_L1_BYTES_MAX               21'd1048576
`define IGPU_CPU_L1_BYTES_W                 21

// cpu.l1_ways [way] 1..64
`define IGPU_CPU_L1_WAYS                    7'd8
`define IGPU_CPU_L1_WAYS_MAX                7'd64
`define IGPU_CPU_L1_WAYS_W                  7

// cpu.l1_latency [cycle] 1..1000
`define IGPU_CPU_L1_LATENCY                 10'd4
`define IGPU_CPU_L1_LATENCY_MAX             10'd1000
`define IGPU_CPU_L1_LATENCY_W               10

// cpu.l2_bytes [B] 512..16777216
`define IGPU_CPU_L2_BYTES                   25'd262144
`define IGPU_CPU_L2_BYTES_MAX               25'd16777216
`define IGPU_CPU_L2_BYTES_W                 25

// cpu.l2_ways [way] 1..64
`define IGPU_CPU_L2_WAYS                    7'd4
`define IGPU_CPU_L2_WAYS_MAX                7'd64
`define IGPU_CPU_L2_WAYS_W                  7

// cpu.l2_latency [cycle] 1..1000
`define IGPU_CPU_L2_LATENCY                 10'd12
`define IGPU_CPU_L2_LATENCY_MAX             10'd1000
`define IGPU_CPU_L2_LATENCY_W               10

// cpu.llc_latency [cycle] 0..10000
`define IGPU_CPU_LLC_LATENCY                14'd29
`define IGPU_CPU_LLC_LATENCY_MAX            14'd10000
`define IGPU_CPU_LLC_LATENCY_W              14

// cpu.adjacent [flag] 0..1
`define IGPU_CPU_ADJACENT                   1'd1
`define IGPU_CPU_ADJACENT_MAX               1'd1
`define IGPU_CPU_ADJACENT_W                 1

// cpu.pair_fetch [%] 0..100
`define IGPU_CPU_PAIR_FETCH                 7'd50
`define IGPU_CPU_PAIR_FETCH_MAX             7'd100
`define IGPU_CPU_PAIR_FETCH_W               7

// cpu.lines [line per core] 1..64
`define IGPU_CPU_LINES                      7'd19
`define IGPU_CPU_LINES_MAX                  7'd64
`define IGPU_CPU_LINES_W                    7

// cpu.gap [cycle] 0..1000
`define IGPU_CPU_GAP                        10'd10
`define IGPU_CPU_GAP_MAX                    10'd1000
`define IGPU_CPU_GAP_W                      10

// cpu.page_bytes [B] 4096..2097152
`define IGPU_CPU_PAGE_BYTES                 22'd2097152
`define IGPU_CPU_PAGE_BYTES_MAX             22'd2097152
`define IGPU_CPU_PAGE_BYTES_W               22

// cpu.start [launch] 1..1000000
`define IGPU_CPU_START                      20'd1
`define IGPU_CPU_START_MAX                  20'd1000000
`define IGPU_CPU_START_W                    20

// cpu.chase_small [%] 0..100
`define IGPU_CPU_CHASE_SMALL                7'd15
`define IGPU_CPU_CHASE_SMALL_MAX            7'd100
`define IGPU_CPU_CHASE_SMALL_W              7

// cpu.stream_small [%] 0..100
`define IGPU_CPU_STREAM_SMALL               7'd85
`define IGPU_CPU_STREAM_SMALL_MAX           7'd100
`define IGPU_CPU_STREAM_SMALL_W             7

// cpu.meet [flag] 0..1
`define IGPU_CPU_MEET                       1'd1
`define IGPU_CPU_MEET_MAX                   1'd1
`define IGPU_CPU_MEET_W                     1

// edram.size [B] 0..1073741824
`define IGPU_EDRAM_SIZE                     31'd0
`define IGPU_EDRAM_SIZE_MAX                 31'd1073741824
`define IGPU_EDRAM_SIZE_W                   31

// edram.ways [way] 1..64
`define IGPU_EDRAM_WAYS                     7'd16
`define IGPU_EDRAM_WAYS_MAX                 7'd64
`define IGPU_EDRAM_WAYS_W                   7

// edram.clock_hz [Hz] 1000000..10000000000
`define IGPU_EDRAM_CLOCK_HZ                 34'd1600000000
`define IGPU_EDRAM_CLOCK_HZ_MAX             34'd10000000000
`define IGPU_EDRAM_CLOCK_HZ_W               34

// edram.bus_bytes [B per cycle] 1..64
`define IGPU_EDRAM_BUS_BYTES                7'd32
`define IGPU_EDRAM_BUS_BYTES_MAX            7'd64
`define IGPU_EDRAM_BUS_BYTES_W              7

// edram.latency_ps [ps] 0..10000000
`define IGPU_EDRAM_LATENCY_PS               24'd34000
`define IGPU_EDRAM_LATENCY_PS_MAX           24'd10000000
`define IGPU_EDRAM_LATENCY_PS_W             24

// edram.tag_ps [ps] 0..10000000
`define IGPU_EDRAM_TAG_PS                   24'd10000
`define IGPU_EDRAM_TAG_PS_MAX               24'd10000000
`define IGPU_EDRAM_TAG_PS_W                 24

// dram.clock_hz [Hz] 1000000..10000000000
`define IGPU_DRAM_CLOCK_HZ                  34'd1066666667
`define IGPU_DRAM_CLOCK_HZ_MAX              34'd10000000000
`define IGPU_DRAM_CLOCK_HZ_W                34

// dram.channels [channel] 1..4
`define IGPU_DRAM_CHANNELS                  3'd2
`define IGPU_DRAM_CHANNELS_MAX              3'd4
`define IGPU_DRAM_CHANNELS_W                3

// dram.ranks [rank per channel] 1..4
`define IGPU_DRAM_RANKS                     3'd2
`define IGPU_DRAM_RANKS_MAX                 3'd4
`define IGPU_DRAM_RANKS_W                   3

// dram.groups [bank group per rank] 1..8
`define IGPU_DRAM_GROUPS                    4'd4
`define IGPU_DRAM_GROUPS_MAX                4'd8
`define IGPU_DRAM_GROUPS_W                  4

// dram.banks [bank per group] 1..8
`define IGPU_DRAM_BANKS                     4'd4
`define IGPU_DRAM_BANKS_MAX                 4'd8
`define IGPU_DRAM_BANKS_W                   4

// dram.row_bytes [B] 64..65536
`define IGPU_DRAM_ROW_BYTES                 17'd8192
`define IGPU_DRAM_ROW_BYTES_MAX             17'd65536
`define IGPU_DRAM_ROW_BYTES_W               17

// dram.latency_ps [ps] 0..10000000
`define IGPU_DRAM_LATENCY_PS                24'd24500
`define IGPU_DRAM_LATENCY_PS_MAX            24'd10000000
`define IGPU_DRAM_LATENCY_PS_W              24

// dram.latency_scale [-] 1..16
`define IGPU_DRAM_LATENCY_SCALE             5'd1
`define IGPU_DRAM_LATENCY_SCALE_MAX         5'd16
`define IGPU_DRAM_LATENCY_SCALE_W           5

// dram.queue [line per channel] 4..256
`define IGPU_DRAM_QUEUE                     9'd64
`define IGPU_DRAM_QUEUE_MAX                 9'd256
`define IGPU_DRAM_QUEUE_W                   9

// dram.write_high [line] 1..256
`define IGPU_DRAM_WRITE_HIGH                9'd48
`define IGPU_DRAM_WRITE_HIGH_MAX            9'd256
`define IGPU_DRAM_WRITE_HIGH_W              9

// dram.write_low [line] 0..255
`define IGPU_DRAM_WRITE_LOW                 8'd16
`define IGPU_DRAM_WRITE_LOW_MAX             8'd255
`define IGPU_DRAM_WRITE_LOW_W               8

// dram.age_limit [clock] 1..1000000
`define IGPU_DRAM_AGE_LIMIT                 20'd20
`define IGPU_DRAM_AGE_LIMIT_MAX             20'd1000000
`define IGPU_DRAM_AGE_LIMIT_W               20

// dram.idle_close [clock] 0..1000000
`define IGPU_DRAM_IDLE_CLOSE                20'd256
`define IGPU_DRAM_IDLE_CLOSE_MAX            20'd1000000
`define IGPU_DRAM_IDLE_CLOSE_W              20

// dram.idle_least [clock] 1..1000000
`define IGPU_DRAM_IDLE_LEAST                20'd16
`define IGPU_DRAM_IDLE_LEAST_MAX            20'd1000000
`define IGPU_DRAM_IDLE_LEAST_W              20

// dram.burst [clock] 1..16
`define IGPU_DRAM_BURST                     5'd4
`define IGPU_DRAM_BURST_MAX                 5'd16
`define IGPU_DRAM_BURST_W                   5

// dram.cl [clock] 1..255
`define IGPU_DRAM_CL                        8'd15
`define IGPU_DRAM_CL_MAX                    8'd255
`define IGPU_DRAM_CL_W                      8

// dram.cwl [clock] 1..255
`define IGPU_DRAM_CWL                       8'd11
`define IGPU_DRAM_CWL_MAX                   8'd255
`define IGPU_DRAM_CWL_W                     8

// dram.trcd [clock] 1..255
`define IGPU_DRAM_TRCD                      8'd15
`define IGPU_DRAM_TRCD_MAX                  8'd255
`define IGPU_DRAM_TRCD_W                    8

// dram.trp [clock] 1..255
`define IGPU_DRAM_TRP                       8'd15
`define IGPU_DRAM_TRP_MAX                   8'd255
`define IGPU_DRAM_TRP_W                     8

// dram.tras [clock] 1..255
`define IGPU_DRAM_TRAS                      8'd36
`define IGPU_DRAM_TRAS_MAX                  8'd255
`define IGPU_DRAM_TRAS_W                    8

// dram.tccd_s [clock] 1..255
`define IGPU_DRAM_TCCD_S                    8'd4
`define IGPU_DRAM_TCCD_S_MAX                8'd255
`define IGPU_DRAM_TCCD_S_W                  8

// dram.tccd_l [clock] 1..255
`define IGPU_DRAM_TCCD_L                    8'd6
`define IGPU_DRAM_TCCD_L_MAX                8'd255
`define IGPU_DRAM_TCCD_L_W                  8

// dram.trrd_s [clock] 1..255
`define IGPU_DRAM_TRRD_S                    8'd4
`define IGPU_DRAM_TRRD_S_MAX                8'd255
`define IGPU_DRAM_TRRD_S_W                  8

// dram.trrd_l [clock] 1..255
`define IGPU_DRAM_TRRD_L                    8'd6
`define IGPU_DRAM_TRRD_L_MAX                8'd255
`define IGPU_DRAM_TRRD_L_W                  8

// dram.tfaw [clock] 1..255
`define IGPU_DRAM_TFAW                      8'd23
`define IGPU_DRAM_TFAW_MAX                  8'd255
`define IGPU_DRAM_TFAW_W                    8

// dram.trtp [clock] 1..255
`define IGPU_DRAM_TRTP                      8'd8
`define IGPU_DRAM_TRTP_MAX                  8'd255
`define IGPU_DRAM_TRTP_W                    8

// dram.twr [clock] 1..255
`define IGPU_DRAM_TWR                       8'd16
`define IGPU_DRAM_TWR_MAX                   8'd255
`define IGPU_DRAM_TWR_W                     8

// dram.twtr_s [clock] 1..255
`define IGPU_DRAM_TWTR_S                    8'd3
`define IGPU_DRAM_TWTR_S_MAX                8'd255
`define IGPU_DRAM_TWTR_S_W                  8

// dram.twtr_l [clock] 1..255
`define IGPU_DRAM_TWTR_L                    8'd8
`define IGPU_DRAM_TWTR_L_MAX                8'd255
`define IGPU_DRAM_TWTR_L_W                  8

// dram.trtrs [clock] 0..255
`define IGPU_DRAM_TRTRS                     8'd1
`define IGPU_DRAM_TRTRS_MAX                 8'd255
`define IGPU_DRAM_TRTRS_W                   8

// dram.trefi [clock] 0..1000000
`define IGPU_DRAM_TREFI                     20'd8320
`define IGPU_DRAM_TREFI_MAX                 20'd1000000
`define IGPU_DRAM_TREFI_W                   20

// dram.trfc [clock] 1..100000
`define IGPU_DRAM_TRFC                      17'd374
`define IGPU_DRAM_TRFC_MAX                  17'd100000
`define IGPU_DRAM_TRFC_W                    17

`endif
