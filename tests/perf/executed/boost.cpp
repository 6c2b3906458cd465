// boost.cpp NAME - one algorithm of Boost.Compute on numbers that are always the same;
// a hash of what it leaves is printed. For run.py.
#include <boost/compute/algorithm.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/core.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/lambda.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace compute = boost::compute;
using compute::float_;
using compute::int_;
using compute::lambda::_1;

static compute::command_queue *queue;
enum { COUNT = 3000 };

template <typename T> static std::vector<T> numbers(unsigned seed, size_t count = COUNT)
{
    std::mt19937 rng(seed);
    std::vector<T> v(count);

    for (T &x : v)
        x = static_cast<T>(rng() % 1000) - static_cast<T>(500);
    return v;
}

template <typename T> static compute::vector<T> given(const std::vector<T> &v)
{
    return compute::vector<T>(v.begin(), v.end(), *queue);
}

template <typename T> static void show(const compute::vector<T> &v)
{
    std::vector<T> host(v.size());
    uint64_t hash = 14695981039346656037u;

    compute::copy(v.begin(), v.end(), host.begin(), *queue);
    for (size_t i = 0; i < host.size() * sizeof(T); i++)
        hash = (hash ^ reinterpret_cast<const unsigned char *>(host.data())[i]) *
               1099511628211u;
    std::printf("%zu values %016llx\n", host.size(),
                static_cast<unsigned long long>(hash));
}

template <typename T> static void sorts()
{
    auto v = given(numbers<T>(1));

    compute::sort(v.begin(), v.end(), *queue);
    show(v);
}

template <typename T> static void sorts_stably()
{
    auto v = given(numbers<T>(2));

    compute::stable_sort(v.begin(), v.end(), compute::greater<T>(), *queue);
    show(v);
}

template <typename K> static void sorts_by_key()
{
    auto k = given(numbers<K>(3));
    auto v = given(numbers<int_>(4));

    compute::sort_by_key(k.begin(), k.end(), v.begin(), *queue);
    show(k), show(v);
}

template <typename T> static void scans(bool inclusive)
{
    auto v = given(numbers<T>(5));
    compute::vector<T> out(v.size(), queue->get_context());

    if (inclusive)
        compute::inclusive_scan(v.begin(), v.end(), out.begin(), *queue);
    else
        compute::exclusive_scan(v.begin(), v.end(), out.begin(), T(7), *queue);
    show(out);
}

static void scans_by_key()
{
    auto k = given(numbers<int_>(6)), v = given(numbers<int_>(7));
    compute::vector<int_> out(v.size(), queue->get_context());

    compute::sort(k.begin(), k.end(), *queue);
    compute::transform(v.begin(), v.end(), out.begin(), _1 * 3 + 1, *queue);
    compute::partial_sum(out.begin(), out.end(), v.begin(), *queue);
    show(k), show(v);
}

template <typename T> static void reduces()
{
    auto v = given(numbers<T>(8));
    compute::vector<T> out(2, queue->get_context());

    compute::reduce(v.begin(), v.end(), out.begin(), compute::plus<T>(), *queue);
    compute::reduce(v.begin(), v.end(), out.begin() + 1, compute::max<T>(), *queue);
    show(out);
}

static void keeps_some()
{
    auto v = given(numbers<int_>(9));
    compute::vector<int_> out(v.size(), 0, *queue);

    compute::copy_if(v.begin(), v.end(), out.begin(), _1 > 0, *queue);
    show(out);
    std::printf("%zu\n", compute::count_if(v.begin(), v.end(), _1 > 10, *queue));
}

static void unites()
{
    auto a = given(numbers<int_>(10, 1000)), b = given(numbers<int_>(11, 800));

    compute::sort(a.begin(), a.end(), *queue);
    compute::sort(b.begin(), b.end(), *queue);
    auto end = compute::unique(a.begin(), a.end(), *queue);
    compute::reverse(a.begin(), end, *queue);
    compute::rotate(b.begin(), b.begin() + 100, b.end(), *queue);
    show(a), show(b);
}

int main(int argc, char **argv)
{
    const std::map<std::string, void (*)()> all = {
        {"sort_int", sorts<int_>},
        {"sort_float", sorts<float_>},
        {"sort_short", sorts<compute::short_>},
        {"stable_sort_int", sorts_stably<int_>},
        {"stable_sort_float", sorts_stably<float_>},
        {"sort_by_key_int", sorts_by_key<int_>},
        {"sort_by_key_float", sorts_by_key<float_>},
        {"inclusive_scan_int", [] { scans<int_>(true); }},
        {"inclusive_scan_float", [] { scans<float_>(true); }},
        {"exclusive_scan_int", [] { scans<int_>(false); }},
        {"exclusive_scan_long", [] { scans<compute::long_>(false); }},
        {"partial_sum", scans_by_key},
        {"reduce_int", reduces<int_>},
        {"reduce_float", reduces<float_>},
        {"copy_if", keeps_some},
        {"unique_reverse_rotate", unites},
    };

    if (argc == 2 && all.count(argv[1]) != 0) {
        compute::device device = compute::system::default_device();
        compute::context context(device);
        compute::command_queue own(context, device);

        queue = &own;
        all.at(argv[1])();
        own.finish();
        return 0;
    }
    for (const auto &one : all)
        std::printf("%s\n", one.first.c_str());
    return argc == 1 ? 0 : 2;
}
