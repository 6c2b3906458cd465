/* frame_play.h - a captured file, executed batch by batch up to the end of a frame. */
#ifndef BRIDGE_IGPU_FRAME_PLAY_H
#define BRIDGE_IGPU_FRAME_PLAY_H
#include "igpu/gfx.h"
#include "traces/frame/frame.h"

struct frame_player {
    struct frame_reader *reader;
    struct frame_memory *memory;
    struct gfx *gfx;
    struct gfx_buffer *buffer;
    uint64_t batches; /* executed */
};

/* Who is told; ctx is the first argument. NULL: nobody. */
struct frame_play_hooks {
    void *ctx;
    void (*begin)(void *ctx, uint64_t frame); /* the frame's first batch is next */
    /* A record was read, and memory follows it; a batch is executed next. */
    enum igpu_status (*record)(void *ctx, const struct frame_record *record,
                               struct igpu_err *err);
    /* A batch is done, its buffers are there. */
    enum igpu_status (*batch)(void *ctx, struct igpu_err *err);
};

/* IGPU_BAD_INPUT, IGPU_USAGE as of frame_open(); memory is short: IGPU_SIM_ERROR. To be
 * closed in every case. */
enum igpu_status frame_player_open(struct frame_player *p, const char *file,
                                   struct igpu_err *err);
void frame_player_close(struct frame_player *p);
/* Execute up to the end of the frame, from 1; 0: of the file. IGPU_USAGE: it has fewer
 * frames. IGPU_SIM_ERROR: the text names batch, command and reason. */
enum igpu_status frame_play(struct frame_player *p, uint64_t frame,
                            const struct frame_play_hooks *hooks, struct igpu_err *err);

/* The number of the file's last frame. IGPU_USAGE: no frame is in it. */
enum igpu_status frame_find_last(const char *file, uint64_t *frame,
                                 struct igpu_err *err);
/* The options of a verb, each to take(ctx, option), which returns 0 or the exit status.
 * Returns the first of these that is not 0, or that of an unknown option; the first
 * argument is argv[optind] then. */
struct igpu_option;
int frame_options(const char *program, int argc, char **argv,
                  const struct igpu_option *table, int (*take)(void *ctx, int option),
                  void *ctx);
/* The value of an option --frame, from 1, to *frame. Returns 0, or the exit status
 * after a line that begins with `program`. */
int frame_number(const char *program, const char *text, uint64_t *frame);
/* N or N-M, M not below N, from 1 to FRAME_MOST. False: the text is neither. */
enum { FRAME_MOST = 1000000 };
bool frame_range(const char *text, uint64_t *first, uint64_t *last);
#endif
