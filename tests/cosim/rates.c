/* rates.c - see rates.h. */
#include "rates.h"
#include "bridge/engines/rtl/engine_rtl.h"
#include "igpu/grow.h"
#include "igpu/ref.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cosim.h"
#include "igpu/isa_decode.h"
#include "tests/support/isa_material.h"
#include "traces/feed/uops.h"

/* ---- assembly ---- */

void rates_code_init(struct rates_code *c)
{
    memset(c, 0, sizeof(*c));
    c->out = open_memstream(&c->text, &c->bytes);
    assert_non_null(c->out);
}

void rates_code_free(struct rates_code *c)
{
    free(c->text);
    isa_code_free(&c->code);
    free(c->uops);
}

struct rates_piece rates_code_add(struct rates_code *c, const char *lines)
{
    struct rates_piece piece = {.first = c->lines};

    assert_true(fputs(lines, c->out) >= 0);
    for (; *lines != '\0'; lines++)
        c->lines += *lines == '\n';
    piece.count = c->lines - piece.first;
    return piece;
}

void rates_code_finish(struct rates_code *c)
{
    struct igpu_config config;

    (void)rates_code_add(c, "END:\n");
    c->lines--;
    (void)rates_code_add(c, "send (8|M0) null r127 0x27 0x02000010 {EOT}\n");
    assert_int_equal(fclose(c->out), 0);
    material_code(c->text, &c->code);
    assert_int_equal(c->code.count, c->lines);
    c->uops = calloc(c->code.count, sizeof(*c->uops));
    assert_non_null(c->uops);
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    uops_from_code(&c->code, &config, c->uops);
}

/* ---- runs ---- */

static void see(void *ctx, unsigned side, const struct event *event)
{
    struct rates_seen *s = (struct rates_seen *)ctx + side;

    assert_true(IGPU_APPEND(s->event, s->count, s->capacity, *event));
}

/* The run as a case of the co-simulation. */
static struct rt_case *make_case(const struct rates_code *c,
                                 const struct rates_run *run)
{
    struct rt_case *t = calloc(1, sizeof(*t));
    struct rt_kernel *k;

    assert_non_null(t);
    k = &t->kernel[0];
    assert_true(run->piece.count < RT_MAX_UOPS);
    memcpy(k->uop, c->uops + run->piece.first, run->piece.count * sizeof(k->uop[0]));
    k->uop[run->piece.count] = c->uops[c->code.count - 1];
    k->count = run->piece.count + 1;
    k->paths = 1;
    k->path[0].runs = run->laps + 1;
    k->path[0].run = calloc(k->path[0].runs, sizeof(*k->path[0].run));
    assert_non_null(k->path[0].run);
    for (uint32_t i = 0; i < run->laps; i++)
        k->path[0].run[i] = (struct uop_run){0, run->piece.count, 0};
    k->path[0].run[run->laps] = (struct uop_run){run->piece.count, 1, 0};
    assert_int_equal(igpu_config_preset(&t->config, "skl-gt2", NULL), IGPU_OK);
    t->config.gpu_subslices = run->subslices ? run->subslices : 1;
    t->config.eu_count = run->eus ? run->eus : 1;
    t->memory.min_latency = run->latency ? run->latency : 40;
    t->kernels = t->launches = 1;
    t->launch[0].launch.threads = run->threads;
    t->launch[0].launch.tpg = run->tpg ? run->tpg : 1;
    t->launch[0].launch.pinned = run->tpg > 0;
    return t;
}

void rates_run(const struct rates_code *c, const struct rates_run *run,
               struct rates_seen seen[RATES_SIDES])
{
    static const struct cosim_engine ref = {"the reference", &host_engine_ref, 0, true};
    static const struct cosim_engine rtl = {"the RTL", &host_engine_rtl, 0, true};
    struct cosim_report report = {.see = see, .see_ctx = seen};
    struct rt_case *t = make_case(c, run);

    memset(seen, 0, RATES_SIDES * sizeof(*seen));
    if (!cosim_run(t, &ref, &rtl, &report))
        fail_msg("%s", report.text);
    rt_case_destroy(t);
}

void rates_seen_free(struct rates_seen seen[RATES_SIDES])
{
    for (unsigned i = 0; i < RATES_SIDES; i++)
        free(seen[i].event);
}

double rates_cycles_per(const struct rates_seen *s, enum event_kind kind,
                        uint32_t period)
{
    uint32_t total = 0, first, span, n = 0;
    uint64_t from = 0;

    for (uint32_t i = 0; i < s->count; i++)
        total += s->event[i].kind == kind;
    first = total / 4;
    span = total / 2 / period * period;
    assert_true(span > 0);
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->event[i].kind != kind)
            continue;
        if (n == first)
            from = s->event[i].cycle;
        if (n == first + span)
            return (double)(s->event[i].cycle - from) / span;
        n++;
    }
    fail_msg("%u events are too few", total);
    return NAN;
}

const char *rates_number(double value, char text[32])
{
    size_t n;

    (void)snprintf(text, 32, "%.3f", value);
    n = strlen(text);
    while (text[n - 1] == '0')
        text[--n] = '\0';
    if (text[n - 1] == '.')
        text[n - 1] = '\0';
    return text;
}

static unsigned failures;

void rates_check(const char *row, double value, double low, double high)
{
    if (value >= low - 1e-9 && value <= high + 1e-9)
        return;
    failures++;
    print_error("%s: %f, not %f to %f\n", row, value, low, high);
}

unsigned rates_failures(void)
{
    return failures;
}
