// igpu_isa.vh - an instruction as igpu_isa_decode gives it: fields of a word, as
// high:low. Types and condition modifiers are numbered as in igpu_fpu.vh (enum isa_type,
// enum isa_cmod), predicates as enum isa_pred, math functions and SFIDs as the hardware's.
`ifndef IGPU_ISA_VH
`define IGPU_ISA_VH

// Whole instruction.
`define IGPU_INST_OP      6:0      // opcode, the hardware's number
`define IGPU_INST_EXEC    9:7      // log2 of the execution size
`define IGPU_INST_CHAN    14:10    // first channel
`define IGPU_INST_PRED    18:15
`define IGPU_INST_INVERSE 19:19    // of the predicate
`define IGPU_INST_CMOD    23:20
`define IGPU_INST_FLAG    25:24    // flag register, subregister
`define IGPU_INST_NOMASK  26:26
`define IGPU_INST_SAT     27:27
`define IGPU_INST_ACCWR   28:28    // AccWrEn; of goto, if and else: branch control
`define IGPU_INST_EOT     29:29
`define IGPU_INST_FN      33:30    // math's function; a message's SFID
`define IGPU_INST_NSRC    35:34    // sources
`define IGPU_INST_DST     71:36    // IGPU_DST_
`define IGPU_INST_SRC0    116:72   // IGPU_SRC_
`define IGPU_INST_SRC1    161:117
`define IGPU_INST_SRC2    206:162
`define IGPU_INST_IMM     270:207  // immediate; branch: UIP, JIP; message: below
`define IGPU_INST_NATIVE  271:271  // 16 bytes long, not 8
`define IGPU_INST_ALIGN16 272:272  // two sources, access mode Align16
`define IGPU_INST_KIND    275:273  // IGPU_KIND_
`define IGPU_INST_MME     291:276  // numbers of mme registers of source 2, 1, 0, destination
`define IGPU_INST_W       292

`define IGPU_KIND_NONE   3'd0      // illegal, or no opcode of Gen9
`define IGPU_KIND_FPU    3'd1      // the FPU's lanes
`define IGPU_KIND_MATH   3'd2      // extended math
`define IGPU_KIND_BRANCH 3'd3
`define IGPU_KIND_SEND   3'd4
`define IGPU_KIND_NOTHING 3'd5     // nop, wait: no value

// In IGPU_INST_IMM of a message: descriptor, extended length, and whether the descriptor
// and the extended one come from a0.0 and a0.2.
`define IGPU_MSG_DESC    31:0
`define IGPU_MSG_EXLEN   35:32
`define IGPU_MSG_DESC_A0 36:36
`define IGPU_MSG_EX_A0   37:37

// Destination.
`define IGPU_DST_FILE  1:0         // IGPU_FILE_
`define IGPU_DST_TYPE  5:2
`define IGPU_DST_REG   13:6        // of an ARF: its number in 7:4
`define IGPU_DST_BYTE  18:14
`define IGPU_DST_HS    20:19       // horizontal stride: 0, 1, 2, 4 elements
`define IGPU_DST_IND   21:21       // indirect: through word ASUB of a0, plus AIMM bytes
`define IGPU_DST_ASUB  25:22
`define IGPU_DST_AIMM  35:26
`define IGPU_DST_W     36

// Source. A row has 2 ** WD elements HS apart, rows are VS apart: 0, 1, 2, 4, .. 32.
`define IGPU_SRC_FILE  1:0
`define IGPU_SRC_TYPE  5:2
`define IGPU_SRC_MOD   7:6         // negate, absolute value
`define IGPU_SRC_REG   15:8
`define IGPU_SRC_BYTE  20:16
`define IGPU_SRC_VS    23:21
`define IGPU_SRC_WD    26:24
`define IGPU_SRC_HS    28:27
`define IGPU_SRC_IND   29:29
`define IGPU_SRC_VXH   30:30       // an address a row: VS does not count
`define IGPU_SRC_ASUB  34:31
`define IGPU_SRC_AIMM  44:35
`define IGPU_SRC_W     45

`define IGPU_FILE_NONE 2'd0        // none, or null
`define IGPU_FILE_GRF  2'd1
`define IGPU_FILE_ARF  2'd2
`define IGPU_FILE_IMM  2'd3

// Types of immediates beyond those of registers.
`define IGPU_TYPE_V  4'd12
`define IGPU_TYPE_UV 4'd13
`define IGPU_TYPE_VF 4'd14

