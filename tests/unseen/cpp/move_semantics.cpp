// Moves, forwarding, elision, the rule of five, swaps, values in containers that move.
#include <array>
#include <cassert>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

class Buffer {
    std::unique_ptr<char[]> data_;
    size_t size_ = 0;

  public:
    static inline int copies = 0, moves = 0;
    Buffer() = default;
    explicit Buffer(std::string_view text) : data_(new char[text.size()]), size_(text.size()) { std::memcpy(data_.get(), text.data(), size_); }
    Buffer(const Buffer &other) : Buffer(other.view()) { copies++; }
    Buffer(Buffer &&other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) { moves++; }
    Buffer &operator=(Buffer other) noexcept {
        swap(*this, other);
        return *this;
    }
    friend void swap(Buffer &a, Buffer &b) noexcept {
        std::swap(a.data_, b.data_);
        std::swap(a.size_, b.size_);
    }
    std::string_view view() const { return {data_.get(), size_}; }
};

template <class T, class... Args> static std::string kinds(Args &&...args) {
    std::string out;
    ((out += std::is_lvalue_reference_v<Args> ? (std::is_const_v<std::remove_reference_t<Args>> ? 'c' : 'l') : 'r'), ...);
    T made(std::forward<Args>(args)...);
    (void)made;
    return out;
}
struct Sink {
    Sink(Buffer, const Buffer &, Buffer &&) {}
};
static Buffer make(bool which) {
    Buffer a("first result"), b("second result, longer than the other one");
    if (which) return a;
    return b;
}

int main() {
    Buffer one("one"), two(one), three(std::move(one));
    std::cout << two.view() << three.view() << one.view().size() << ' ' << Buffer::copies << Buffer::moves << '\n';
    const Buffer fixed("fixed");
    std::cout << kinds<Sink>(two, fixed, Buffer("temporary")) << ' ';
    std::cout << kinds<Sink>(std::move(two), three, std::move(three)) << '\n';
    std::cout << make(true).view() << ' ' << make(false).view().size() << '\n';
    Buffer::copies = Buffer::moves = 0;
    std::vector<Buffer> buffers;
    for (int i = 0; i < 20; i++) buffers.emplace_back(std::string(size_t(i), '*'));
    buffers.erase(buffers.begin(), buffers.begin() + 10);
    buffers.insert(buffers.begin(), Buffer("inserted"));
    std::cout << Buffer::copies << (Buffer::moves > 0) << buffers[1].view() << '\n';
    buffers[0] = buffers[1];
    buffers[2] = std::move(buffers[3]);
    buffers[4] = *&buffers[4];
    std::cout << Buffer::copies << buffers[0].view().size() << buffers[3].view().size() << buffers[4].view().size() << '\n';
    std::optional<Buffer> maybe = std::move(buffers[5]);
    std::array<Buffer, 2> pair{Buffer("x"), std::move(*maybe)};
    auto [left, right] = std::move(pair);
    std::cout << left.view() << right.view().size() << maybe->view().size() << '\n';
    auto lambda = [owned = std::make_unique<Buffer>("captured by move")]() mutable { return std::move(*owned); };
    Buffer out = lambda();
    assert(out.view() == "captured by move" && lambda().view().empty());
    static_assert(std::is_nothrow_move_constructible_v<Buffer> && !std::is_nothrow_copy_constructible_v<Buffer>);
}
