/* ocl_run.c - `igpu run`. The driver in the program takes everything from its
 * environment (docs/guide/opencl.md); this sets it, waits, and sums up the list of
 * launches that the driver left in the folder. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "bridge/programs/igpu/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bridge/host/sample/options.h"
#include "bridge/host/sim/config_file.h"
#include "bridge/programs/igpu/child.h"
#include "bridge/programs/igpu/neo_run.h"
#include "bridge/programs/igpu/ocl_run_oa.h"
#include "bridge/programs/igpu/ocl_summary.h"
#include "igpu/device.h"
#include "igpu/emu.h"
#include "igpu/option.h"
#include "igpu/output.h"
#include "igpu/program.h"
#include "traces/program/compile_folder.h"

enum { PATH_BYTES = 4096, SET_BYTES = 8192, MAX_SETTINGS = 64 };

enum {
    OPT_ONE = IGPU_OPTION_LONG,
    OPT_DRIVER,
    OPT_CSV,
    OPT_LAUNCHES,
    OPT_EVERY,
    OPT_TOTAL,
    OPT_LIMIT,
    OPT_DEVICE_NAME,
    OPT_LENIENT,
    OPT_RACES,
    OPT_TIME,
    OPT_ENERGY,
    OPT_EXECUTE,
    OPT_SAMPLE,
    OPT_SKIP_REST,
    OPT_THREADS,
    OPT_JIT,
    OPT_OA,
    OPT_OA_SET,
    OPT_OA_EVERY,
    OPT_QUIET
};

static const struct igpu_option table[] = {
    {'o', "output", "DIR", "record: one trace for each launch, and launches.csv"},
    {OPT_ONE, "one", "", "one trace.pb for all launches"},
    {'k', "kernel", "PATTERN", "record only kernels with such names ('gemm*')"},
    {OPT_LAUNCHES, "launches", "A..B", "only launches A to B, counted from 0"},
    {OPT_EVERY, "every", "K", "of those, each K-th"},
    {OPT_TOTAL, "instructions", "N",
     "no further launch once N instructions are recorded"},
    {OPT_LIMIT, "max-instructions", "N", "a launch of more fails (endless loops)"},
    {OPT_LENIENT, "lenient", "", "accesses outside a buffer do as on hardware"},
    {OPT_RACES, "races", "",
     "tell on stderr where threads access the same byte and nothing\n"
     "orders them (docs/guide/races.md)"},
    {'d', "device", "NAME",
     "offer only this device: skl, kbl, kbl-gt2, cfl-gt2\n"
     "(default: skl and kbl)"},
    {OPT_DRIVER, "driver", "neo",
     "Intel's own driver of OpenCL and Level Zero instead of\n"
     "ours; -o FILE.igf then captures what it hands to the GPU\n"
     "(docs/guide/opencl.md)"},
    {OPT_CSV, "csv", "FILE", "with --driver neo --time: a line for each launch"},
    {OPT_DEVICE_NAME, "device-name", "NAME",
     "as CL_DEVICE_NAME; 'exact': as Intel's driver has it"},
    {OPT_TIME, "time", "",
     "simulate each launch: the program's profiling events tell\n"
     "simulated nanoseconds (C reference engine)"},
    {OPT_EXECUTE, "execute", "",
     "with --time: execute each launch while it is simulated;\n"
     "-o then records launch files (docs/contract/execution.md)"},
    {OPT_ENERGY, "energy", "", "with --time: each launch's energy, package and DRAM"},
    {'c', "config", "NAME|FILE", "the machine for --time (default: the device's own)"},
    {'s', "set", "KEY=VALUE", "change one parameter of it; repeatable"},
    {OPT_SAMPLE, "sample", "error=2%",
     "record and time as much of each launch, and as many\n"
     "launches, as this error needs; all are executed\n"
     "(docs/guide/sampling.md)"},
    {OPT_SKIP_REST, "skip-rest", "",
     "with --sample: do not execute the others; the program's\n"
     "results are wrong (for benchmarks)"},
    {OPT_OA, "oa", "FILE", "with --time: OA reports of all launches, as a recording"},
    {OPT_OA_SET, "oa-set", "NAME", "their metric set (ComputeBasic)"},
    {OPT_OA_EVERY, "oa-every", "TIME", "a report each 10us, ..."},
    {OPT_THREADS, "threads", "N",
     "host threads that execute (default: all processors)"},
    {OPT_JIT, "jit", "on|off|now",
     "translate kernels that run long; now: all (default: on)"},
    {OPT_QUIET, "quiet", "", "no progress on stderr"},
    {'h', "help", "", "this"},
    {.name = NULL},
};

struct command {
    const char *dir, *config, *oa;
    const char *device, *not_neo; /* not_neo: an option that its driver has not */
    const char *list, *setting[MAX_SETTINGS];
    unsigned settings;
    bool neo;
    bool oa_way; /* --oa-set or --oa-every */
    char set[SET_BYTES];
    bool races, time, energy, execute, one, sample, skip_rest, help;
    struct compile_folder folder; /* of --time without -o */
};

