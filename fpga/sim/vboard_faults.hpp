// vboard_faults.hpp - a bad line between host and virtual board: frames are lost, sent
// twice, held back, overtaken or damaged, each with a probability of its own. What
// happens depends on the seed and on the frames' order alone.
#ifndef VBOARD_FAULTS_HPP
#define VBOARD_FAULTS_HPP
#include <cstdint>
#include <deque>
#include <vector>

struct FaultRates {
    double loss = 0, dup = 0, delay = 0, reorder = 0, damage = 0; // of 1
};

class Faults
{
  public:
    using Frame = std::vector<uint8_t>;

    Faults(const FaultRates &r, uint64_t seed) : rates(r), state(seed * 2 + 1)
    {
    }

    // A frame goes in; it, others or none come out of next().
    void put(const Frame &frame, double now)
    {
        if (happens(rates.loss)) {
            faults++;
            return;
        }
        unsigned copies = happens(rates.dup) ? 2 : 1;
        faults += copies - 1;
        for (unsigned i = 0; i < copies; i++)
            queue(frame, now);
    }

    bool next(Frame &frame, double now)
    {
        for (auto it = held.begin(); it != held.end(); ++it) {
            if (it->until > now)
                continue;
            frame = it->frame;
            held.erase(it);
            return true;
        }
        return false;
    }

    bool empty() const
    {
        return held.empty();
    }
    uint64_t faults = 0;

  private:
    struct Held {
        double until;
        Frame frame;
    };
    static constexpr double DELAY = 0.015; // seconds: longer than the host waits
    FaultRates rates;
    uint64_t state;
    std::deque<Held> held;

    uint64_t draw()
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
    bool happens(double rate)
    {
        return rate > 0 && (draw() >> 11) * 0x1p-53 < rate;
    }

    void queue(Frame frame, double now)
    {
        double until = now;

        if (happens(rates.delay)) {
            until += DELAY;
            faults++;
        }
        if (happens(rates.damage)) {
            frame[draw() % frame.size()] ^= static_cast<uint8_t>(1u << draw() % 8);
            faults++;
        }
        if (!held.empty() && happens(rates.reorder)) {
            held.push_front({until, frame});
            faults++;
        } else {
            held.push_back({until, frame});
        }
    }
};
#endif
