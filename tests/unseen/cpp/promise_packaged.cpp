// promise, packaged_task, call_once and a pool of workers with results.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

class Pool {
  public:
    explicit Pool(int n) {
        for (int i = 0; i < n; i++) workers_.emplace_back([this] { run(); });
    }
    ~Pool() {
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
        }
        wake_.notify_all();
        for (auto &worker : workers_) worker.join();
    }
    template <class F> auto submit(F f) {
        using R = std::invoke_result_t<F>;
        auto task = std::make_shared<std::packaged_task<R()>>(std::move(f));
        auto future = task->get_future();
        {
            std::lock_guard lock(mutex_);
            tasks_.push([task] { (*task)(); });
        }
        wake_.notify_one();
        return future;
    }

  private:
    void run() {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
                if (tasks_.empty()) return;
                task = std::move(tasks_.front());
                tasks_.pop();
            }
            task();
        }
    }
    std::mutex mutex_;
    std::condition_variable wake_;
    std::queue<std::function<void()>> tasks_;
    std::vector<std::thread> workers_;
    bool closed_ = false;
};

static std::once_flag once;
static std::vector<int> primes;
static void fill() {
    for (int n = 2; primes.size() < 20; n++) {
        bool is_prime = true;
        for (int p : primes) is_prime &= n % p != 0;
        if (is_prime) primes.push_back(n);
    }
}

int main() {
    std::vector<std::future<long>> results;
    std::future<std::string> text;
    {
        Pool pool(3);
        for (int i = 0; i < 12; i++)
            results.push_back(pool.submit([i] {
                std::call_once(once, fill);
                return long(primes[i]) * i;
            }));
        text = pool.submit([]() -> std::string { throw std::runtime_error("task failed"); });
    }
    long sum = 0;
    for (auto &result : results) sum += result.get();
    std::cout << sum << '\n';
    try {
        text.get();
    } catch (const std::runtime_error &error) {
        std::cout << error.what() << '\n';
    }
    std::promise<std::unique_ptr<int>> promise;
    auto future = promise.get_future();
    std::thread setter([p = std::move(promise)]() mutable { p.set_value_at_thread_exit(std::make_unique<int>(42)); });
    std::cout << *future.get() << '\n';
    setter.join();
    try {
        std::future<int> orphan = std::promise<int>().get_future();
        orphan.get();
    } catch (const std::future_error &error) {
        std::cout << (error.code() == std::future_errc::broken_promise) << '\n';
    }
    std::packaged_task<int(int, int)> add([](int a, int b) { return a + b; });
    add(2, 3);
    int first = add.get_future().get();
    add.reset();
    add(10, 20);
    std::cout << first << ' ' << add.get_future().get() << '\n';
}