static void print_help(void)
{
    fputs(
        "usage: igpu run [-o DIR] [options] [--] PROGRAM [ARGUMENTS]\n"
        "\n"
        "Runs an OpenCL program, unmodified, on the simulated GPU: its OpenCL loader\n"
        "sees the platform 'Vigpu' and no other.\n",
        stdout);
    igpu_option_help(stdout, table);
    fputs("\nExit status: the program's; 2 usage; 127 the program cannot be started.\n",
          stdout);
}

static const char program_name[] = "igpu run";

static int complain(const char *what, const char *value, const char *expected)
{
    return igpu_complain_of(program_name, IGPU_USAGE, "%s%s%s: %s", what,
                            value[0] != '\0' ? " " : "", value, expected);
}

static int set_number(const char *option, const char *name, const char *text)
{
    uint64_t n;

    if (!igpu_option_count(text, 1, UINT64_MAX, &n))
        return complain(option, text, "expected a number of 1 or more");
    return setenv(name, text, 1);
}

static int set_sample(const char *text)
{
    struct sample_options options;
    struct igpu_err err;
    enum igpu_status status = sample_options_parse(&options, text, &err);

    if (status != IGPU_OK)
        return igpu_complain(program_name, status, &err);
    return setenv("IGPU_SAMPLE", text, 1);
}

static int set_range(const char *text)
{
    uint64_t first, last;

    if (!igpu_option_range(text, UINT64_MAX, &first, &last))
        return complain("--launches", text,
                        "expected A..B, launches counted from 0, A not above B");
    return setenv("IGPU_TRACE_LAUNCHES", text, 1);
}

static int add_setting(struct command *c, const char *text)
{
    size_t used = strlen(c->set);
    int n = snprintf(c->set + used, sizeof(c->set) - used, "%s%s", used > 0 ? " " : "",
                     text);

    if (n < 0 || (size_t)n >= sizeof(c->set) - used || strchr(text, ' ') != NULL)
        return complain("-s", text, "expected KEY=VALUE");
    if (c->settings < MAX_SETTINGS)
        c->setting[c->settings++] = text;
    return 0;
}

