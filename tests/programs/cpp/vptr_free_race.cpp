// An object is freed while another thread may still call it.
// SANITIZE: thread
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

struct Shape {
    virtual int name() { return 1; }
};

struct Circle : Shape {
    int name() override { return 2; }
};

static Shape *shared;
static std::atomic<bool> was_freed;

int main() {
    void *room = std::malloc(sizeof(Circle));
    shared = new (room) Circle;
    std::thread caller([] {
        while (!was_freed.load(std::memory_order_relaxed)) {
        }
        int name = shared->name(); // EXPECT: heap-use-after-free (virtual call vs free) read 8
        std::printf("%d\n", name);
    });
    std::free(room);
    was_freed.store(true, std::memory_order_relaxed);
    caller.join();
    return 0;
}
