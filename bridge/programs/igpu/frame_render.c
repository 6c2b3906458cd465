/* frame_render.c - `igpu frame render`: a captured frame executed, its picture, and how
 * far that is from another one. */
#include "bridge/programs/igpu/frame_render.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/host/sim/lockstep_ops.h"
#include "bridge/programs/igpu/commands.h"
#include "bridge/programs/igpu/frame_count.h"
#include "bridge/programs/igpu/frame_heat.h"
#include "bridge/programs/igpu/frame_play.h"
#include "bridge/programs/igpu/picture.h"
#include "igpu/gfx.h"
#include "igpu/option.h"
#include "igpu/program.h"

/* Of the pixels, in thousandths, that must be near. */
enum { ENOUGH = 995 };
enum { OPT_FRAME = IGPU_OPTION_LONG, OPT_COMPARE, OPT_DIFFERENCE, OPT_COUNTERS };
enum { OPT_DRAWS = OPT_COUNTERS + 1, OPT_JSON, OPT_OVERDRAW, OPT_EVERY };
enum { OPT_TIMES = OPT_EVERY + 1, OPT_HEAT, OPT_BUSIEST, OPT_RTL_VALUES };

static const char program[] = "igpu frame render";

struct options {
    const char *out, *compare, *difference, *file, *draws, *json, *overdraw, *every;
    const char *times, *heat;
    uint64_t frame; /* 0: the last one */
    bool counters, busiest, rtl_values;
};

const struct igpu_option frame_render_options[] = {
    {OPT_FRAME, "frame", "N", "the frame (default: the last one in the file)"},
    {OPT_COMPARE, "compare", "REF.png",
     "status 1 unless 99.5 % of the pixels are within 3 of 255\n"
     "of that picture's"},
    {OPT_DIFFERENCE, "difference", "D.png",
     "how far each pixel is from it, eight times brighter"},
    {OPT_COUNTERS, "counters", "", "what the frame's batches counted, as CSV"},
    {OPT_DRAWS, "draws", "D.csv", "what each of its draws counted, a line a draw"},
    {OPT_JSON, "json", "J.json", "both, with definitions"},
    {OPT_OVERDRAW, "overdraw", "H.png",
     "how often each pixel of the picture was written: blue once,\n"
     "red eight times and more"},
    {OPT_EVERY, "every", "E.csv", "what each frame until then counted, a line a frame"},
    {OPT_TIMES, "times", "C.csv", "what igpu frame time --csv printed, for"},
    {OPT_HEAT, "heat", "H.pfm", "cycles on each pixel of the picture, as floats"},
    {OPT_BUSIEST, "busiest", "",
     "--overdraw and --heat of the target that most pixels were\n"
     "written of, in the place of the picture"},
    {OPT_RTL_VALUES, "rtl-values", "",
     "the frame's shaders on the RTL as well, in lock-step (make\n"
     "igpu-rtl): the first difference ends it, status 1"},
    {'o', "output", "OUT.png", "the picture"},
    {.name = NULL},
};

/* What renders. */
struct renderer {
    struct frame_player player;
    struct gfx_counters before;             /* the frame at hand */
    struct frame_draws draws;               /* of the frame at hand */
    struct frame_sums sums;                 /* of each frame until now */
    struct frame_times times;               /* of the frame that is asked for */
    uint64_t frame;                         /* the one at hand */
    uint64_t asked;                         /* the one that is asked for; 0: any */
    const struct emu_shader_beside *beside; /* of its shaders; NULL: nobody */
    uint64_t shown;                         /* pictures are taken from this one on.. */
    bool passed;                            /* ..and there was one before it */
    struct picture picture;                 /* of the last batch that drew */
};

/* ---- options ------------------------------------------------------------ */

static int render_take(void *ctx, int option)
{
    struct options *o = ctx;

    switch (option) {
    case 'o':
        o->out = optarg;
        return 0;
    case OPT_COMPARE:
        o->compare = optarg;
        return 0;
    case OPT_DIFFERENCE:
        o->difference = optarg;
        return 0;
    case OPT_COUNTERS:
        o->counters = true;
        return 0;
    case OPT_DRAWS:
        o->draws = optarg;
        return 0;
    case OPT_JSON:
        o->json = optarg;
        return 0;
    case OPT_OVERDRAW:
        o->overdraw = optarg;
        return 0;
    case OPT_BUSIEST:
        o->busiest = true;
        return 0;
    case OPT_EVERY:
        o->every = optarg;
        return 0;
    case OPT_RTL_VALUES:
        o->rtl_values = true;
        return 0;
    case OPT_TIMES:
        o->times = optarg;
        return 0;
    case OPT_HEAT:
        o->heat = optarg;
        return 0;
    default:
        return frame_number(program, optarg, &o->frame);
    }
}

