// One exception is given to several threads, which read it and let it go.
#include <cassert>
#include <exception>
#include <future>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Failure : std::runtime_error {
    Failure(const std::string &what, std::vector<int> codes_) : std::runtime_error(what), codes(std::move(codes_)) {}
    std::vector<int> codes;
};

int main() {
    std::exception_ptr shared;
    try {
        throw Failure("a failure with a text that needs memory of its own", {1, 2, 3});
    } catch (...) {
        shared = std::current_exception();
    }
    std::mutex mutex;
    size_t total = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([own = shared, &mutex, &total] {
            try {
                std::rethrow_exception(own);
            } catch (const Failure &failure) {
                std::lock_guard lock(mutex);
                total += failure.codes.size() + std::string(failure.what()).size();
            }
        });
    shared = nullptr;
    for (auto &thread : threads) thread.join();
    std::cout << total << '\n';

    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();
    std::vector<std::future<std::string>> readers;
    for (int t = 0; t < 3; t++)
        readers.push_back(std::async(std::launch::async, [future] {
            try {
                return std::to_string(future.get());
            } catch (const std::logic_error &error) {
                return std::string(error.what());
            }
        }));
    promise.set_exception(std::make_exception_ptr(std::logic_error("no answer")));
    future = {};
    for (auto &reader : readers) std::cout << reader.get() << '\n';

    try {
        try {
            throw std::out_of_range("inner");
        } catch (...) {
            std::throw_with_nested(std::runtime_error("outer"));
        }
    } catch (const std::runtime_error &outer) {
        try {
            std::rethrow_if_nested(outer);
        } catch (const std::out_of_range &inner) {
            std::cout << outer.what() << " over " << inner.what() << '\n';
        }
    }
    assert(!std::current_exception() && std::uncaught_exceptions() == 0);
}
