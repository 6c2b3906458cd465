// vboard.cpp - a board without hardware: igpu_fpga_top under Verilator behind a UDP
// port, a pseudo-terminal or a mapped file of this machine. `make fpga-sim` starts it;
// docs/develop/fpga.md, Virtual board.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <memory>
#include <time.h>

#include "Vfpga_1x24.h"
#include "Vfpga_1x3.h"
#include "igpu/hash.h"
#include "vboard_design.hpp"
#include "vboard_faults.hpp"
#include "vboard_port.hpp"

namespace
{
enum { PORT = 7600, LOOK_EVERY = 256, WATCHED = 64 }; // clocks

volatile sig_atomic_t stopped;

void on_signal(int)
{
    stopped = 1;
}

double now()
{
    timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Options {
    const char *shape = "1x24";
    int port = PORT;
    bool pty = false;             // a pseudo-terminal instead
    const char *window = nullptr; // a file instead
    FaultRates rates;
    uint64_t seed = 1;
    double stall = 0;         // of the clocks: nobody takes what goes out
    uint64_t reset_after = 0; // frames from the host; 0: never
    bool watch = false;       // where the design says that it rests: does it?
};

std::unique_ptr<Design> make_design(const Options &o)
{
    std::unique_ptr<Design> gpu;

    if (strcmp(o.shape, "1x24") == 0)
        gpu = std::make_unique<Model<Vfpga_1x24>>();
    else if (strcmp(o.shape, "1x3") == 0)
        gpu = std::make_unique<Model<Vfpga_1x3>>();
    if (gpu && o.pty)
        return std::make_unique<Serial>(std::move(gpu));
    if (gpu && o.window != nullptr)
        return std::make_unique<Window>(std::move(gpu));
    return gpu;
}

std::unique_ptr<Port> make_port(const Options &o)
{
    if (o.pty)
        return std::make_unique<PtyPort>();
    if (o.window != nullptr)
        return std::make_unique<FilePort>(o.window);
    return std::make_unique<UdpPort>(o.port);
}

class Board
{
  public:
    Board(Design &d, const Options &o, Port &p)
        : design(d), options(o), port(p), down(o.rates, o.seed), up(o.rates, o.seed + 1)
    {
    }

    // False: the design broke its contract.
    bool run()
    {
        design.reset();
        while (!stopped) {
            if (options.watch && quiet() && !stays_quiet())
                break;
            if (count++ % LOOK_EVERY == 0 || quiet())
                network();
            step();
        }
        fprintf(stderr,
                "fpga-sim: %llu clocks, %llu frames from the host, %llu faults\n",
                static_cast<unsigned long long>(count),
                static_cast<unsigned long long>(frames),
                static_cast<unsigned long long>(down.faults + up.faults));
        return !broken;
    }

  private:
    Design &design;
    const Options &options;
    Port &port;
    Faults down, up;
    Faults::Frame in, out;
    size_t in_at = 0;
    uint64_t count = 0, frames = 0, random = 1;
    bool broken = false;

    bool stalls()
    {
        return (igpu_splitmix(&random) >> 11) * 0x1p-53 < options.stall;
    }
    bool quiet()
    {
        return design.rests() && in_at == in.size();
    }

    // rest_o's contract: nothing happens before the next frame.
    bool stays_quiet()
    {
        uint32_t word;
        bool last;

        for (int i = 0; i < WATCHED; i++) {
            design.clock(nullptr, false);
            if (design.rests() && !design.out(word, last))
                continue;
            fprintf(stderr, "fpga-sim: the design said that it rests, and worked on\n");
            broken = true;
            return false;
        }
        return true;
    }

    // Frames in and out; sleeps while the board waits for the host.
    void network()
    {
        bool held = !down.empty() || !up.empty();
        Faults::Frame frame;

        if (port.receive(frame, !quiet() ? 0 : held ? 1 : 200)) {
            down.put(frame, now());
            if (++frames == options.reset_after)
                design.reset();
        }
        if (!up.empty())
            send_due();
    }

    void send_due()
    {
        Faults::Frame frame;

        while (up.next(frame, now()))
            port.send(frame);
    }

    void step()
    {
        uint32_t word = 0, going = 0;
        bool last = false, ends = false, ready = options.stall == 0 || !stalls();
        bool goes = design.out(going, ends) && ready;

        if (in_at == in.size() && !down.empty() && down.next(in, now()))
            in_at = 0;
        if (in_at < in.size()) {
            memcpy(&word, &in[in_at], port.unit());
            in_at += port.unit();
            last = in_at == in.size();
            design.clock(&word, last, ready);
        } else {
            design.clock(nullptr, false, ready);
        }
        if (!goes)
            return;
        for (unsigned i = 0; i < port.unit(); i++)
            out.push_back(static_cast<uint8_t>(going >> 8 * i));
        if (ends && out.size() > 1) {
            up.put(out, now());
            out.clear();
            send_due();
        }
    }
};

double rate(const char *text)
{
    return strtod(text, nullptr) / 100;
}

bool parse(Options &o, int argc, char **argv)
{
    static const option known[] = {
        {"shape", 1, nullptr, 's'},  {"port", 1, nullptr, 'p'},
        {"loss", 1, nullptr, 'l'},   {"dup", 1, nullptr, 'd'},
        {"delay", 1, nullptr, 'y'},  {"reorder", 1, nullptr, 'r'},
        {"damage", 1, nullptr, 'g'}, {"seed", 1, nullptr, 'e'},
        {"reset", 1, nullptr, 't'},  {"stall", 1, nullptr, 'a'},
        {"watch", 0, nullptr, 'w'},  {"pty", 0, nullptr, 'P'},
        {"window", 1, nullptr, 'W'}, {nullptr, 0, nullptr, 0},
    };
    int c;

    while ((c = getopt_long(argc, argv, "", known, nullptr)) != -1) {
        switch (c) {
        case 's':
            o.shape = optarg;
            break;
        case 'p':
            o.port = atoi(optarg);
            break;
        case 'l':
            o.rates.loss = rate(optarg);
            break;
        case 'd':
            o.rates.dup = rate(optarg);
            break;
        case 'y':
            o.rates.delay = rate(optarg);
            break;
        case 'r':
            o.rates.reorder = rate(optarg);
            break;
        case 'g':
            o.rates.damage = rate(optarg);
            break;
        case 'e':
            o.seed = strtoull(optarg, nullptr, 0);
            break;
        case 'a':
            o.stall = rate(optarg);
            break;
        case 'P':
            o.pty = true;
            break;
        case 'W':
            o.window = optarg;
            break;
        case 'w':
            o.watch = true;
            break;
        case 't':
            o.reset_after = strtoull(optarg, nullptr, 0);
            break;
        default:
            return false;
        }
    }
    return optind == argc;
}

} // namespace

int main(int argc, char **argv)
{
    Options options;
    struct sigaction action = {};

    if (!parse(options, argc, argv)) {
        fputs("usage: fpga-sim [--shape 1x24|1x3] [--seed S]\n"
              "                [--port N (0: any) | --pty | --window FILE]\n"
              "                [--loss %] [--dup %] [--delay %] [--reorder %] "
              "[--damage %] [--stall %]\n"
              "                [--reset FRAMES]   reset in the middle\n"
              "                [--watch]          end where rest_o was wrong\n",
              stderr);
        return 2;
    }
    std::unique_ptr<Design> design = make_design(options);
    std::unique_ptr<Port> port = make_port(options);

    if (!design || !port->open()) {
        fprintf(stderr, "fpga-sim: %s\n",
                !design ? "--shape is 1x24 or 1x3" : strerror(errno));
        return 2;
    }
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    printf("fpga-sim: %s (pipelines x EUs of each) at fpga:%s\n", options.shape,
           port->place().c_str());
    fflush(stdout);
    return Board(*design, options, *port).run() ? 0 : 1;
}
