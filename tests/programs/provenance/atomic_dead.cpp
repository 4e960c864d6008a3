// The queue's old end was freed; its memory is the next node's when it is used.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
// NATIVE: skip no native tool follows pointers
#include <atomic>
#include <cstdio>
#include <cstdlib>

struct node {
    std::atomic<node *> next;
    long value;
};

static std::atomic<node *> last;

__attribute__((noinline)) static node *make(long value)
{
    node *made = static_cast<node *>(std::malloc(sizeof(node))); // ALLOCATED
    made->next.store(nullptr);
    made->value = value;
    return made;
}

int main()
{
    last.store(make(1));
    node *seen = last.load(std::memory_order_acquire);
    node *expected = nullptr;
    last.compare_exchange_strong(expected, seen);
    std::printf("%ld\n", expected->value);
    node *old = last.exchange(make(2));
    std::free(old); // FREED
    node *volatile fresh = nullptr;
    for (int i = 0; i < 100 && fresh != old; i++)
        fresh = make(3);
    std::printf("%ld\n", fresh->value);
    std::printf("%ld\n", expected->value); // EXPECT: use-of-dead-provenance read 8
    return 0;
}
