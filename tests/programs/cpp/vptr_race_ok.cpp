// An object is destroyed when its callers are gone, or its destructor leaves its table in place.
// STDOUT: 2 base 3 single
#include <atomic>
#include <cstdio>
#include <new>
#include <thread>

struct Base {
    virtual ~Base() { std::printf("base "); }
    virtual int name() { return 1; }
};

struct Derived : Base {
    int name() override { return 2; }
};

struct Single {
    virtual ~Single() { std::puts("single"); }
    virtual int name() { return 3; }
};

alignas(Single) static char room[sizeof(Single)];
static Single *single;
static std::atomic<bool> was_called;

int main() {
    Base *object = new Derived;
    std::thread([object] { std::printf("%d ", object->name()); }).join();
    delete object;
    single = new (room) Single;
    std::thread caller([] {
        std::printf("%d ", single->name());
        was_called.store(true, std::memory_order_relaxed);
    });
    while (!was_called.load(std::memory_order_relaxed)) {
    }
    single->~Single();
    caller.join();
    return 0;
}
