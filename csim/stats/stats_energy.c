/* stats_energy.c - energies as text, JSON and CSV; docs/contract/power.md says what
 * they are. */
#include "csim/stats/stats_energy.h"

#include <inttypes.h>

static double nj(double pj)
{
    return pj / 1e3;
}

static double uj(double pj)
{
    return pj / 1e6;
}

/* Picojoules over seconds. */
static double watts(double pj, double seconds)
{
    return seconds > 0 ? pj / 1e12 / seconds : 0;
}

/* ---- JSON ---------------------------------------------------------------- */

static void json_planes(struct igpu_json *j, const struct power_report *r)
{
    char key[32];

    for (unsigned i = 0; i < POWER_PLANES; i++) {
        (void)snprintf(key, sizeof(key), "%s_nj",
                       power_plane_name((enum power_plane)i));
        igpu_json_real(j, key, nj(r->plane_pj[i]), 6);
    }
    igpu_json_real(j, "igpu_nj", nj(power_igpu_pj(r)), 6);
}

static void json_range(struct igpu_json *j, const char *key, const double three[3],
                       double unit)
{
    igpu_json_array(j, key, IGPU_JSON_ROW);
    for (unsigned i = 0; i < 3; i++)
        igpu_json_real(j, NULL, three[i] / unit, 6);
    igpu_json_end(j);
}

static void json_band(struct igpu_json *j, const struct stats_energy *e)
{
    char key[32];

    igpu_json_object(j, "band", IGPU_JSON_ROW);
    igpu_json_u64(j, "seed", e->seed);
    igpu_json_u64(j, "draws", e->draws);
    for (unsigned i = 0; i < POWER_PLANES; i++) {
        (void)snprintf(key, sizeof(key), "%s_nj",
                       power_plane_name((enum power_plane)i));
        json_range(j, key, e->band->plane_pj[i], 1e3);
    }
    json_range(j, "gflops_per_watt", e->band->gflops_per_watt, 1);
    igpu_json_end(j);
}

void stats_energy_json(struct igpu_json *j, const struct power_report *r,
                       const struct stats_energy *all)
{
    igpu_json_object(j, "energy", IGPU_JSON_LINES);
    json_planes(j, r);
    igpu_json_real(j, "seconds", r->seconds, 12);
    igpu_json_real(j, "volts", r->volts, 6);
    igpu_json_real(j, "pkg_w", watts(r->plane_pj[POWER_PKG], r->seconds), 6);
    igpu_json_real(j, "pj_per_flop", r->pj_per_flop, 6);
    igpu_json_real(j, "gflops_per_watt", r->gflops_per_watt, 6);
    igpu_json_object(j, "parts_nj", IGPU_JSON_ROW);
    for (unsigned i = 0; i < POWER_PARTS; i++)
        igpu_json_real(j, power_part_name((enum power_part)i), nj(r->part_pj[i]), 6);
    igpu_json_end(j);
    igpu_json_object(j, "classes_nj", IGPU_JSON_ROW);
    for (unsigned i = 0; i < POWER_CLASSES; i++)
        if (r->class_pj[i] > 0)
            igpu_json_real(j, power_class_name((enum power_class)i), nj(r->class_pj[i]),
                           6);
    igpu_json_end(j);
    if (all != NULL && all->band != NULL)
        json_band(j, all);
    igpu_json_end(j);
}

/* ---- CSV ----------------------------------------------------------------- */

void stats_energy_columns(FILE *out)
{
    for (unsigned i = 0; i < POWER_PLANES; i++)
        fprintf(out, ",energy.%s_nj", power_plane_name((enum power_plane)i));
    fputs(",energy.igpu_nj,energy.pj_per_flop,energy.gflops_per_watt", out);
    for (unsigned i = 0; i < POWER_PARTS; i++)
        fprintf(out, ",energy.%s_nj", power_part_name((enum power_part)i));
}