static int run_take(struct command *c, int option)
{
    switch (option) {
    case 'o':
        c->dir = optarg;
        return 0;
    case OPT_ONE:
        c->one = true;
        return setenv("IGPU_TRACE_ONE", "1", 1);
    case 'd':
        if (igpu_device_find(optarg) == NULL)
            return complain("-d", optarg, "expected skl, kbl, kbl-gt2 or cfl-gt2");
        c->device = optarg;
        return setenv("IGPU_DEVICE", optarg, 1);
    case OPT_DRIVER:
        if (strcmp(optarg, "neo") != 0)
            return complain("--driver", optarg,
                            "expected neo (without it: the project's own driver)");
        c->neo = true;
        return 0;
    case OPT_CSV:
        c->list = optarg;
        return 0;
    case OPT_DEVICE_NAME:
        return setenv("IGPU_DEVICE_NAME", optarg, 1);
    case 'k':
        return setenv("IGPU_TRACE_KERNEL", optarg, 1);
    case OPT_LAUNCHES:
        return set_range(optarg);
    case OPT_EVERY:
        return set_number("--every", "IGPU_TRACE_EVERY", optarg);
    case OPT_TOTAL:
        return set_number("--instructions", "IGPU_TRACE_INSTRUCTIONS", optarg);
    case OPT_LIMIT:
        return set_number("--max-instructions", "IGPU_MAX_INSTRUCTIONS", optarg);
    case OPT_LENIENT:
        return setenv("IGPU_LENIENT", "1", 1);
    case OPT_RACES:
        c->races = true;
        return setenv("IGPU_RACES", "1", 1);
    case OPT_TIME:
        c->time = true;
        return 0;
    case OPT_ENERGY:
        c->energy = true;
        return setenv("IGPU_ENERGY", "1", 1);
    case OPT_EXECUTE:
        c->execute = true;
        return 0;
    case OPT_SAMPLE:
        c->sample = true;
        return set_sample(optarg);
    case OPT_SKIP_REST:
        c->skip_rest = true;
        return setenv("IGPU_SKIP_REST", "1", 1);
    case OPT_THREADS:
        return set_number("--threads", "IGPU_HOST_THREADS", optarg);
    case OPT_JIT:
        if (!emu_jit_choice(optarg))
            return complain("--jit", optarg, "expected on, off or now");
        return setenv("IGPU_JIT", optarg, 1);
    case OPT_OA:
        c->oa = optarg;
        return 0;
    case OPT_OA_SET:
    case OPT_OA_EVERY:
        c->oa_way = true;
        return ocl_run_reports(option == OPT_OA_EVERY, optarg);
    case OPT_QUIET:
        return setenv("IGPU_QUIET", "1", 1);
    case 'c':
        c->config = optarg;
        return 0;
    case 's':
        return add_setting(c, optarg);
    default:
        c->help = true;
        return 0;
    }
}

/* Options that have a meaning with Intel's driver. */
static bool is_for_neo(int option)
{
    static const int those[] = {'o',        'd',      'c', 's',      OPT_CSV,
                                OPT_DRIVER, OPT_TIME, 'h', OPT_QUIET};

    for (size_t i = 0; i < sizeof(those) / sizeof(those[0]); i++)
        if (those[i] == option)
            return true;
    return false;
}

static void note_option(struct command *c, int option)
{
    for (size_t i = 0; c->not_neo == NULL && table[i].name != NULL; i++)
        if (table[i].option == option && !is_for_neo(option))
            c->not_neo = table[i].name;
}

static int run_neo(const struct command *c, int argc, char **argv)
{
    const struct neo_run n = {.out = c->dir,
                              .device = c->device,
                              .time = c->time,
                              .machine = c->config,
                              .setting = c->setting,
                              .settings = c->settings,
                              .list = c->list};

    if (!c->time && (c->config != NULL || c->settings > 0 || c->list != NULL))
        return complain("-c, -s or --csv", "", "have no meaning without --time");
    if (c->not_neo != NULL)
        return igpu_complain_of(program_name, IGPU_USAGE,
                                "--%s: has no meaning with --driver neo", c->not_neo);
    return neo_run(&n, argc, argv);
}

/* Everything of an earlier run that could mix with this one. What the user may have
 * meant is told: each has an option here. */
