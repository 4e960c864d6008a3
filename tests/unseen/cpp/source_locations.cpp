// Logging with source_location, a scope guard, bit masks of enums, version macros, numeric limits.
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <numbers>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <version>

struct Record {
    std::string text;
    unsigned line;
    std::string function;
};
static std::vector<Record> records;

static void log(std::string text, const std::source_location where = std::source_location::current()) {
    records.push_back({std::move(text), where.line(), where.function_name()});
}

template <class F> class Guard {
  public:
    explicit Guard(F f) : f_(std::move(f)) {}
    Guard(Guard &&other) noexcept : f_(std::move(other.f_)), armed_(std::exchange(other.armed_, false)) {}
    ~Guard() {
        if (armed_) f_();
    }
    void dismiss() { armed_ = false; }

  private:
    F f_;
    bool armed_ = true;
};

enum class Flags : uint8_t { none = 0, read = 1, write = 2, all = 3 };
static constexpr Flags operator|(Flags a, Flags b) { return Flags(static_cast<int>(a) | static_cast<int>(b)); }

struct Device {
    Device() { log("opened"); }
    ~Device() { log("closed"); }
    static void reset() { log("reset"); }
};

static int work(bool fail) {
    Device device;
    Guard undo([] { log("undone, with a message that is long enough to be allocated"); });
    if (fail) throw std::runtime_error("failed");
    undo.dismiss();
    return 1;
}

int main() {
    unsigned here = std::source_location::current().line();
    log("first");
    Device::reset();
    try {
        work(false);
        work(true);
    } catch (const std::runtime_error &) {
        log("caught");
    }
    assert(records[0].line == here + 1 && records[0].function.find("main") != std::string::npos);
    assert(records[1].function.find("reset") != std::string::npos);
    for (const auto &record : records) std::cout << record.text << '\n';
    static_assert(Flags::read == Flags(1) && (Flags::read | Flags::write) == Flags::all);
    std::cout << std::numeric_limits<int>::max() << ' ' << std::numeric_limits<double>::digits10 << ' ' << std::numeric_limits<uint8_t>::digits << '\n';
    std::cout << (std::numeric_limits<float>::quiet_NaN() != std::numeric_limits<float>::quiet_NaN()) << std::isinf(std::numeric_limits<double>::infinity()) << '\n';
    std::cout << std::cos(std::numbers::pi) << ' ' << std::floor(std::numbers::e * 1000) << ' ' << std::cmp_less(-1, 1u) << std::in_range<uint8_t>(256) << '\n';
    std::byte b{0x5a};
    b = (b << 1) ^ std::byte{0xff};
    std::cout << std::to_integer<int>(b) << ' ' << (__cpp_lib_source_location >= 201907L) << '\n';
}
