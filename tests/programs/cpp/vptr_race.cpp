// An object is destroyed while another thread may still call it: the destructor of the base puts
// its own virtual table in place.
#include <atomic>
#include <cstdio>
#include <new>
#include <thread>

struct Base {
    virtual ~Base() { std::puts("base"); } // EXPECT: data race on vptr (ctor/dtor vs virtual call)
    virtual int name() { return 1; }
};

struct Derived : Base {
    int name() override { return 2; }
};

alignas(Derived) static char room[sizeof(Derived)];
static Base *shared;
static std::atomic<bool> was_called;

int main() {
    shared = new (room) Derived;
    std::thread caller([] {
        std::printf("%d\n", shared->name()); // PREVIOUS: read 8
        was_called.store(true, std::memory_order_relaxed);
    });
    while (!was_called.load(std::memory_order_relaxed)) {
    }
    shared->~Base();
    caller.join();
    return 0;
}
