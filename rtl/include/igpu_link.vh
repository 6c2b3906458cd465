// igpu_link.vh - the words that cross the link between a host and the GPU on an FPGA.
//
// The one table of them: the Makefile makes the C header igpu_link_words.h and
// docs/reference/layouts.md from it. What they mean is in docs/develop/fpga.md. Words have 32 bits; over a
// stream of bytes the low byte goes first. Fields are given as high:low.
`ifndef IGPU_LINK_VH
`define IGPU_LINK_VH

// A frame: a word with HEAD's fields, one with SEQ's, one with TAKEN, the payload, CRC-32
// (zlib's) of all before it.
`define IGPU_LINK_MAGIC       22358
`define IGPU_LINK_VERSION     5
`define IGPU_LINK_PAYLOAD     256 // words of a frame, at most
`define IGPU_LINK_RX_SLOTS    4   // frames that the board holds: the host's window
`define IGPU_LINK_TX_SLOTS    8   // frames that the board keeps until acknowledged
`define IGPU_LINK_BUILD       4   // words of the answer to HELLO
`define IGPU_LINK_HEAD_MAGIC  31:16
`define IGPU_LINK_HEAD_TYPE   15:12
`define IGPU_LINK_HEAD_RESEND 11:11
`define IGPU_LINK_HEAD_WORDS  8:0 // of the payload
`define IGPU_LINK_SEQ_SESSION 31:16
`define IGPU_LINK_SEQ_NUMBER  15:0
`define IGPU_LINK_TAKEN       31:16 // frames taken so far

// The answer to HELLO: words 0 and 2 (1: instructions of the store, 3: clock in kHz).
`define IGPU_LINK_BUILD_VERSION  31:24
`define IGPU_LINK_BUILD_TILES    23:16
`define IGPU_LINK_BUILD_EUS      15:8
`define IGPU_LINK_BUILD_CONTEXTS 7:0
`define IGPU_LINK_BUILD_RETIRE   16:16 // word 2: with the retire stream
`define IGPU_LINK_BUILD_FRAMES   15:8  // that the board holds
`define IGPU_LINK_BUILD_RUNS     7:0   // ahead of a thread

// Over a line of bytes: frames between ENDs (SLIP, RFC 1055).
`define IGPU_LINK_END         192 // ends a frame, and begins one
`define IGPU_LINK_ESC         219 // the next byte stands for another:
`define IGPU_LINK_ESC_END     220 // for END
`define IGPU_LINK_ESC_ESC     221 // for ESC

// The window of memory of a bus (rtl/link/igpu_link_window.v): byte offsets, sizes.
`define IGPU_LINK_WIN_ID      0    // {MAGIC 16, VERSION 16}
`define IGPU_LINK_WIN_DOWN    4    // words that the host has put into the ring down
`define IGPU_LINK_WIN_TAKEN   8    // ... and that the board took of it
`define IGPU_LINK_WIN_UP      12   // words that the board has put into the ring up
`define IGPU_LINK_WIN_READ    16   // ... and that the host took of it
`define IGPU_LINK_WIN_RING    1024 // words of a ring
`define IGPU_LINK_WIN_RINGS   8192 // the ring down; the ring up follows
`define IGPU_LINK_WIN_BYTES   16384

// Types of frames.
`define IGPU_LINK_DATA        0
`define IGPU_LINK_ACK         1   // no payload
`define IGPU_LINK_HELLO       2   // host: a session begins; board: what was built
`define IGPU_LINK_STRANGER    3   // board: this is not my session

// Which command or event a word begins, and the place that it is about.
`define IGPU_LINK_TAG         31:28
`define IGPU_LINK_REST        27:0
`define IGPU_LINK_PLACE       27:19 // tile, EU and slot:
`define IGPU_LINK_TILE        27:25
`define IGPU_LINK_EU          24:22
`define IGPU_LINK_SLOT        21:19

// Commands, host to board.
`define IGPU_LINK_CMD_CFG     1
`define IGPU_LINK_CMD_STORE   2   // four words more
`define IGPU_LINK_CMD_LAUNCH  3   // threads, cycle, cycle
`define IGPU_LINK_CMD_AT      4   // REST: cycles to add to the base of what follows
`define IGPU_LINK_CMD_DONE    5   // at a place
`define IGPU_LINK_CMD_RUN     6   // for a place; the runs
`define IGPU_LINK_CMD_FIRST   7   // for a tile, with a wait; the run
`define IGPU_LINK_CMD_WAIT    8   // a wait
`define IGPU_LINK_CMD_LIMIT   9   // REST: cycles from the base; messages seen
`define IGPU_LINK_CMD_LOOK    10
`define IGPU_LINK_CMD_COUNT   11  // all counters; only while the board stands
`define IGPU_LINK_CMD_REDIR   12  // for the place of a BRANCH, with a wait; the run

