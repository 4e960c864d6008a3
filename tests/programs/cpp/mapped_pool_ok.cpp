// A pool maps its memory in one thread and hands it out in another one that knows.
// STDOUT: 7
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <new>
#include <sys/mman.h>
#include <thread>

// Memory from the system, handed out from its beginning.
class Pool {
public:
    explicit Pool(std::size_t n_bytes) : n_bytes_(n_bytes) {
        base_ = mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    ~Pool() { munmap(base_, n_bytes_); }
    template <class T> T *make(T value) { return new (base_) T(value); }

private:
    void *base_;
    std::size_t n_bytes_;
};

static std::atomic<Pool *> ready;

int main() {
    std::thread user([] {
        Pool *pool;
        while (!(pool = ready.load(std::memory_order_acquire))) std::this_thread::yield();
        std::printf("%ld\n", *pool->make(7L));
    });
    static char place[sizeof(Pool)];
    Pool *pool = new (place) Pool(1 << 16);
    ready.store(pool, std::memory_order_release);
    user.join();
    pool->~Pool();
}