static void clear_environment(void)
{
    enum { USER, RUN };
    static const struct {
        const char *name, *option;
        int kind;
    } settings[] = {
#define SETTING(id, name, option, kind) {name, option, kind},
#include "bridge/host/sim/settings.def"
    };

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        const char *value = getenv(settings[i].name);

        if (settings[i].kind == USER)
            continue;
        if (value != NULL && value[0] != '\0')
            fprintf(stderr, "%s: note: %s=%s of the environment is not used; use %s\n",
                    program_name, settings[i].name, value, settings[i].option);
        (void)unsetenv(settings[i].name);
    }
    (void)unsetenv("OCL_ICD_FILENAMES");
}

/* ---- where the driver is ----------------------------------------------------------
 */

/* Where `make install` puts it; in a build that is not installed: nowhere. */
#ifndef IGPU_DRIVERDIR
#define IGPU_DRIVERDIR ""
#endif

/* The library itself, not what a vigpu.icd beside it says: that one has an absolute
 * path, which in a copied folder is the original's. One variable is for Debian's
 * loader, which takes a library where it expects a folder, one for Khronos's. */
static bool use_driver(const char *folder)
{
    char library[PATH_BYTES + 64], real[PATH_BYTES];

    snprintf(library, sizeof(library), "%s/libigpu_ocl.so", folder);
    return realpath(library, real) != NULL && access(real, R_OK) == 0 &&
           setenv("OCL_ICD_VENDORS", real, 1) == 0 &&
           setenv("OCL_ICD_FILENAMES", real, 1) == 0;
}

static int find_driver(void)
{
    static const char *const places[] = {"../lib", "build/lib"};
    char folder[PATH_BYTES + 16], self[PATH_BYTES];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char *slash;

    self[n > 0 ? n : 0] = '\0';
    slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(folder, sizeof(folder), "%s/%s", self, places[i]);
        if (use_driver(folder))
            return 0;
    }
    if (IGPU_DRIVERDIR[0] == '/' && use_driver(IGPU_DRIVERDIR))
        return 0;
    return igpu_complain_of(program_name, IGPU_USAGE,
                            "no libigpu_ocl.so in ../lib or build/lib of %s; make igpu",
                            self);
}

/* ---- the run -----------------------------------------------------------------------
 */

/* Wrong settings are told here, not by each launch. */
static int check_config(const struct command *c)
{
    struct igpu_config config;
    struct igpu_err err;
    enum igpu_status status =
        config_load(&config, c->config != NULL ? c->config : "skl-gt2", &err);
    char set[SET_BYTES], *rest = set;

    strcpy(set, c->set);
    for (char *pair = strtok_r(set, " ", &rest); pair != NULL && status == IGPU_OK;
         pair = strtok_r(NULL, " ", &rest))
        status = igpu_config_set(&config, pair, &err);
    if (status == IGPU_OK)
        return 0;
    return igpu_complain(program_name, status, &err);
}

/* An absolute path: the program may change its folder. */
static int make_dir(const char *dir)
{
    char path[PATH_BYTES], list[PATH_BYTES + 32];
    struct stat info;

    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return complain("-o", dir, strerror(errno));
    if (realpath(dir, path) == NULL || stat(path, &info) != 0)
        return complain("-o", dir, strerror(errno));
    if (!S_ISDIR(info.st_mode) || access(path, W_OK | X_OK) != 0)
        return complain("-o", dir,
                        S_ISDIR(info.st_mode) ? strerror(errno) : "is no folder");
    snprintf(list, sizeof(list), "%s/launches.csv", path);
    if (access(list, F_OK) == 0)
        return complain("-o", dir,
                        "holds launches.csv of an earlier run; choose another folder, "
                        "or remove this one");
    return setenv("IGPU_TRACE_DIR", path, 1);
}

/* --time without -o: a folder for the list of launches alone, from which the table is
 * made. The program holds its lock, too: should we be killed, the folder is in use as
 * long as the program runs, and goes with the next compile_folder_sweep(). */