// Architecture registers, by REG[7:4].
`define IGPU_ARF_NULL 4'd0
`define IGPU_ARF_ADDR 4'd1
`define IGPU_ARF_ACC  4'd2
`define IGPU_ARF_FLAG 4'd3
`define IGPU_ARF_MASK 4'd4
`define IGPU_ARF_STATE 4'd7
`define IGPU_ARF_CTRL 4'd8
`define IGPU_ARF_NOTIFY 4'd9
`define IGPU_ARF_IP   4'd10
`define IGPU_ARF_TIME 4'd12

// Opcodes.
`define IGPU_OP_ILLEGAL 7'd0
`define IGPU_OP_MOV    7'd1
`define IGPU_OP_SEL    7'd2
`define IGPU_OP_MOVI   7'd3
`define IGPU_OP_NOT    7'd4
`define IGPU_OP_AND    7'd5
`define IGPU_OP_OR     7'd6
`define IGPU_OP_XOR    7'd7
`define IGPU_OP_SHR    7'd8
`define IGPU_OP_SHL    7'd9
`define IGPU_OP_SMOV   7'd10
`define IGPU_OP_ASR    7'd12
`define IGPU_OP_CMP    7'd16
`define IGPU_OP_CMPN   7'd17
`define IGPU_OP_CSEL   7'd18
`define IGPU_OP_BFREV  7'd23
`define IGPU_OP_BFE    7'd24
`define IGPU_OP_BFI1   7'd25
`define IGPU_OP_BFI2   7'd26
`define IGPU_OP_JMPI   7'd32
`define IGPU_OP_BRD    7'd33
`define IGPU_OP_IF     7'd34
`define IGPU_OP_BRC    7'd35
`define IGPU_OP_ELSE   7'd36
`define IGPU_OP_ENDIF  7'd37
`define IGPU_OP_WHILE  7'd39
`define IGPU_OP_BREAK  7'd40
`define IGPU_OP_CONT   7'd41
`define IGPU_OP_HALT   7'd42
`define IGPU_OP_CALLA  7'd43
`define IGPU_OP_CALL   7'd44
`define IGPU_OP_RET    7'd45
`define IGPU_OP_GOTO   7'd46
`define IGPU_OP_JOIN   7'd47
`define IGPU_OP_WAIT   7'd48
`define IGPU_OP_SEND   7'd49
`define IGPU_OP_SENDC  7'd50
`define IGPU_OP_SENDS  7'd51
`define IGPU_OP_SENDSC 7'd52
`define IGPU_OP_MATH   7'd56
`define IGPU_OP_ADD    7'd64
`define IGPU_OP_MUL    7'd65
`define IGPU_OP_AVG    7'd66
`define IGPU_OP_FRC    7'd67
`define IGPU_OP_RNDU   7'd68
`define IGPU_OP_RNDD   7'd69
`define IGPU_OP_RNDE   7'd70
`define IGPU_OP_RNDZ   7'd71
`define IGPU_OP_MAC    7'd72
`define IGPU_OP_MACH   7'd73
`define IGPU_OP_LZD    7'd74
`define IGPU_OP_FBH    7'd75
`define IGPU_OP_FBL    7'd76
`define IGPU_OP_CBIT   7'd77
`define IGPU_OP_ADDC   7'd78
`define IGPU_OP_SUBB   7'd79
`define IGPU_OP_SAD2   7'd80
`define IGPU_OP_SADA2  7'd81
`define IGPU_OP_DP4    7'd84
`define IGPU_OP_DPH    7'd85
`define IGPU_OP_DP3    7'd86
`define IGPU_OP_DP2    7'd87
`define IGPU_OP_LINE   7'd89
`define IGPU_OP_PLN    7'd90
`define IGPU_OP_MAD    7'd91
`define IGPU_OP_LRP    7'd92
`define IGPU_OP_MADM   7'd93
`define IGPU_OP_NOP    7'd126

// Functions of math: below FDIV one source; from INVM on with the wider exponent.
`define IGPU_FN_FDIV 4'd9
`define IGPU_FN_POW  4'd10
`define IGPU_FN_IDIV 4'd11
`define IGPU_FN_IQOT 4'd12
`define IGPU_FN_IREM 4'd13
`define IGPU_FN_INVM 4'd14
`define IGPU_FN_RSQTM 4'd15

`endif
