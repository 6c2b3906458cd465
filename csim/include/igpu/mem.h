/* mem.h - the memory side: gateway, data ports, SLM, L3, MSHRs, LLC, eDRAM,
 * DRAM. Takes messages in the order (cycle, subslice), answers with
 * completions. Contract: docs/contract/memory.md. Knows no RTL, no protobuf, no trace.
 */
#ifndef IGPU_MEM_H
#define IGPU_MEM_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/config.h"
#include "igpu/dram_command.h"
#include "igpu/err.h"
#include "igpu/sample.h"

enum { MEM_MAX_LANES = 32 };

enum mem_op {
    MEM_READ,
    MEM_WRITE,
    MEM_ATOMIC, /* read-modify-write at L3 or SLM */
    MEM_FENCE, /* answered when the subslice's earlier writes of that thread are done */
    MEM_BARRIER,     /* gateway: arrival of a thread */
    MEM_OTHER,       /* answered after a fixed time: timestamps */
    MEM_INTERPOLATE, /* the same: the pixel interpolator's */
    MEM_PAYLOAD,     /* of graphics: of a slot with mem_graphics_begin() */
    MEM_TEXTURE,     /* the sampler's; its lanes are lines of texels */
    MEM_TARGET,      /* of graphics: the render target's; its lanes are lines of
                        pixels, and of depth and stencil */
    MEM_FLUSH        /* the subslice's sampler forgets what its caches hold */
};

/* How a line of graphics is touched: bits. WRITTEN, READ: it is one of a depth or
 * stencil buffer that tests touch so (NOTE: it is hierarchical depth's).
 * Two lines side by side in tile Y, 512 B apart, are a pair. Where a render target is
 * compressed one line may hold both. PACKED, PACKS: it does, as the message finds the
 * pair / as it leaves it. */
enum {
    MEM_DEPTH_WRITTEN = 1,
    MEM_DEPTH_READ = 2,
    MEM_DEPTH_NOTE = 4,
    MEM_LINE_PACKED = 8,
    MEM_LINE_PACKS = 16
};

/* Lines of a depth or stencil buffer that tests touch alike: the address of their page,
 * and a bit for each of its 64 lines. */
enum { MEM_DEPTH_PAGE = 4096, MEM_DEPTH_RUNS = 12 /* of a thread */ };
struct mem_depth {
    uint64_t page, lines;
    uint8_t how; /* MEM_DEPTH_ bits */
};

enum {
    MEM_PARTNER = 8 /* the bit of a line's number in which its partner's differs */
};
static inline uint64_t mem_packed_line(uint64_t line)
{
    return line & ~(uint64_t)MEM_PARTNER;
}

enum mem_space { MEM_GLOBAL, MEM_SLM };

/* The work of a MEM_TEXTURE message, and of a MEM_TARGET. */
struct mem_texture {
    uint32_t samples;  /* bilinear ones of 32 bits */
    uint32_t look_ups; /* of lines by its quads, if these are more than its lines */
};
struct mem_target {
    uint32_t written, read; /* pixels; read: before they are written */
};

/* One message as the send arbiter granted it. `op` tells which of its bodies it has:
 * those of graphics have `texture` or `target`, and `how`. */
struct mem_msg {
    uint64_t cycle; /* GPU cycle of the grant */
    uint8_t subslice, eu, slot;
    uint8_t op;    /* enum mem_op */
    uint8_t space; /* enum mem_space */
    uint8_t rlen;  /* GRFs of response; 0: none */
    uint8_t bslot; /* MEM_BARRIER: the group's barrier slot */
    uint8_t lanes; /* entries in addr; 0: no lane enabled */
    uint16_t
        bytes; /* contiguous bytes at each address, 1..256 (a block message: 1 lane) */
    uint32_t uop; /* returned in the completion */
    bool credit;  /* the completion returns a credit */
    bool wb;      /* the completion clears scoreboard bits */
    bool even; /* MEM_READ, MEM_WRITE: only addr[0] is given, and from lane to lane */
    union {
        uint64_t stride;            /* even: it is so far, modulo 2^64 */
        struct mem_texture texture; /* MEM_TEXTURE */
        struct mem_target target;   /* MEM_TARGET */
    };
    uint64_t addr[MEM_MAX_LANES]; /* virtual byte addresses, or SLM offsets from
                                   * the subslice's base; enabled lanes only */
    uint8_t how[MEM_MAX_LANES];   /* MEM_TEXTURE, MEM_TARGET: of each lane's line */
};

/* The address of lane i < msg->lanes. */
static inline uint64_t mem_lane(const struct mem_msg *msg, uint32_t i)
{
    return msg->even ? msg->addr[0] + i * msg->stride : msg->addr[i];
}

/* Where a message was answered: what has its last line of those that came from
 * farthest away, or what answers messages without lines. */
