/* options_help.c - what --help prints. */
#include "bridge/programs/cli/options.h"

static void profile_help(FILE *out)
{
    fprintf(
        out,
        "usage: igpu profile [options] TRACE.pb\n"
        "       igpu profile [options] [--frame N] FRAMES.igf\n"
        "       igpu profile [options] -- PROGRAM [ARGUMENTS]\n\n"
        "Where the cycles of each launch's threads go, by instruction and reason; "
        "what holds\n"
        "the launch up, and what is to blame (docs/guide/profile.md). A program is run "
        "as `igpu run`\n"
        "runs it, and recorded.\n\n"
        "      --html FILE              a page: listing, reasons, producers, "
        "roofline\n"
        "      --json FILE|-            the same as JSON\n"
        "      --top N                  instructions in the text (default 20)\n"
        "      --energy                 also the EUs' energy, by instruction\n"
        "      --by eu|slot|group|stage also by EU, thread slot, work-group or shader\n"
        "      --frame N                of a capture: this frame (default: the last)\n"
        "      --kernels A..B           only these launches, counted from 0\n"
        "  -c, --config NAME|FILE.yaml  %s,\n"
        "                               or a file (default: of the trace's "
        "device)\n"
        "  -s, --set KEY=VALUE          change one parameter; repeatable\n"
        "      --max-cycles N           stop at cycle N (exit status 4)\n"
        "      --quiet                  no progress\n\n"
        "And the other options of igpu ref, whose engine it uses; ./Vigpu --profile "
        "has the\n"
        "RTL's, which is the same.\n",
        igpu_config_preset_names());
}

void options_help(FILE *out, const struct engine_set *engines)
{
    if (engines->profiles) {
        profile_help(out);
        return;
    }
    fprintf(out, "usage: %s [options] TRACE.pb\n\n", engines->program);
    fprintf(out,
            "  -c, --config NAME|FILE.yaml  %s,\n"
            "                               or a file (default: of the trace's device, "
            "skl-gt2 or kbl-gt3e)\n"
            "  -s, --set KEY=VALUE          change one parameter; repeatable\n"
            "      --json FILE|-            statistics as JSON\n"
            "      --csv FILE|-             statistics as CSV, a line per launch\n"
            "      --timeline FILE          threads, instructions and messages for "
            "Perfetto\n"
            "      --timeline-from N, --timeline-to N\n"
            "                               only what is under way in these cycles\n",
            igpu_config_preset_names());
    if (engines->rtl != NULL)
        fputs("      --engine rtl|ref         the RTL, an object for each EU "
              "(default); the "
              "C reference\n"
              "      --engine array           the RTL's top with all EUs\n"
              "      --engine pipe|pipe:3x8   ... with the EUs as on a board: in one "
              "pipeline, or one\n"
              "                               for each of 3 subslices\n"
              "      --engine fpga:udp:HOST[:PORT], fpga:serial:DEVICE[:BAUD], "
              "fpga:pcie:FILE[@OFFSET]\n"
              "                               a board (docs/develop/fpga.md)\n"
              "      --check                  run RTL and reference side by side\n"
              "      --check-values           FPU results of the RTL against the "
              "trace's\n"
              "      --wave FILE.fst          waves of the RTL (slow)\n",
              out);
    fputs(
        "      --profile FILE|-         cycles by instruction and reason "
        "(docs/guide/profile.md) "
        "as\n"
        "                               JSON, or as a page where FILE ends in .html\n"
        "      --energy                 energy and power (docs/contract/power.md)\n"
        "      --energy-band N[:SEED]   the same, with a band from N draws of the "
        "estimates\n"
        "      --band                   cycles with an interval, by 16 more "
        "simulations\n"
        "                               (docs/reference/measured.md)\n"
        "      --cpu AGENT              beside the GPU: chase:BYTES[:THREADS],\n"
        "                               stream:BYTES[:THREADS], trace:FILE, none\n"
        "      --oa FILE                OA reports, as i915-perf-recorder makes them\n"
        "      --counters SET           an OA metric set (ComputeBasic), and print it\n"
        "      --every TIME             an OA report each 10us, ..., for --oa,\n"
        "                               --counters and --timeline\n"
        "      --per-launch             before and behind each launch instead\n"
        "      --execute                a launch file, executed in time "
        "(docs/contract/execution.md)\n"
        "      --rtl-values             with --execute: values by the RTL as well\n"
        "      --dump-buf N:FILE        with --execute: argument N's buffer after the "
        "run\n"
        "      --kernels A..B           only these launches, counted from 0\n"
        "      --warm                   caches as the launches before these leave "
        "them\n"
        "      --sample error=2%        simulate as much of each launch, and as many "
        "launches,\n"
        "                               as this error of the cycles needs "
        "(docs/guide/sampling.md)\n"
        "  -j N                         launches in pieces on N processes "
        "(docs/guide/sampling.md)\n"
        "      --messages FILE          each message with its times and addresses, as "
        "CSV\n"
        "      --series FILE            statistics over time, as CSV\n"
        "      --series-every N         a line every N cycles (default 1000)\n"
        "      --max-cycles N           stop at cycle N (exit status 4)\n"
        "      --threads N              host threads for the RTL tiles (default 1)\n"
        "      --quiet                  no progress\n"
        "      --dump-config FILE|-     write the resolved configuration\n"
        "      --stats-help             every statistic with unit and definition\n"
        "      --batch                  the only word: simulate what stdin asks for\n"
        "      --help, --version\n"
        "\nExit status: 0 done, 1 simulation error, 2 usage, 3 bad input, 4 stopped "
        "early.\n",
        out);
}
