// A stack and a queue without locks between threads, reference counts, tagged and wide pointers.
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
// NATIVE: skip no native tool follows pointers
// CFLAGS: -mcx16
// STDOUT: 4950 190 6 55 3 9
// EXIT: 0
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

struct node {
    node *next;
    long value;
};

static std::atomic<node *> head, bin;
static std::atomic<long> total;

static void push(std::atomic<node *> &where, node *one)
{
    one->next = where.load();
    while (!where.compare_exchange_weak(one->next, one))
        ;
}

static void produce(long first, long count)
{
    for (long i = first; i < first + count; i++) {
        node *one = static_cast<node *>(std::malloc(sizeof(node)));
        one->value = i;
        push(head, one);
    }
}

static void consume()
{
    for (node *all = head.exchange(nullptr); all;) {
        node *next = all->next;
        total += all->value;
        push(bin, all);
        all = next;
    }
}

static void empty_bin()
{
    for (node *one = bin.exchange(nullptr); one;) {
        node *next = one->next;
        std::free(one);
        one = next;
    }
}

static long tagged()
{
    static std::atomic<std::uintptr_t> word;
    long values[4] = {1, 2, 3, 4};
    word = reinterpret_cast<std::uintptr_t>(values) | 1;
    std::uintptr_t old = word.fetch_add(8);
    while (!word.compare_exchange_weak(old, old | 2))
        ;
    return *reinterpret_cast<long *>(old & ~std::uintptr_t(7)) +
           *reinterpret_cast<long *>(word.exchange(0) & ~std::uintptr_t(7)) + 2;
}

struct alignas(16) counted {
    node *first;
    std::uint64_t count;
};

__attribute__((noinline)) static long first_of(std::atomic<counted> &list)
{
    counted seen = list.load(), old = list.exchange({nullptr, 0});
    return seen.first->value - old.first->value;
}

static long wide()
{
    static std::atomic<counted> list;
    long sum = 0;
    for (long i = 1; i <= 10; i++) {
        node *one = static_cast<node *>(std::malloc(sizeof(node)));
        one->value = i;
        counted old = list.load(), made;
        do {
            one->next = old.first;
            made = {one, old.count + 1};
        } while (!list.compare_exchange_weak(old, made));
    }
    for (counted old = list.load(); old.first; old = list.load())
        if (list.compare_exchange_weak(old, {old.first->next, old.count - 1})) {
            sum += old.first->value;
            std::free(old.first);
        }
    node *one = static_cast<node *>(std::calloc(1, sizeof(node)));
    std::atomic<counted> other{counted{one, 1}};
    sum += first_of(other);
    std::free(one);
    return sum;
}

static long pointers()
{
    static long values[4] = {1, 2, 3, 4};
    std::atomic<long *> at{values};
    at.fetch_add(1);
    ++at;
    long *block = static_cast<long *>(std::calloc(4, sizeof(long))), sum = *at.load() - 3;
    struct {
        long *at;
    } held = {block};
    auto *moved = reinterpret_cast<std::atomic<long *> *>(&held);
    for (int i = 0; i < 4; i++)
        *moved->fetch_add(1) = i;
    for (int i = 0; i < 4; i++)
        sum += *--*moved;
    auto *bits = reinterpret_cast<std::atomic<std::uintptr_t> *>(&held);
    bits->fetch_or(1);
    sum += *reinterpret_cast<long *>(bits->fetch_xor(1) & ~std::uintptr_t(1));
    std::free(block);
    return sum - 3;
}

int main()
{
    for (int round = 0; round < 5; round++) {
        std::thread first(produce, round * 20, 10), second(produce, round * 20 + 10, 10);
        std::thread third(consume);
        first.join();
        second.join();
        third.join();
        consume();
        empty_bin();
    }
    std::printf("%ld ", total.exchange(0));
    produce(0, 20);
    consume();
    empty_bin();
    long shared_value;
    {
        auto shared = std::make_shared<long>(9);
        std::thread reader([shared, &shared_value] { shared_value = *shared; });
        reader.join();
    }
    std::printf("%ld %ld %ld %ld %ld\n", total.load(), tagged(), wide(), pointers(), shared_value);
    return 0;
}