static int parse(int argc, char **argv, struct options *o)
{
    int status =
        frame_options(program, argc, argv, frame_render_options, render_take, o);

    if (status != 0)
        return status;
    if (optind + 1 != argc)
        return igpu_complain_of(
            program, IGPU_USAGE,
            "expected one frame file, got %d; see igpu frame --help", argc - optind);
    if (o->out == NULL && o->compare == NULL && !o->counters && o->draws == NULL &&
        o->json == NULL && o->overdraw == NULL && o->every == NULL && o->heat == NULL &&
        !o->rtl_values)
        return igpu_complain_of(program, IGPU_USAGE,
                                "expected -o, --compare, --counters, --draws, --json, "
                                "--overdraw, --every, --heat or "
                                "--rtl-values");
    if ((o->heat == NULL) != (o->times == NULL))
        return igpu_complain_of(program, IGPU_USAGE,
                                "--heat H.pfm and --times C.csv go together");
    if (o->busiest && o->overdraw == NULL && o->heat == NULL)
        return igpu_complain_of(
            program, IGPU_USAGE,
            "--busiest has no meaning without --overdraw or --heat");
    if (o->difference != NULL && o->compare == NULL)
        return igpu_complain_of(program, IGPU_USAGE,
                                "--difference has no meaning without --compare");
    o->file = argv[optind];
    return 0;
}

/* ---- execution ---------------------------------------------------------- */

/* Taken while the batch's buffers are there. */
static enum igpu_status take_picture(struct renderer *r, struct igpu_err *err)
{
    struct gfx_picture made;
    enum igpu_status status = gfx_get_picture(r->player.gfx, &made, err);

    if (status != IGPU_OK)
        return status;
    free(r->picture.rgba);
    r->picture = (struct picture){made.width, made.height, made.rgba};
    return IGPU_OK;
}

static void begin_frame(void *ctx, uint64_t frame)
{
    struct renderer *r = ctx;

    r->frame = frame;
    r->before = *gfx_get_counters(r->player.gfx);
    r->draws.count = 0;
    gfx_forget_overdraw(r->player.gfx);
    gfx_begin_draws(r->player.gfx);
    gfx_step_beside(r->player.gfx, frame == r->asked ? r->beside : NULL);
}

static enum igpu_status batch_done(void *ctx, struct igpu_err *err)
{
    struct renderer *r = ctx;

    frame_sums_set(&r->sums, r->frame, gfx_get_counters(r->player.gfx), &r->before);
    if (!gfx_has_drawn(r->player.gfx))
        return IGPU_OK;
    if (r->frame >= r->shown)
        return take_picture(r, err);
    r->passed = true;
    return IGPU_OK;
}

static enum igpu_status write_heat(const struct renderer *r, const struct options *o,
                                   struct igpu_err *err)
{
    if (r->times.count > r->draws.count)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: draw %u, but the frame has %u; expected the cycles of "
                         "the same frame",
                         o->times, r->times.count, r->draws.count);
    return frame_heat_write(o->heat, r->player.gfx, o->busiest, err);
}

/* What was counted, in the forms that are asked for. */
static enum igpu_status write_counts(struct renderer *r, const struct options *o,
                                     struct igpu_err *err)
{
    const struct gfx_counters counted =
        gfx_counters_since(gfx_get_counters(r->player.gfx), &r->before);
    enum igpu_status status = IGPU_OK;

    if (o->counters)
        frame_print_counters(stdout, &counted);
    if (o->draws != NULL)
        status = frame_write_draws(o->draws, &r->draws, err);
    if (status == IGPU_OK && o->json != NULL)
        status = frame_write_json(o->json, o->file, &counted, &r->draws, err);
    if (status == IGPU_OK && o->overdraw != NULL)
        status = frame_write_overdraw(o->overdraw, r->player.gfx, o->busiest, err);
    if (status == IGPU_OK && o->heat != NULL)
        status = write_heat(r, o, err);
    if (status == IGPU_OK && o->every != NULL)
        status = frame_write_sums(o->every, &r->sums, err);
    return status;
}

/* ---- the picture -------------------------------------------------------- */

static enum igpu_status pictures_compare(const struct options *o,
                                         const struct picture *ours,
                                         struct igpu_err *err)
{
    struct picture ref, difference = {0, 0, NULL};
    enum igpu_status status = picture_read(o->compare, &ref, err);
    struct picture_distance d;

