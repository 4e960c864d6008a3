// The twin: a part is written behind the arrival, which the completion step does not wait for.
// CFLAGS: -std=c++20
#include <atomic>
#include <barrier>
#include <cstdio>
#include <thread>

int main() {
    int part = 0, total = 0;
    std::atomic<bool> written{false};
    auto add_up = [&]() noexcept {
        total += part; // EXPECT: data race read 4
    };
    std::barrier meeting(2, add_up);
    std::thread other([&] {
        while (!written.load(std::memory_order_relaxed)) std::this_thread::yield();
        meeting.arrive_and_wait();
    });
    auto token = meeting.arrive();
    part = 2; // PREVIOUS: write 4
    written.store(true, std::memory_order_relaxed);
    meeting.wait(std::move(token));
    other.join();
    std::printf("%d\n", total);
}
