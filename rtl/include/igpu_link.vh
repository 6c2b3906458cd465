// igpu_link.vh - the words that cross the link between a host and the GPU on an FPGA.
//
// The one table of them: the Makefile makes the C header igpu_link_words.h from it. What
// they mean is in docs/fpga.md. Words have 32 bits; over a stream of bytes the low byte
// goes first.
`ifndef IGPU_LINK_VH
`define IGPU_LINK_VH

// A frame: {MAGIC 16, type 4, resend 1, 2 zeros, payload words 9}, {session 16, seq 16},
// {ack 16, 16 zeros}, the payload, CRC-32 (zlib's) of all before it.
`define IGPU_LINK_MAGIC       22358
`define IGPU_LINK_VERSION     1
`define IGPU_LINK_PAYLOAD     256 // words of a frame, at most
`define IGPU_LINK_RX_SLOTS    4   // frames that the board holds: the host's window
`define IGPU_LINK_TX_SLOTS    8   // frames that the board keeps until acknowledged
`define IGPU_LINK_BUILD       4   // words of the answer to HELLO

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

// Commands, host to board: bits 31:28 of their first word.
`define IGPU_LINK_CMD_CFG     1   // {addr 7 at 8, data 8}
`define IGPU_LINK_CMD_STORE   2   // {kind 2 at 26, index 17}; four words more
`define IGPU_LINK_CMD_LAUNCH  3   // {slm 7 at 7, pinned 1, tpg 6}; threads, cycle, cycle
`define IGPU_LINK_CMD_AT      4   // cycles to add to the base of what follows
`define IGPU_LINK_CMD_DONE    5   // {tile 3, EU 3, slot 3, uop 17, credit 1, wb 1}
`define IGPU_LINK_CMD_RUN     6   // {tile 3, EU 3, slot 3, ..., words 8}; the runs
`define IGPU_LINK_CMD_FIRST   7   // {tile 3, ..., wait 8}; the run
`define IGPU_LINK_CMD_WAIT    8   // {..., wait 8}
`define IGPU_LINK_CMD_LIMIT   9   // cycles from the base; messages seen
`define IGPU_LINK_CMD_LOOK    10  // {kind 2 at 26, cycles 12}

// A run: {hit 1 at 29, first instruction 17, length 12}.
`define IGPU_LINK_RUN_HIT     29

// Kinds of messages, each with a lookahead of its own; the last is no message.
`define IGPU_LINK_KIND_PORT   0
`define IGPU_LINK_KIND_WRITE  1
`define IGPU_LINK_KIND_GATE   2
`define IGPU_LINK_KIND_EOT    3

// Events, board to host: bits 31:28; {tile 3, EU 3, slot 3} are bits 27:19.
`define IGPU_LINK_EV_TIME     1   // cycles to add to the base
`define IGPU_LINK_EV_MSG      2   // {..., uop 17}
`define IGPU_LINK_EV_OPEN     3   // {..., thread's low bits 14, barrier slot 5}
`define IGPU_LINK_EV_ISSUE    4   // {..., unit 2, uop 17}
`define IGPU_LINK_EV_ASK      5   // {..., place in its queue 3}: the wait of that run?
`define IGPU_LINK_EV_TAKE     6   // half a queue of runs was taken
`define IGPU_LINK_EV_OVER     7   // the launch's last END takes effect
`define IGPU_LINK_EV_IDLE     8   // stands before this cycle; {asleep for 11, clocks / 16 17}
`define IGPU_LINK_EV_LATE     9   // a DONE came too late
`define IGPU_LINK_EV_END      10  // a thread ended; only without the retire stream

`endif
