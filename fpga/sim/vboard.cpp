// vboard.cpp - a board without hardware: igpu_fpga_top under Verilator behind a UDP
// port of this machine. `make fpga-sim` starts it; docs/fpga.md, Virtual board.
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "Vfpga_1x24.h"
#include "Vfpga_1x3.h"
#include "vboard_faults.hpp"
#include "verilated.h"

namespace
{
enum { PORT = 7600, MAX_BYTES = 1500, LOOK_EVERY = 256, RESET_CLOCKS = 4 };
enum { WATCHED = 64 }; // clocks

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
    FaultRates rates;
    uint64_t seed = 1;
    double stall = 0;         // of the clocks: nobody takes what goes out
    uint64_t reset_after = 0; // frames from the host; 0: never
    bool watch = false;       // where the design says that it rests: does it?
};

// The design's pins, whatever its shape.
class Design
{
  public:
    virtual ~Design() = default;
    virtual void reset() = 0;
    // One clock; a word of a frame goes in where `in` is not null. ready: a word that
    // is shown before it is taken.
    virtual void clock(const uint32_t *in, bool last, bool ready = true) = 0;
    virtual bool out(uint32_t &word, bool &last) = 0;
    virtual bool rests() = 0;
};

template <class Top> class Model : public Design
{
  public:
    void reset() override
    {
        top.rst_ni = 0;
        for (int i = 0; i < RESET_CLOCKS; i++)
            clock(nullptr, false, true);
        top.rst_ni = 1;
    }
    void clock(const uint32_t *in, bool last, bool ready) override
    {
        top.in_valid_i = in != nullptr;
        top.in_data_i = in != nullptr ? *in : 0;
        top.in_last_i = last;
        top.out_ready_i = ready;
        top.clk_i = 1, top.eval();
        top.clk_i = 0, top.eval();
    }
    bool out(uint32_t &word, bool &last) override
    {
        word = top.out_data_o;
        last = top.out_last_o;
        return top.out_valid_o;
    }
    bool rests() override
    {
        return top.rest_o;
    }

  private:
    VerilatedContext context;
    Top top{&context};
};

std::unique_ptr<Design> make_design(const char *shape)
{
    if (strcmp(shape, "1x24") == 0)
        return std::make_unique<Model<Vfpga_1x24>>();
    if (strcmp(shape, "1x3") == 0)
        return std::make_unique<Model<Vfpga_1x3>>();
    return nullptr;
}

class Board
{
  public:
    Board(Design &d, const Options &o, int socket)
        : design(d), options(o), fd(socket), down(o.rates, o.seed),
          up(o.rates, o.seed + 1)
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
    int fd;
    Faults down, up;
    sockaddr_in host{};
    Faults::Frame in, out;
    size_t in_at = 0;
    uint64_t count = 0, frames = 0, random = 1;
    bool broken = false;

    bool stalls()
    {
        random = random * 6364136223846793005u + 1442695040888963407u;
        return (random >> 11) * 0x1p-53 < options.stall;
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
        pollfd wait = {fd, POLLIN, 0};
        bool held = !down.empty() || !up.empty();

        if (poll(&wait, 1, !quiet() ? 0 : held ? 1 : 200) > 0) {
            Faults::Frame frame(MAX_BYTES);
            socklen_t size = sizeof(host);
            ssize_t got = recvfrom(fd, frame.data(), frame.size(), 0,
                                   reinterpret_cast<sockaddr *>(&host), &size);

            if (got > 0) {
                frame.resize(static_cast<size_t>(got));
                down.put(frame, now());
                if (++frames == options.reset_after)
                    design.reset();
            }
        }
        if (!up.empty())
            send_due();
    }

    void send_due()
    {
        Faults::Frame frame;

        while (up.next(frame, now()))
            (void)sendto(fd, frame.data(), frame.size(), 0,
                         reinterpret_cast<sockaddr *>(&host), sizeof(host));
    }

    void step()
    {
        uint32_t word = 0, going = 0;
        bool last = false, ends = false, ready = options.stall == 0 || !stalls();
        bool goes = design.out(going, ends) && ready;

        if (in_at == in.size() && !down.empty() && down.next(in, now())) {
            in.resize(in.size() / 4 * 4);
            in_at = 0;
        }
        if (in_at < in.size()) {
            memcpy(&word, &in[in_at], 4);
            in_at += 4;
            last = in_at == in.size();
            design.clock(&word, last, ready);
        } else {
            design.clock(nullptr, false, ready);
        }
        if (!goes)
            return;
        for (unsigned i = 0; i < 4; i++)
            out.push_back(static_cast<uint8_t>(going >> 8 * i));
        if (ends) {
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
        {"watch", 0, nullptr, 'w'},  {nullptr, 0, nullptr, 0},
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

// A socket of this machine alone; its port, where any will do.
int listen_on(int &port)
{
    sockaddr_in at{};
    socklen_t size = sizeof(at);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(static_cast<uint16_t>(port));
    if (fd < 0 || bind(fd, reinterpret_cast<sockaddr *>(&at), sizeof(at)) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr *>(&at), &size) != 0)
        return -1;
    port = ntohs(at.sin_port);
    return fd;
}
} // namespace

int main(int argc, char **argv)
{
    Options options;
    struct sigaction action = {};

    if (!parse(options, argc, argv)) {
        fputs("usage: fpga-sim [--shape 1x24|1x3] [--port N (0: any)] [--seed S]\n"
              "                [--loss %] [--dup %] [--delay %] [--reorder %] "
              "[--damage %] [--stall %]\n"
              "                [--reset FRAMES]   reset in the middle\n"
              "                [--watch]          end where rest_o was wrong\n",
              stderr);
        return 2;
    }
    std::unique_ptr<Design> design = make_design(options.shape);
    int fd = listen_on(options.port);

    if (!design || fd < 0) {
        fprintf(stderr, "fpga-sim: %s\n",
                !design ? "--shape is 1x24 or 1x3" : strerror(errno));
        return 2;
    }
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    printf("fpga-sim: %s (pipelines x EUs of each) at fpga:udp:127.0.0.1:%d\n",
           options.shape, options.port);
    fflush(stdout);
    bool sound = Board(*design, options, fd).run();
    close(fd);
    return sound ? 0 : 1;
}