// Their fields.
`define IGPU_LINK_CFG_ADDR      14:8  // igpu_regs.vh
`define IGPU_LINK_CFG_DATA      7:0
`define IGPU_LINK_STORE_KIND    27:26 // of the instruction's message
`define IGPU_LINK_STORE_INDEX   16:0
`define IGPU_LINK_STORE_SET     21:0  // first word more: what it sets (igpu_eu.vh)
`define IGPU_LINK_STORE_HIGH    24:22 // ... and its control word's bits from 32 on
`define IGPU_LINK_LAUNCH_SLM    13:7  // KB of a group
`define IGPU_LINK_LAUNCH_PINNED 6:6
`define IGPU_LINK_LAUNCH_TPG    5:0   // threads of a group
`define IGPU_LINK_DONE_BITS     24:0  // all but the tile
`define IGPU_LINK_DONE_UOP      18:2
`define IGPU_LINK_DONE_CREDIT   1:1
`define IGPU_LINK_DONE_WB       0:0
`define IGPU_LINK_RUN_WORDS     7:0
`define IGPU_LINK_WAIT          7:0   // cycles until code is there
`define IGPU_LINK_LIMIT_SEEN    15:0
`define IGPU_LINK_LOOK_KIND     27:26
`define IGPU_LINK_LOOK_CYCLES   11:0  // lookahead; 0: none is needed

// A run.
`define IGPU_LINK_RUN_LAST    30:30 // nothing of its thread follows
`define IGPU_LINK_RUN_HIT     29:29 // its code is in the instruction cache
`define IGPU_LINK_RUN_PC      28:12 // first instruction
`define IGPU_LINK_RUN_LEN     11:0
`define IGPU_LINK_RUN_BITS    28:0  // both
`define IGPU_LINK_RUN_W       29

// Kinds of messages, each with a lookahead of its own; the last is no message.
`define IGPU_LINK_KIND_PORT   0
`define IGPU_LINK_KIND_WRITE  1
`define IGPU_LINK_KIND_GATE   2
`define IGPU_LINK_KIND_EOT    3

// Events, board to host.
`define IGPU_LINK_EV_TIME     1   // REST: cycles to add to the base
`define IGPU_LINK_EV_MSG      2   // at a place: UOP
`define IGPU_LINK_EV_OPEN     3   // at a place
`define IGPU_LINK_EV_ISSUE    4   // at a place: UNIT, UOP
`define IGPU_LINK_EV_ASK      5   // at a place: the wait of the run there in its queue?
`define IGPU_LINK_EV_TAKE     6   // at a place: runs up to QUEUED were taken
`define IGPU_LINK_EV_OVER     7   // the launch's last END takes effect
`define IGPU_LINK_EV_IDLE     8   // stands before this cycle
`define IGPU_LINK_EV_LATE     9   // a DONE came too late
`define IGPU_LINK_EV_END      10  // at a place: a thread ended; only without retire stream
`define IGPU_LINK_EV_COUNT    11  // a word of counters: by pipeline, context, word
`define IGPU_LINK_EV_HELD     12  // time stands until runs come; nothing is under way
`define IGPU_LINK_EV_BRANCH   13  // as ISSUE; its thread has no run: REDIR, after the next HELD

// Their fields.
`define IGPU_LINK_UOP         16:0
`define IGPU_LINK_UNIT        18:17
`define IGPU_LINK_OPEN_THREAD 18:5  // its low bits
`define IGPU_LINK_OPEN_BSLOT  4:0   // barrier slot
`define IGPU_LINK_ASK_QUEUED  2:0   // the run's place in its queue; of a TAKE too
`define IGPU_LINK_IDLE_SOON   27:17 // nothing happens for so long; all ones: by itself never
`define IGPU_LINK_IDLE_CLOCKS 16:0  // that it took, in sixteens
`define IGPU_LINK_END_LEFT    7:0   // cycles until no unit of the EU is occupied
`define IGPU_LINK_COUNT_DATA  23:0  // igpu_regs.vh: IGPU_COUNT_*

`endif
