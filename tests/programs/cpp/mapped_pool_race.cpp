// Objects are made in memory that another thread has mapped, without an order between the two.
#include <atomic>
#include <cstdio>
#include <new>
#include <sys/mman.h>
#include <thread>

struct Point {
    long x;
    explicit Point(long value) : x(value) {} // EXPECT: data race write 8
};

static std::atomic<void *> ready;

int main() {
    std::thread user([] {
        void *place;
        while (!(place = ready.load(std::memory_order_relaxed))) std::this_thread::yield();
        Point *point = new (static_cast<char *>(place) + 512) Point(7);
        std::printf("%ld\n", point->x);
    });
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS;
    void *place = mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, kind, -1, 0); // PREVIOUS: write
    if (place == MAP_FAILED) return 1;
    ready.store(place, std::memory_order_relaxed);
    user.join();
    munmap(place, 1 << 16);
}
