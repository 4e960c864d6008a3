// Exceptions through constructors, destructors, noexcept bounds and function try blocks.
#include <cassert>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

static int live;
struct Part {
    explicit Part(int n) : number(n) {
        if (n == fail_at) throw std::runtime_error("part " + std::to_string(n));
        ++live;
    }
    Part(const Part &other) : Part(other.number) {}
    ~Part() { --live; }
    int number;
    static inline int fail_at = -1;
};

struct Whole {
    Part a, b;
    std::unique_ptr<Part> c;
    std::vector<Part> rest;
    explicit Whole(int base) try : a(base), b(base + 1), c(std::make_unique<Part>(base + 2)) {
        rest.reserve(3);
        for (int i = 3; i < 6; i++) rest.emplace_back(base + i);
    } catch (const std::runtime_error &error) {
        throw std::logic_error(std::string("whole: ") + error.what());
    }
};

struct Cleanup {
    std::function<void()> action;
    ~Cleanup() {
        if (action) action();
    }
};

static int depth(int n) {
    Cleanup guard{[] { ++live; }};
    if (n == 0) throw n;
    return depth(n - 1) + 1;
}

int main() {
    for (int fail : {0, 1, 2, 3, 5, -1}) {
        Part::fail_at = fail;
        try {
            Whole whole(0);
            std::cout << "made, live " << live << '\n';
        } catch (const std::logic_error &error) {
            std::cout << error.what() << ", live " << live << '\n';
        }
        assert(live == 0);
    }
    try {
        depth(20);
    } catch (int n) {
        std::cout << "depth " << n << ' ' << live << '\n';
    }
    live = 0;
    auto *array = static_cast<Part *>(nullptr);
    try {
        array = new Part[2]{Part(1), Part(2)};
        delete[] array;
        Part::fail_at = 2;
        array = new Part[3]{Part(1), Part(0), Part(2)};
    } catch (const std::exception &error) {
        std::cout << error.what() << ' ' << live << '\n';
    }
    try {
        throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory), "opening");
    } catch (const std::system_error &error) {
        std::cout << error.code().value() << ' ' << (error.code() == std::errc::no_such_file_or_directory) << ' ' << error.code().category().name() << '\n';
    }
    struct Base {
        virtual ~Base() = default;
    };
    struct Derived : Base, std::exception {};
    int caught = 0;
    try {
        throw Derived();
    } catch (Base &base) {
        caught = dynamic_cast<std::exception *>(&base) ? 1 : 2;
        try {
            throw;
        } catch (const std::exception &) {
            caught += 10;
        }
    }
    static_assert(noexcept(caught + 1) && !noexcept(depth(1)));
    std::cout << caught << ' ' << std::uncaught_exceptions() << '\n';
}
