// new and delete of every alignment, as std::pmr and containers of small types use them.
// STDOUT: 12 blocks
// STDOUT: 6 4
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

int main() {
    int n_blocks = 0;
    for (std::size_t alignment = 1; alignment <= 2048; alignment *= 2) {
        const auto how = std::align_val_t(alignment);
        void *block = ::operator new(40, how);
        std::memset(block, 1, 40);
        ::operator delete(block, 40, how);
        void *array = ::operator new[](33280, how);
        ::operator delete[](array, how);
        void *other = ::operator new(64, how, std::nothrow);
        ::operator delete(other, how, std::nothrow);
        n_blocks++;
    }
    std::printf("%d blocks\n", n_blocks);
    std::pmr::monotonic_buffer_resource buffer(64);
    std::pmr::vector<std::pmr::string> words(&buffer);
    for (const char *word : {"a", "word", "that is longer than any string holds itself", "x"})
        words.emplace_back(word);
    std::pmr::vector<char> letters({'a', 'b', 'c', 'd', 'e', 'f'}, std::pmr::new_delete_resource());
    std::printf("%zu %zu\n", letters.size(), words.size());
    return 0;
}