enum mem_level {
    MEM_AT_L3, /* the first four: of lines */
    MEM_AT_LLC,
    MEM_AT_EDRAM,
    MEM_AT_DRAM,
    MEM_AT_SLM,
    MEM_AT_SAMPLER,
    MEM_AT_TARGET,  /* render target */
    MEM_AT_PAYLOAD, /* fixed functions before a thread of graphics */
    MEM_AT_GATEWAY, /* barrier */
    MEM_AT_PORT,    /* the data port itself: fences, timestamps, no enabled lane */
    MEM_LEVELS
};
enum { MEM_LINE_LEVELS = MEM_AT_DRAM + 1 };

struct mem_done {
    uint64_t cycle; /* takes effect in the tile; at most one per subslice and cycle */
    uint32_t uop;
    uint8_t subslice, eu, slot;
    bool credit, wb;
};

/* How a message went, for whoever wants to know. */
struct mem_way {
    uint8_t level;                 /* enum mem_level */
    uint8_t from[MEM_LINE_LEVELS]; /* its lines, by where they came from */
    uint64_t sent;                 /* the cycle of its grant */
    uint32_t queued; /* cycles from its arrival at the data port until that began it; */
    uint32_t full;   /* of these, the ones in which the port's table was full */
    uint16_t bytes;  /* of its enabled lanes */
};

struct mem_system;

/* Build the memory side of *config (copied). */
enum igpu_status mem_create(struct mem_system **mem, const struct igpu_config *config,
                            struct igpu_err *err);
void mem_destroy(struct mem_system *mem);

/* The look-ahead: transit in (a) plus transit out (b), the least over all kinds of
 * messages; after mem_run(now) every completion with cycle < now + a + b is final.
 * It bounds the shortest time from a message to its completion, over all
 * messages, for this configuration; at least 1. */
uint64_t mem_min_latency(const struct igpu_config *config);

/* The shortest time from a message to its completion: of barriers, or of all others
 * (an instruction that reads may have no enabled lane, and is answered at once). Not
 * less than mem_min_latency(). */
uint64_t mem_answer_latency(const struct igpu_config *config, bool barrier);

/* A launch begins: its kernel uses SLM or not, which decides how much of the L3
 * holds data (l3.ways, l3.ways_slm); when that changes the L3 is flushed, which
 * takes no time. Resets the peaks of the statistics. Only when mem_idle(). Without
 * any call, as if the first kernel used no SLM. */
void mem_launch(struct mem_system *mem, bool uses_slm);

/* The samplers' caches forget what they hold: what a driver does before a kernel, as
 * they see no write. Only when mem_idle(). */
void mem_forget_texels(struct mem_system *mem);

/* Hand over a message. Messages come in ascending (cycle, subslice), one for each
 * subslice and cycle, and never before the cycle up to which mem_run() has run. A
 * subslice has at most 64 messages with `credit` and 56 at barriers under way. */
void mem_send(struct mem_system *mem, const struct mem_msg *msg);

/* A group of `threads` threads took barrier slot `bslot` (0..31) of `subslice` / one
 * of its threads ended at `cycle` (which may complete a barrier). Ends may come in
 * any order, but not before the cycle up to which mem_run() has run; all ends of a
 * group come before its slot's next group begins. */
void mem_group_begin(struct mem_system *mem, uint8_t subslice, uint8_t bslot,
                     uint32_t threads);
void mem_thread_end(struct mem_system *mem, uint8_t subslice, uint8_t bslot,
                    uint64_t cycle);

/* What fixed functions do for a thread of graphics, and whom it waits for
 * (docs/contract/fixed-functions.md, "Fixed functions"). */
enum mem_work {
    MEM_WORK_VERTICES,
    MEM_WORK_BYTES, /* of vertex buffers */
    MEM_WORK_PRIMITIVES,
    MEM_WORK_BLOCKS, /* of 2x2 pixels */
    MEM_WORK_TESTS,
    MEM_WORK_HIZ, /* blocks of 8x4 pixels tested by hierarchical depth */
    MEM_WORKS
};
struct mem_graphics {
    bool pixel;               /* else it delivers what others wait for */
    uint64_t work[MEM_WORKS]; /* since the thread before it of its draw and stage */
    uint64_t needed; /* so many of the launch's threads that deliver, the first ones */
    uint64_t draw;   /* of the frame, from 1; 0: not known */
    uint32_t runs;   /* of lines that the tests touch: */
    struct mem_depth depth[MEM_DEPTH_RUNS];
};

/* A thread of graphics was opened in the slot / ended there at `cycle`. Both are told
 * in ascending cycles; of one cycle and subslice, opens first. start: its launch's
 * first cycle. */
void mem_graphics_begin(struct mem_system *mem, uint8_t subslice, uint8_t eu,
                        uint8_t slot, uint64_t cycle, uint64_t start,
                        const struct mem_graphics *thread);
void mem_graphics_end(struct mem_system *mem, uint8_t subslice, uint8_t eu,
                      uint8_t slot, uint64_t cycle);

/* Simulate up to (not including) GPU cycle `until`. All messages and thread ends with
 * a cycle below `until` have been handed over. */