    if (status != IGPU_OK)
        return status;
    if (ref.width != ours->width || ref.height != ours->height) {
        status =
            igpu_fail(err, IGPU_BAD_INPUT, "%s: %u x %u pixels, the frame has %u x %u",
                      o->compare, ref.width, ref.height, ours->width, ours->height);
        free(ref.rgba);
        return status;
    }
    d = picture_compare(ours, &ref);
    printf("%" PRIu64 " pixels, %.3f %% the same, %.3f %% within %d of 255, worst %u\n",
           d.pixels, 100.0 * (double)d.same / (double)d.pixels,
           100.0 * (double)d.near / (double)d.pixels, PICTURE_NEAR, d.worst);
    if (o->difference != NULL)
        status = picture_difference(ours, &ref, &difference, err);
    if (status == IGPU_OK && o->difference != NULL)
        status = picture_write(o->difference, &difference, err);
    if (status == IGPU_OK && d.near * 1000 < d.pixels * ENOUGH)
        status = igpu_fail(err, IGPU_SIM_ERROR,
                           "%s: less than 99.5 %% of the pixels are within %d of 255",
                           o->compare, PICTURE_NEAR);
    free(difference.rgba);
    free(ref.rgba);
    return status;
}

static enum igpu_status show(struct renderer *r, const struct options *o,
                             struct igpu_err *err)
{
    enum igpu_status status = write_counts(r, o, err);

    if (status != IGPU_OK || (o->out == NULL && o->compare == NULL))
        return status;
    if (r->picture.rgba == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "%s: nothing is drawn up to there",
                         o->file);
    if (o->out != NULL)
        status = picture_write(o->out, &r->picture, err);
    if (status == IGPU_OK && o->compare != NULL)
        status = pictures_compare(o, &r->picture, err);
    return status;
}

static enum igpu_status play(struct renderer *r, const struct options *o,
                             uint64_t shown, struct igpu_err *err)
{
    const struct frame_play_hooks hooks = {
        .ctx = r, .begin = begin_frame, .batch = batch_done};
    enum igpu_status status = frame_player_open(&r->player, o->file, err);

    if (status != IGPU_OK)
        return status;
    r->shown = shown;
    gfx_watch_draws(r->player.gfx, frame_draws_add, &r->draws);
    gfx_count_overdraw(r->player.gfx, o->overdraw != NULL || o->heat != NULL);
    gfx_lay_cycles(r->player.gfx, r->times.cycles, r->times.count);
    return frame_play(&r->player, o->frame, &hooks, err);
}

/* From which frame on pictures are taken. The last one counts, and a frame may draw
 * nothing; UINT64_MAX: nobody wants any. */
static uint64_t first_shown(const struct renderer *r, const struct options *o)
{
    enum { FRAMES = 3 };
    uint64_t last = o->frame;
    struct igpu_err err;

    if (o->out == NULL && o->compare == NULL)
        return UINT64_MAX;
    if (r->beside != NULL) /* nobody executes a frame twice in lock-step */
        return 1;
    if (last == 0 && frame_find_last(o->file, &last, &err) != IGPU_OK)
        return 1;
    return last > FRAMES ? last - FRAMES + 1 : 1;
}

static enum igpu_status render(struct renderer *r, const struct options *o,
                               struct igpu_err *err)
{
    const uint64_t shown = first_shown(r, o);
    enum igpu_status status = IGPU_OK;

    r->asked = o->frame;
    if (o->times != NULL)
        status = frame_times_read(o->times, &r->times, err);
    if (status == IGPU_OK && r->asked == 0 && r->beside != NULL)
        status = frame_find_last(o->file, &r->asked, err);
    if (status == IGPU_OK)
        status = play(r, o, shown, err);
    if (status == IGPU_OK && r->picture.rgba == NULL && r->passed &&
        shown != UINT64_MAX) {
        frame_player_close(&r->player);
        status = play(r, o, 1, err);
    }
    return status == IGPU_OK ? show(r, o, err) : status;
}

/* With values in RTL beside the frame's shaders. */
static enum igpu_status render_beside(struct renderer *r, const struct options *o,
                                      const struct lockstep_ops *rtl,
                                      struct igpu_err *err)
{
    struct lockstep *lockstep;
    enum igpu_status status = rtl->create(&lockstep, err);

    if (status != IGPU_OK)
        return status;
    r->beside = rtl->shaders(lockstep);
    status = render(r, o, err);
    if (status == IGPU_OK)
        rtl->print(lockstep, stdout);
    rtl->destroy(lockstep);
    return status;
}

int frame_render_with(int argc, char **argv, const struct lockstep_ops *rtl)
{
    struct options o = {.out = NULL};
    struct renderer r = {.before = {0}};
    struct igpu_err err = {.text = ""};
    enum igpu_status status = (enum igpu_status)parse(argc, argv, &o);

    if (status != IGPU_OK)
        return (int)status;
    if (o.rtl_values && rtl == NULL)
        return hand_over_to_rtl(argc, argv);
    status = o.rtl_values ? render_beside(&r, &o, rtl, &err) : render(&r, &o, &err);
    frame_player_close(&r.player);
    free(r.draws.draw);
    free(r.sums.frame);
    free(r.times.cycles);
    free(r.picture.rgba);
    if (status != IGPU_OK)
        return igpu_complain(program, status, &err);
    return (int)status;
}

int frame_render(int argc, char **argv)
{
    return frame_render_with(argc, argv, NULL);
}
