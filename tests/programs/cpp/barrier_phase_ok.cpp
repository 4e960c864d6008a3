// Threads write before a barrier; its completion step and everybody behind it may read.
// CFLAGS: -std=c++20
// STDOUT: 6 6 6
#include <barrier>
#include <cstdio>
#include <memory>
#include <thread>

int main() {
    int parts[2] = {0, 0}, total = 0, seen[2];
    auto add_up = [&]() noexcept { total = parts[0] + parts[1]; };
    std::barrier meeting(2, add_up);
    auto work = [&](int id) {
        parts[id] = 2 * (id + 1);
        meeting.arrive_and_wait();
        seen[id] = total;
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    std::printf("%d %d %d\n", total, seen[0], seen[1]);
}
