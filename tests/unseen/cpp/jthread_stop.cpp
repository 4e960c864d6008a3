// Threads that are asked to stop: tokens, callbacks, waits that end at a stop.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

class Worker {
  public:
    Worker() : thread_([this](std::stop_token stop) { run(stop); }) {}
    void post(int value) {
        {
            std::lock_guard lock(mutex_);
            queue_.push_back(value);
        }
        ready_.notify_one();
    }
    long stop_and_sum() {
        thread_.request_stop();
        thread_.join();
        return sum_;
    }

  private:
    void run(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (!ready_.wait(lock, stop, [this] { return !queue_.empty(); })) break;
            while (!queue_.empty()) {
                sum_ += queue_.front();
                queue_.pop_front();
            }
        }
    }
    std::mutex mutex_;
    std::condition_variable_any ready_;
    std::deque<int> queue_;
    long sum_ = 0;
    std::jthread thread_;
};

int main() {
    Worker worker;
    long expected = 0;
    for (int i = 1; i <= 100; i++) {
        worker.post(i);
        expected += i;
    }
    // A stop may come before the queue is read, but the predicate is asked first.
    std::cout << (worker.stop_and_sum() == expected) << '\n';

    std::stop_source source;
    std::vector<int> order;
    std::stop_callback one(source.get_token(), [&] { order.push_back(1); });
    {
        std::stop_callback two(source.get_token(), [&] { order.push_back(2); });
    }
    std::jthread waiter([](std::stop_token own, std::stop_token other) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        bool reached = never.wait(lock, other, [] { return false; });
        assert(!reached && !own.stop_requested());
    }, source.get_token());
    assert(source.request_stop());
    assert(!source.request_stop());
    waiter.join();
    std::stop_callback late(source.get_token(), [&] { order.push_back(3); });
    for (int step : order) std::cout << step << ' ';
    std::cout << '\n';
    {
        std::jthread spins([](std::stop_token stop) {
            while (!stop.stop_requested()) std::this_thread::yield();
        });
    }
    std::stop_token none;
    std::cout << none.stop_possible() << source.stop_requested() << '\n';
}
