// A bounded buffer with counting semaphores; tries and timeouts.
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <iostream>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

template <class T, size_t N> class Buffer {
  public:
    void put(T value) {
        free_.acquire();
        {
            std::lock_guard lock(mutex_);
            slots_[tail_++ % N] = std::move(value);
        }
        used_.release();
    }
    T take() {
        used_.acquire();
        T value;
        {
            std::lock_guard lock(mutex_);
            value = std::move(slots_[head_++ % N]);
        }
        free_.release();
        return value;
    }

  private:
    std::counting_semaphore<N> free_{N}, used_{0};
    std::mutex mutex_;
    std::array<T, N> slots_{};
    size_t head_ = 0, tail_ = 0;
};

int main() {
    Buffer<int, 4> buffer;
    std::atomic<long> sum{0};
    std::vector<std::thread> threads;
    for (int p = 0; p < 3; p++)
        threads.emplace_back([&, p] {
            for (int i = 0; i < 40; i++) buffer.put(p * 1000 + i);
        });
    for (int c = 0; c < 2; c++)
        threads.emplace_back([&] {
            for (int i = 0; i < 60; i++) sum += buffer.take();
        });
    for (auto &thread : threads) thread.join();
    std::cout << sum << '\n';
    assert(sum == 40 * (0 + 1000 + 2000) + 3 * 780);

    std::binary_semaphore door{0};
    using namespace std::chrono_literals;
    std::cout << door.try_acquire() << door.try_acquire_for(10ms) << door.try_acquire_until(std::chrono::steady_clock::now() + 5ms) << '\n';
    door.release();
    std::cout << door.try_acquire() << '\n';
    int message = 0;
    std::binary_semaphore answer{0};
    std::thread peer([&] {
        door.acquire();
        message *= 2;
        answer.release();
    });
    message = 21;
    door.release();
    answer.acquire();
    std::cout << message << '\n';
    peer.join();
    std::counting_semaphore<10> many{0};
    many.release(3);
    int got = 0;
    while (many.try_acquire()) got++;
    std::cout << got << ' ' << (decltype(many)::max() >= 10) << '\n';
}
