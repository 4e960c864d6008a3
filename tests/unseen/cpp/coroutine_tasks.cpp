// Tasks that await each other on a small run queue, with symmetric transfer.
#include <cassert>
#include <coroutine>
#include <deque>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

class Loop {
  public:
    void post(std::coroutine_handle<> handle) { ready_.push_back(handle); }
    void run() {
        while (!ready_.empty()) {
            auto handle = ready_.front();
            ready_.pop_front();
            handle.resume();
            turns++;
        }
    }
    auto yield() {
        struct Awaiter {
            Loop &loop;
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> handle) { loop.post(handle); }
            void await_resume() const noexcept {}
        };
        return Awaiter{*this};
    }
    int turns = 0;

  private:
    std::deque<std::coroutine_handle<>> ready_;
};

template <class T> class Task {
  public:
    struct promise_type {
        T value{};
        std::exception_ptr error;
        std::coroutine_handle<> waiter = std::noop_coroutine();
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct Final {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept { return self.promise().waiter; }
            void await_resume() noexcept {}
        };
        Final final_suspend() noexcept { return {}; }
        void return_value(T result) { value = std::move(result); }
        void unhandled_exception() { error = std::current_exception(); }
    };
    explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    Task(Task &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~Task() {
        if (handle_) handle_.destroy();
    }
    bool await_ready() const noexcept { return handle_.done(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) {
        handle_.promise().waiter = waiter;
        return handle_;
    }
    T await_resume() {
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
        return std::move(handle_.promise().value);
    }
    std::coroutine_handle<> handle() const { return handle_; }

  private:
    std::coroutine_handle<promise_type> handle_;
};

static Task<int> leaf(Loop &loop, int value) {
    co_await loop.yield();
    if (value < 0) throw std::invalid_argument("negative");
    co_return value * value;
}

static Task<std::string> branch(Loop &loop, std::string name, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += co_await leaf(loop, i);
    try {
        sum += co_await leaf(loop, -1);
    } catch (const std::invalid_argument &error) {
        name += std::string(" (") + error.what() + ")";
    }
    co_return name + "=" + std::to_string(sum);
}

int main() {
    Loop loop;
    std::vector<Task<std::string>> tasks;
    for (int i = 1; i <= 3; i++) {
        tasks.push_back(branch(loop, "task number " + std::to_string(i), i * 3));
        loop.post(tasks.back().handle());
    }
    loop.run();
    for (auto &task : tasks) {
        assert(task.await_ready());
        std::cout << task.await_resume() << '\n';
    }
    std::cout << loop.turns << '\n';
}