void stats_energy_csv(FILE *out, const struct power_report *r)
{
    for (unsigned i = 0; i < POWER_PLANES; i++)
        fprintf(out, ",%.6f", nj(r->plane_pj[i]));
    fprintf(out, ",%.6f,%.6f,%.6f", nj(power_igpu_pj(r)), r->pj_per_flop,
            r->gflops_per_watt);
    for (unsigned i = 0; i < POWER_PARTS; i++)
        fprintf(out, ",%.6f", nj(r->part_pj[i]));
}

/* ---- text ---------------------------------------------------------------- */

static void text_rows(FILE *out, const struct power_report *r)
{
    double all = r->plane_pj[POWER_PKG] + r->plane_pj[POWER_DRAM];

    for (unsigned i = 0; i < POWER_PARTS; i++)
        if (r->part_pj[i] > 0)
            fprintf(out, "  %-18s %12.3f uJ %5.1f %%  %s\n",
                    power_part_name((enum power_part)i), uj(r->part_pj[i]),
                    all > 0 ? 100 * r->part_pj[i] / all : 0,
                    power_part_text((enum power_part)i));
    fputs("of fpu, grf, front_end, icache and send, by class of instruction\n", out);
    for (unsigned i = 0; i < POWER_CLASSES; i++)
        if (r->class_pj[i] > 0)
            fprintf(out, "  %-18s %12.3f uJ\n", power_class_name((enum power_class)i),
                    uj(r->class_pj[i]));
}

static void text_band(FILE *out, const struct stats_energy *e)
{
    const struct power_band *b = e->band;

    fprintf(out,
            "band          5 to 95 %% of %" PRIu32 " draws, seed %" PRIu64
            ": PKG %.3f to %.3f uJ, DRAM %.3f to %.3f uJ",
            e->draws, e->seed, uj(b->plane_pj[POWER_PKG][0]),
            uj(b->plane_pj[POWER_PKG][2]), uj(b->plane_pj[POWER_DRAM][0]),
            uj(b->plane_pj[POWER_DRAM][2]));
    if (b->gflops_per_watt[2] > 0)
        fprintf(out, ", %.2f to %.2f GFLOPS/W", b->gflops_per_watt[0],
                b->gflops_per_watt[2]);
    fputc('\n', out);
}

void stats_energy_text(FILE *out, const struct stats_report *report)
{
    const struct power_report *r = report->energy->total;

    for (uint32_t i = 0; i < report->launches && report->launches > 1; i++) {
        const struct power_report *l = &report->energy->launch[i];

        fprintf(out, "energy %-6u %s: PKG %.3f uJ, %.2f W\n", report->launch[i].index,
                report->launch[i].kernel, uj(l->plane_pj[POWER_PKG]),
                watts(l->plane_pj[POWER_PKG], l->seconds));
    }
    fprintf(out,
            "energy        PKG %.3f uJ (PP0 %.3f, PP1 %.3f), DRAM %.3f uJ\n"
            "power         PKG %.3f W (PP0 %.3f, PP1 %.3f), DRAM %.3f W, at %.0f mV\n",
            uj(r->plane_pj[POWER_PKG]), uj(r->plane_pj[POWER_PP0]),
            uj(r->plane_pj[POWER_PP1]), uj(r->plane_pj[POWER_DRAM]),
            watts(r->plane_pj[POWER_PKG], r->seconds),
            watts(r->plane_pj[POWER_PP0], r->seconds),
            watts(r->plane_pj[POWER_PP1], r->seconds),
            watts(r->plane_pj[POWER_DRAM], r->seconds), 1e3 * r->volts);
    if (r->gflops_per_watt > 0)
        fprintf(out,
                "efficiency    %.2f pJ per FLOP, %.2f GFLOPS/W (PKG - PP0 - DRAM)\n",
                r->pj_per_flop, r->gflops_per_watt);
    text_rows(out, r);
    if (report->energy->band != NULL)
        text_band(out, report->energy);
    fprintf(out,
            "calibrated    power.eu_scale = %.3f on paper 2's 35 GFLOPS/W; sources: "
            "docs/contract/power.md\n",
            (double)report->config->power_eu_scale / 1e3);
}
