// vboard_design.hpp - what is under Verilator on the virtual board: igpu_fpga_top,
// alone or with the part of a line that is hardware (igpu_link_slip, igpu_link_window)
// as a class of its own, clocked with it. The pins between them are registers' outputs.
#ifndef VBOARD_DESIGN_HPP
#define VBOARD_DESIGN_HPP
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "Vfpga_slip.h"
#include "Vfpga_window.h"
#include "bridge/engines/rtl/verilator_end.hpp"
#include "igpu_link_words.h"
#include "verilated.h"

// A design's pins towards the line: words of frames, or bytes of a serial line.
class Design
{
  public:
    virtual ~Design() = default;
    virtual void reset() = 0;
    // One clock; a word of a frame goes in where `in` is not null. ready: a word that
    // is shown before it is taken.
    virtual void clock(const uint32_t *in, bool last, bool ready = true) = 0;
    virtual bool out(uint32_t &word, bool &last) = 0;
    virtual unsigned words() = 0; // of the frame that goes out
    virtual bool rests() = 0;
};

template <class Top> class Model : public Design
{
  public:
    ~Model() override
    {
        verilated_ends(top);
    }
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
    unsigned words() override
    {
        return top.out_words_o;
    }
    bool rests() override
    {
        return top.rest_o;
    }

  private:
    static constexpr int RESET_CLOCKS = 4;
    VerilatedContext context;
    Top top{&context};
};

// A design behind igpu_link_slip: bytes in and out; END is the last of a frame.
class Serial : public Design
{
  public:
    explicit Serial(std::unique_ptr<Design> d) : gpu(std::move(d))
    {
    }
    ~Serial() override
    {
        verilated_ends(slip);
    }
    void reset() override
    {
        gpu->reset();
        slip.rst_ni = 0;
        tick();
        slip.rst_ni = 1;
    }
    void clock(const uint32_t *in, bool, bool ready) override
    {
        uint32_t word = slip.in_data_o, going = 0;
        bool valid = slip.in_valid_o, last = slip.in_last_o, ends = false;

        slip.out_valid_i = gpu->out(going, ends);
        slip.out_data_i = going;
        slip.out_last_i = ends;
        slip.rx_valid_i = in != nullptr;
        slip.rx_data_i = in != nullptr ? static_cast<uint8_t>(*in) : 0;
        slip.tx_ready_i = ready;
        gpu->clock(valid ? &word : nullptr, last, slip.out_ready_o);
        tick();
    }
    bool out(uint32_t &byte, bool &last) override
    {
        byte = slip.tx_data_o;
        last = byte == IGPU_LINK_END;
        return slip.tx_valid_o;
    }
    unsigned words() override
    {
        return 0;
    }
    bool rests() override
    {
        return gpu->rests() && !slip.busy_o;
    }

  private:
    std::unique_ptr<Design> gpu;
    VerilatedContext context;
    Vfpga_slip slip{&context};

    void tick()
    {
        slip.clk_i = 1, slip.eval();
        slip.clk_i = 0, slip.eval();
    }
};

// A design behind igpu_link_window, with a bus that writes what comes in into the ring
// down and reads what is in the ring up: an access a clock.
class Window : public Design
{
  public:
    explicit Window(std::unique_ptr<Design> d) : gpu(std::move(d))
    {
    }
    ~Window() override
    {
        verilated_ends(window);
    }
    void reset() override
    {
        gpu->reset();
        window.rst_ni = 0;
        tick();
        window.rst_ni = 1;
        writes.clear();
        frame.clear();
        ready_words.clear();
        down = up = upto = 0;
        left = 0;
        asked = false;
    }
    void clock(const uint32_t *in, bool last, bool ready) override
    {
        uint32_t word = window.in_data_o, going = 0;
        bool valid = window.in_valid_o, ends = window.in_last_o, over = false;

        if (in != nullptr)
            put(*in, last);
        if (!ready_words.empty() && ready)
            ready_words.pop_front();
        window.out_valid_i = gpu->out(going, over);
        window.out_data_i = going;
        window.out_last_i = over;
        window.out_words_i = static_cast<uint16_t>(gpu->words());
        access();
        bool takes = window.out_ready_o;
        gpu->clock(valid ? &word : nullptr, ends, takes);
        tick();
    }
    bool out(uint32_t &word, bool &last) override
    {
        if (ready_words.empty())
            return false;
        word = ready_words.front().word;
        last = ready_words.front().last;
        return true;
    }
    unsigned words() override
    {
        return 0;
    }
    bool rests() override
    {
        return gpu->rests() && !window.busy_o && writes.empty() &&
               ready_words.empty() && up == upto && polls > SETTLED;
    }

  private:
    struct Write {
        unsigned addr;
        uint32_t data;
    };
    struct Word {
        uint32_t word;
        bool last;
    };
    static constexpr unsigned RING = IGPU_LINK_WIN_RING;
    static constexpr unsigned DOWN_RING = IGPU_LINK_WIN_RINGS / 4;
    static constexpr unsigned UP_RING = DOWN_RING + RING;
    static constexpr int SETTLED = 8; // looks at the counter without news
    std::unique_ptr<Design> gpu;
    VerilatedContext context;
    Vfpga_window window{&context};
    std::deque<Write> writes;
    std::vector<uint32_t> frame;
    std::deque<Word> ready_words;
    uint16_t down = 0, up = 0, upto = 0;
    uint32_t left = 0; // words of the frame that is read
    int polls = 0;
    bool asked = false; // the bus shows what was asked for in the clock before

    void tick()
    {
        window.clk_i = 1, window.eval();
        window.clk_i = 0, window.eval();
    }

    void put(uint32_t word, bool last)
    {
        frame.push_back(word);
        if (!last)
            return;
        writes.push_back(
            {DOWN_RING + down++ % RING, static_cast<uint32_t>(frame.size())});
        for (uint32_t w : frame)
            writes.push_back({DOWN_RING + down++ % RING, w});
        writes.push_back({IGPU_LINK_WIN_DOWN / 4, down});
        frame.clear();
    }

    // What the last read brought.
    void take(uint32_t data)
    {
        if (up == upto) { // it was the counter
            upto = static_cast<uint16_t>(data);
            polls = up == upto ? polls + 1 : 0;
            return;
        }
        up++;
        if (left == 0) {
            left = data;
            return;
        }
        ready_words.push_back({data, --left == 0});
        if (up == upto)
            writes.push_back({IGPU_LINK_WIN_READ / 4, up});
    }

    void access()
    {
        if (asked)
            take(window.rdata_o);
        asked = writes.empty();
        window.we_i = !asked;
        if (asked) {
            window.addr_i = static_cast<uint16_t>(up == upto ? IGPU_LINK_WIN_UP / 4
                                                             : UP_RING + up % RING);
            return;
        }
        window.addr_i = static_cast<uint16_t>(writes.front().addr);
        window.wdata_i = writes.front().data;
        writes.pop_front();
    }
};
#endif
