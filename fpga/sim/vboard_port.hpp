// vboard_port.hpp - the host's end of the virtual board's line: a UDP port of this
// machine, a pseudo-terminal in place of a serial line, or a file in place of a bus's
// window of memory.
#ifndef VBOARD_PORT_HPP
#define VBOARD_PORT_HPP
#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "igpu_link_words.h"

class Port
{
  public:
    using Frame = std::vector<uint8_t>;
    virtual ~Port() = default;
    // False, and errno: it cannot be opened.
    virtual bool open() = 0;
    virtual std::string place() const = 0;
    // The next frame from the host; waits for wait_ms at most.
    virtual bool receive(Frame &frame, int wait_ms) = 0;
    virtual void send(const Frame &frame) = 0;
    // Bytes of what a clock carries.
    virtual unsigned unit() const
    {
        return 4;
    }
};

class UdpPort : public Port
{
  public:
    explicit UdpPort(int p) : port(p)
    {
    }
    ~UdpPort() override
    {
        close(fd);
    }
    bool open() override
    {
        sockaddr_in at{};
        socklen_t size = sizeof(at);

        fd = socket(AF_INET, SOCK_DGRAM, 0);
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        at.sin_port = htons(static_cast<uint16_t>(port));
        if (fd < 0 || bind(fd, reinterpret_cast<sockaddr *>(&at), sizeof(at)) != 0 ||
            getsockname(fd, reinterpret_cast<sockaddr *>(&at), &size) != 0)
            return false;
        port = ntohs(at.sin_port);
        return true;
    }
    std::string place() const override
    {
        return "udp:127.0.0.1:" + std::to_string(port);
    }
    bool receive(Frame &frame, int wait_ms) override
    {
        pollfd wait = {fd, POLLIN, 0};
        socklen_t size = sizeof(host);

        if (poll(&wait, 1, wait_ms) <= 0)
            return false;
        frame.resize(MAX_BYTES);
        ssize_t got = recvfrom(fd, frame.data(), frame.size(), 0,
                               reinterpret_cast<sockaddr *>(&host), &size);
        frame.resize(got > 0 ? static_cast<size_t>(got) / 4 * 4 : 0);
        return !frame.empty();
    }
    void send(const Frame &frame) override
    {
        (void)sendto(fd, frame.data(), frame.size(), 0,
                     reinterpret_cast<sockaddr *>(&host), sizeof(host));
    }

  private:
    static constexpr size_t MAX_BYTES = 1500;
    int port, fd = -1;
    sockaddr_in host{};
};

// Bytes; for faults, a frame is what lies before an END, and the END.
class PtyPort : public Port
{
  public:
    ~PtyPort() override
    {
        close(fd);
        close(held);
    }
    bool open() override
    {
        termios raw;

        fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0)
            return false;
        name = ptsname(fd);
        // Held open, the line stays up between two hosts; raw, nothing is echoed.
        held = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (held < 0 || tcgetattr(held, &raw) != 0)
            return false;
        cfmakeraw(&raw);
        return tcsetattr(held, TCSANOW, &raw) == 0;
    }
    std::string place() const override
    {
        return "serial:" + name;
    }
    bool receive(Frame &frame, int wait_ms) override
    {
        pollfd wait = {fd, POLLIN, 0};
        uint8_t bytes[4096];

        if (cut(frame))
            return true;
        if (poll(&wait, 1, wait_ms) <= 0)
            return false;
        ssize_t got = read(fd, bytes, sizeof(bytes));
        if (got > 0)
            came.insert(came.end(), bytes, bytes + got);
        return cut(frame);
    }
    void send(const Frame &frame) override
    {
        for (size_t at = 0; at < frame.size();) {
            ssize_t put = write(fd, frame.data() + at, frame.size() - at);

            if (put <= 0)
                return;
            at += static_cast<size_t>(put);
        }
    }
    unsigned unit() const override
    {
        return 1;
    }

  private:
    int fd = -1, held = -1;
    std::string name;
    Frame came;

    bool cut(Frame &frame)
    {
        for (size_t i = 1; i < came.size(); i++) {
            if (came[i] != IGPU_LINK_END)
                continue;
            auto end = came.begin() + static_cast<std::ptrdiff_t>(i) + 1;
            frame.assign(came.begin(), end);
            came.erase(came.begin(), end);
            return true;
        }
        return false;
    }
};

// The file has the counters and the rings of igpu_link_window; this is its board's end.
class FilePort : public Port
{
  public:
    explicit FilePort(const char *f) : file(f)
    {
    }
    ~FilePort() override
    {
        if (word != nullptr)
            munmap(word, IGPU_LINK_WIN_BYTES);
        unlink(file.c_str());
    }
    bool open() override
    {
        int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        void *map = MAP_FAILED;

        if (fd >= 0 && ftruncate(fd, IGPU_LINK_WIN_BYTES) == 0)
            map = mmap(nullptr, IGPU_LINK_WIN_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                       fd, 0);
        if (fd >= 0)
            close(fd);
        if (map == MAP_FAILED)
            return false;
        word = static_cast<uint32_t *>(map);
        store(IGPU_LINK_WIN_ID,
              static_cast<uint32_t>(IGPU_LINK_MAGIC) << 16 | IGPU_LINK_VERSION);
        return true;
    }
    std::string place() const override
    {
        return "pcie:" + file;
    }
    bool receive(Frame &frame, int wait_ms) override
    {
        for (int i = 0; load(IGPU_LINK_WIN_DOWN) == taken; i++) {
            put_waiting();
            if (i >= 20 * wait_ms)
                return false;
            timespec rest = {0, 50000};
            nanosleep(&rest, nullptr);
        }
        uint32_t words = ring(0, taken++);
        frame.resize(4 * static_cast<size_t>(words));
        for (uint32_t i = 0; i < words; i++) {
            uint32_t value = ring(0, taken++);
            memcpy(&frame[4 * static_cast<size_t>(i)], &value, 4);
        }
        store(IGPU_LINK_WIN_TAKEN, taken);
        return true;
    }
    void send(const Frame &frame) override
    {
        waiting.push_back(frame);
        put_waiting();
    }

  private:
    std::string file;
    uint32_t *word = nullptr;
    uint16_t taken = 0, up = 0;
    std::deque<Frame> waiting; // for room in the ring up

    void put_waiting()
    {
        for (; !waiting.empty(); waiting.pop_front()) {
            const Frame &frame = waiting.front();
            uint32_t words = static_cast<uint32_t>(frame.size() / 4);
            uint16_t used = static_cast<uint16_t>(up - load(IGPU_LINK_WIN_READ));

            if (used + words + 1 > IGPU_LINK_WIN_RING)
                return;
            ring(1, up++) = words;
            for (uint32_t i = 0; i < words; i++)
                memcpy(&ring(1, up++), &frame[4 * static_cast<size_t>(i)], 4);
            store(IGPU_LINK_WIN_UP, up);
        }
    }
    uint32_t &ring(unsigned which, uint16_t at)
    {
        return word[IGPU_LINK_WIN_RINGS / 4 + which * IGPU_LINK_WIN_RING +
                    at % IGPU_LINK_WIN_RING];
    }
    uint32_t load(unsigned offset) const
    {
        return __atomic_load_n(&word[offset / 4], __ATOMIC_ACQUIRE);
    }
    void store(unsigned offset, uint32_t value)
    {
        __atomic_store_n(&word[offset / 4], value, __ATOMIC_RELEASE);
    }
};
#endif