void mem_run(struct mem_system *mem, uint64_t until);

/* Take the next completion with cycle < `before`, in ascending (cycle,
 * subslice). False: none is known yet. */
bool mem_take(struct mem_system *mem, uint64_t before, struct mem_done *done);
/* Keep it from now on, or not. Changes no cycle and no counter. */
void mem_tell_ways(struct mem_system *mem, bool tell);
/* Of the answer that was taken last from the subslice; until the next mem_run(). */
const struct mem_way *mem_way(const struct mem_system *mem, uint8_t subslice);

/* A GPU cycle, not below that of the last mem_run(), before which no completion can
 * take effect unless a new message is sent; UINT64_MAX when nothing is under way. */
uint64_t mem_next_event(const struct mem_system *mem);
/* True when every message has been answered, its completion taken, and every write
 * has reached its place: L3, or what is below for lines evicted from there. */
bool mem_idle(const struct mem_system *mem);

/* Outside of time and statistics: L3, TLB, LLC and eDRAM as a read or write of the line
 * (64 B, named by its virtual address / 64) would leave them, without asking the DRAM.
 * A line that is being fetched stays as it is. Any time. */
void mem_warm(struct mem_system *mem, uint64_t line, bool write);
/* The same while threads run, in the cycle to which mem_run() has come, however time
 * was cut before. Their lines in the L3 stay: the line takes a free place there, or
 * none, as if it had come and left again. */
void mem_warm_below(struct mem_system *mem, uint64_t line, bool write);

/* Lines that LLC and eDRAM hold then. */
uint64_t mem_held(struct mem_system *mem);
/* Then, too: LLC and eDRAM as mem_create() left them; nothing is written back. */
void mem_empty_below(struct mem_system *mem);

/* Have the caches and the TLB of *to, idle and of the same configuration, hold what
 * those of *from, idle too, hold. DRAM, clock and statistics of *to stay as they are.
 */
void mem_copy_caches(struct mem_system *to, const struct mem_system *from);

/* How what was under way came to rest, in GPU cycles. */
struct mem_drain {
    uint64_t answered; /* the latest completion so far takes effect; 0: there is none */
    uint64_t quiet; /* the memory side is quiet (docs/contract/memory.md, 1); not before
                     * `answered`, nor before the cycle up to which mem_run() has run,
                     * if it did so in steps of at most mem_min_latency() */
};
/* True, and *drain filled, when nothing is under way; completions may still wait for
 * mem_take(). How time was cut into mem_run()s does not matter. */
bool mem_drained(const struct mem_system *mem, struct mem_drain *drain);

/* True when a message of GPU cycle `cycle` or later finds every bank, bus and place of
 * ports and L3 free: nothing of what came before delays it. */
bool mem_rested(const struct mem_system *mem, uint64_t cycle);

/* Counters since mem_create() (igpu/mem_stats.h); valid until mem_destroy(). Copy them
 * at a launch's begin and subtract (mem_stats_sub()) for the launch's own. */
struct mem_stats;
const struct mem_stats *mem_stats(const struct mem_system *mem);

/* Who is told what the memory side has counted at cycles of its own choice. */
struct mem_sampler {
    void *ctx;
    /* *sample holds what was counted before `cycle`; stays the memory side's. Returns
     * the next such cycle, above this one, or UINT64_MAX. Called from mem_run(), or
     * from mem_sample_from() for cycles that are past. */
    uint64_t (*take)(void *ctx, uint64_t cycle, const struct sample_mem *sample);
};

/* Have *sampler (copied) told from `cycle` on; UINT64_MAX: no more. Of cycles that the
 * inside has passed already (up to dp.in_latency beyond the last mem_run()) it is told
 * what is counted now. Changes no cycle and no counter. */
void mem_sample_from(struct mem_system *mem, uint64_t cycle,
                     const struct mem_sampler *sampler);
/* The cycle that mem_run() has not come to yet; UINT64_MAX: none. */
uint64_t mem_sample_next(const struct mem_system *mem);
/* What is counted now. */
void mem_sample(const struct mem_system *mem, struct sample_mem *sample);
/* Tell `watch` each DRAM command from now on; NULL: nobody. */
void mem_watch_dram(struct mem_system *mem, dram_watch *watch, void *ctx);

struct heat;
/* Who is told which banks and lines are used (igpu/heat.h); NULL: nobody. */
void mem_heat(struct mem_system *mem, struct heat *heat);

/* The conservation laws: requests = answers, hits + misses + merged = accesses, lines
 * out = lines back, nothing left in a table when mem_idle(). IGPU_SIM_ERROR names the
 * first one that does not hold. May be called at any time: what is under way counts
 * only when mem_idle(). */
enum igpu_status mem_check(const struct mem_system *mem, struct igpu_err *err);

/* A description of what is outstanding, for the watchdog: lines of text into
 * buf (always terminated). */
void mem_describe(const struct mem_system *mem, char *buf, uint32_t size);
#endif
