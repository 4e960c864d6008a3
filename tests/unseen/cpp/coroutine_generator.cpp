// A generator and a lazy task as coroutines: values, exceptions, early destruction.
#include <cassert>
#include <coroutine>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

template <class T> class Generator {
  public:
    struct promise_type {
        std::optional<T> value;
        std::exception_ptr error;
        Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T next) {
            value = std::move(next);
            return {};
        }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };
    using Handle = std::coroutine_handle<promise_type>;
    explicit Generator(Handle handle) : handle_(handle) {}
    Generator(Generator &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~Generator() {
        if (handle_) handle_.destroy();
    }
    bool next() {
        handle_.resume();
        if (handle_.promise().error) std::rethrow_exception(std::exchange(handle_.promise().error, nullptr));
        return !handle_.done();
    }
    const T &value() const { return *handle_.promise().value; }

  private:
    Handle handle_;
};

static int live = 0;
struct Tracked {
    Tracked() { ++live; }
    ~Tracked() { --live; }
};

static Generator<std::string> words(int limit) {
    Tracked guard;
    for (int i = 0; i < limit; i++) {
        std::string word(size_t(i) * 7, char('a' + i));
        co_yield word + "!";
    }
    if (limit > 4) throw std::length_error("too many words");
}

static Generator<long> fibonacci() {
    long a = 0, b = 1;
    for (;;) {
        co_yield a;
        a = std::exchange(b, a + b);
    }
}

static Generator<long> filtered(Generator<long> source, long divisor) {
    while (source.next())
        if (source.value() % divisor == 0) co_yield source.value();
}

int main() {
    auto three = words(3);
    while (three.next()) std::cout << three.value().size() << ' ';
    std::cout << live << '\n';
    {
        auto early = words(9);
        early.next(), early.next();
        assert(live == 1);
    }
    assert(live == 0);
    auto fails = words(5);
    int seen = 0;
    try {
        while (fails.next()) seen++;
    } catch (const std::length_error &error) {
        std::cout << seen << ' ' << error.what() << ' ' << live << '\n';
    }
    auto even = filtered(fibonacci(), 2);
    for (int i = 0; i < 10 && even.next(); i++) std::cout << even.value() << ' ';
    std::cout << '\n';
}