static int make_list_dir(struct compile_folder *folder)
{
    if (!compile_folder_make(folder))
        return complain("--time", "", "no temporary folder; set TMPDIR, or use -o DIR");
    if (folder->lock >= 0)
        (void)fcntl(folder->lock, F_SETFD, 0);
    if (setenv("IGPU_TRACE_INSTRUCTIONS", "0", 1) != 0)
        return IGPU_USAGE;
    return setenv("IGPU_TRACE_DIR", folder->path, 1);
}

static int command_prepare(struct command *c)
{
    char path[PATH_BYTES];
    int status = find_driver();

    if (status == 0 && !c->time && (c->config != NULL || c->set[0] != '\0'))
        status = complain("-c or -s", "", "have no meaning without --time");
    if (status == 0 && c->execute && !c->time)
        status = complain("--execute", "", "has no meaning without --time");
    if (status == 0 && c->execute && c->races)
        status = complain("--races", "",
                          "are not looked for where launches are executed in time; "
                          "leave out --execute");
    if (status == 0 && c->execute && c->sample)
        status = complain("--sample", "",
                          "a sample does not execute all that others wait for; leave "
                          "out --sample or --execute");
    if (status == 0 && c->execute)
        status = setenv("IGPU_EXECUTE", "1", 1);
    if (status == 0 && c->energy && !c->time)
        status = complain("--energy", "", "has no meaning without --time");
    if (status == 0 && c->time && c->one)
        status = complain("--one", "", "cannot be timed; leave out --one or --time");
    if (status == 0 && c->sample && !c->time && c->dir == NULL)
        status = complain("--sample", "", "has no meaning without --time or -o");
    if (status == 0 && c->skip_rest && !c->sample)
        status = complain("--skip-rest", "", "has no meaning without --sample");
    if (status == 0 && c->oa != NULL)
        status = ocl_run_recording(c->oa, c->time, c->sample);
    if (status == 0 && c->oa_way && c->oa == NULL && !c->time)
        status =
            complain("--oa-set or --oa-every", "", "has no meaning without --oa FILE");
    if (status == 0 && c->time)
        status = check_config(c);
    if (status == 0 && c->time)
        status = setenv("IGPU_TIME", "1", 1);
    if (status == 0 && c->config != NULL) /* the program may change its folder */
        status = setenv("IGPU_CONFIG",
                        realpath(c->config, path) != NULL ? path : c->config, 1);
    if (status == 0 && c->set[0] != '\0')
        status = setenv("IGPU_SET", c->set, 1);
    if (status == 0 && c->dir != NULL)
        status = make_dir(c->dir);
    else if (status == 0 && c->time)
        status = make_list_dir(&c->folder);
    return status;
}

int cmd_ocl_run(int argc, char **argv)
{
    struct command c = {.dir = NULL};
    int option, status = 0;

    clear_environment();
    optind = 1;
    while (status == 0 && !c.help &&
           (option = igpu_option_next(table, true, argc, argv)) != -1) {
        if (option == '?')
            return complain(argv[optind - 1], "",
                            "unknown option, or its value is missing; see igpu run "
                            "--help");
        note_option(&c, option);
        status = run_take(&c, option);
    }
    if (c.help) {
        print_help();
        return 0;
    }
    if (status == 0 && optind >= argc)
        return complain("PROGRAM", "", "expected; see igpu run --help");
    if (status == 0 && c.neo)
        return run_neo(&c, argc - optind, argv + optind);
    if (status == 0 && c.list != NULL)
        status = complain("--csv", "", "is for --driver neo; -o DIR has launches.csv");
    if (status == 0)
        status = command_prepare(&c);
    if (status != 0) {
        compile_folder_remove(&c.folder);
        return status;
    }
    status = child_run(program_name, argv + optind);
    if (status > 128 && c.dir != NULL) /* by a signal, which reaches its children */
        igpu_output_sweep(getenv("IGPU_TRACE_DIR"));
    if (status != 127 && (c.dir != NULL || c.time))
        ocl_summary(getenv("IGPU_TRACE_DIR"), stdout);
    compile_folder_remove(&c.folder);
    return status;
}
