// Allocators of the program's own: counted, pooled, propagated, with placement and alignment.
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct Stats {
    size_t allocations = 0, bytes = 0;
};

template <class T> struct Tracking {
    using value_type = T;
    using propagate_on_container_swap = std::true_type;
    Stats *stats;
    explicit Tracking(Stats *s) : stats(s) {}
    template <class U> Tracking(const Tracking<U> &other) : stats(other.stats) {}
    T *allocate(size_t n) {
        stats->allocations++;
        stats->bytes += n * sizeof(T);
        return static_cast<T *>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
    }
    void deallocate(T *p, size_t n) {
        stats->bytes -= n * sizeof(T);
        ::operator delete(p, n * sizeof(T), std::align_val_t(alignof(T)));
    }
    template <class U> bool operator==(const Tracking<U> &other) const { return stats == other.stats; }
};

template <class T, size_t N> class FreeList {
    union Slot {
        Slot *next;
        alignas(T) std::byte room[sizeof(T)];
    };
    std::unique_ptr<Slot[]> slots_ = std::make_unique<Slot[]>(N);
    Slot *free_ = nullptr;

  public:
    FreeList() {
        for (size_t i = 0; i < N; i++) slots_[i].next = free_, free_ = &slots_[i];
    }
    template <class... Args> T *make(Args &&...args) {
        if (!free_) throw std::bad_alloc();
        Slot *slot = free_;
        free_ = slot->next;
        return ::new (static_cast<void *>(slot->room)) T(std::forward<Args>(args)...);
    }
    void drop(T *object) {
        std::destroy_at(object);
        auto *slot = ::new (static_cast<void *>(object)) Slot;
        slot->next = free_;
        free_ = slot;
    }
};

struct alignas(32) Vector4 {
    double v[4];
};

int main() {
    Stats stats;
    {
        using Text = std::basic_string<char, std::char_traits<char>, Tracking<char>>;
        Tracking<char> alloc(&stats);
        std::map<int, Text, std::less<>, Tracking<std::pair<const int, Text>>> table{std::less<>(), alloc};
        for (int i = 0; i < 20; i++) table.emplace(i, Text(size_t(i) * 5, 'x', alloc));
        table.erase(table.begin(), table.find(5));
        std::vector<Vector4, Tracking<Vector4>> vectors(alloc), other(alloc);
        vectors.resize(5), other.resize(50);
        swap(vectors, other);
        assert(reinterpret_cast<std::uintptr_t>(&vectors[3]) % 32 == 0);
        auto shared = std::allocate_shared<std::list<int>>(alloc, 10, 3);
        assert(stats.bytes > 50 * sizeof(Vector4));
        std::cout << table.size() << vectors.size() << shared->size() << '\n';
    }
    std::cout << stats.bytes << ' ' << (stats.allocations > 20) << '\n';

    FreeList<std::string, 3> pool;
    auto *a = pool.make("first string, long enough for the heap"), *b = pool.make(3u, 'b'), *c = pool.make();
    try {
        pool.make("too many");
        return 1;
    } catch (const std::bad_alloc &) {
        std::cout << a->size() << *b << '\n';
    }
    pool.drop(b);
    auto *again = pool.make("reused");
    std::cout << (static_cast<void *>(again) == static_cast<void *>(b)) << *again << '\n';
    pool.drop(a), pool.drop(again), pool.drop(c);

    auto *raw = static_cast<std::string *>(std::malloc(4 * sizeof(std::string)));
    std::uninitialized_fill_n(raw, 4, std::string(30, 'q'));
    std::destroy_n(raw, 4);
    std::free(raw);
    std::unique_ptr<void, decltype(&std::free)> aligned(std::aligned_alloc(128, 256), &std::free);
    std::cout << reinterpret_cast<std::uintptr_t>(aligned.get()) % 128 << '\n';
    auto *big = new (std::nothrow) char[10];
    delete[] big;
}
