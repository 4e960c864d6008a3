// A scheduler of timed tasks in a thread, with cancellation and a clock of the program's own.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
using namespace std::chrono_literals;

class Timers {
  public:
    using Clock = std::chrono::steady_clock;
    Timers() : thread_([this] { run(); }) {}
    ~Timers() {
        {
            std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    size_t after(Clock::duration delay, std::function<void()> action) {
        std::lock_guard lock(mutex_);
        tasks_.emplace(std::pair(Clock::now() + delay, next_), std::move(action));
        changed_.notify_one();
        return next_++;
    }
    bool cancel(size_t id) {
        std::lock_guard lock(mutex_);
        return std::erase_if(tasks_, [id](const auto &task) { return task.first.second == id; }) > 0;
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        while (!stop_) {
            if (tasks_.empty()) changed_.wait(lock);
            else if (auto due = tasks_.begin()->first.first; due > Clock::now()) changed_.wait_until(lock, due);
            else {
                auto task = tasks_.extract(tasks_.begin());
                lock.unlock();
                task.mapped()();
                lock.lock();
            }
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::pair<Clock::time_point, size_t>, std::function<void()>> tasks_;
    size_t next_ = 0;
    bool stop_ = false;
    std::thread thread_;
};

struct Ticks {
    using rep = long;
    using period = std::ratio<1, 60>;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<Ticks>;
    static constexpr bool is_steady = true;
    static inline std::atomic<long> count{0};
    static time_point now() { return time_point(duration(count++)); }
};

int main() {
    std::mutex mutex;
    std::string order;
    std::promise<void> done;
    {
        Timers timers;
        auto note = [&](char c) {
            return [&, c] {
                std::lock_guard lock(mutex);
                order += c;
            };
        };
        timers.after(60ms, note('c'));
        timers.after(20ms, note('a'));
        auto cancelled = timers.after(50ms, note('x'));
        timers.after(40ms, note('b'));
        timers.after(90ms, [&] { done.set_value(); });
        timers.after(1h, note('n'));
        assert(timers.cancel(cancelled) && !timers.cancel(12345));
        done.get_future().wait();
    }
    std::cout << order << '\n';
    auto start = Ticks::now();
    while (Ticks::now() - start < 1s) continue;
    std::cout << Ticks::count << ' ' << std::chrono::duration_cast<std::chrono::milliseconds>(Ticks::duration(90)).count() << '\n';
}
