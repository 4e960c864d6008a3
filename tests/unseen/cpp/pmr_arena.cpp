// Containers over memory resources: a stack buffer, pools, a resource that counts.
#include <array>
#include <cassert>
#include <cstddef>
#include <iostream>
#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

class Counting : public std::pmr::memory_resource {
  public:
    explicit Counting(std::pmr::memory_resource *upstream) : upstream_(upstream) {}
    size_t live = 0, total = 0;

  private:
    void *do_allocate(size_t bytes, size_t alignment) override {
        void *block = upstream_->allocate(bytes, alignment);
        live += bytes;
        ++total;
        return block;
    }
    void do_deallocate(void *block, size_t bytes, size_t alignment) override {
        live -= bytes;
        upstream_->deallocate(block, bytes, alignment);
    }
    bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
    std::pmr::memory_resource *upstream_;
};

struct alignas(64) Line {
    double values[8];
};

int main() {
    Counting heap(std::pmr::new_delete_resource());
    {
        std::pmr::unsynchronized_pool_resource pool(&heap);
        std::pmr::list<std::pmr::string> words(&pool);
        for (int i = 0; i < 200; i++) {
            words.emplace_back("a word that does not fit into a small string ");
            words.back() += std::to_string(i);
        }
        words.remove_if([](const auto &word) { return word.back() == '7'; });
        std::cout << words.size() << ' ' << words.back() << '\n';
        std::pmr::map<int, std::pmr::vector<int>> table(&pool);
        for (int i = 0; i < 50; i++) table[i % 5].push_back(i);
        assert(table[3].get_allocator().resource() == &pool);
        std::cout << table.size() << ' ' << table[4].back() << '\n';
        std::pmr::vector<Line> lines(10, &pool);
        lines.resize(40);
        assert(reinterpret_cast<uintptr_t>(&lines[7]) % 64 == 0);
    }
    assert(heap.live == 0 && heap.total > 0);

    alignas(std::max_align_t) std::array<std::byte, 4096> buffer;
    std::pmr::monotonic_buffer_resource arena(buffer.data(), buffer.size(), std::pmr::null_memory_resource());
    std::pmr::vector<int> numbers(&arena);
    for (int i = 0; i < 100; i++) numbers.push_back(i);
    const auto *first = reinterpret_cast<std::byte *>(numbers.data());
    assert(first >= buffer.data() && first < buffer.data() + buffer.size());
    try {
        numbers.reserve(10000);
        return 1;
    } catch (const std::bad_alloc &) {
        std::cout << "arena is full, " << numbers.size() << " numbers stay\n";
    }
    std::pmr::synchronized_pool_resource shared(&heap);
    std::pmr::unordered_map<std::pmr::string, int> counts(&shared);
    for (const char *word : {"to", "be", "or", "not", "to", "be"}) counts[word]++;
    std::cout << counts["to"] << counts["be"] << counts["or"] << '\n';
    void *block = shared.allocate(100, 8);
    shared.deallocate(block, 100, 8);
}
