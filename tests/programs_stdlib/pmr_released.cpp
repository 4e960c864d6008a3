// A string goes on after the memory resource that it lives in was released.
#include <iostream>
#include <memory_resource>
#include <string>

int main() {
    std::pmr::monotonic_buffer_resource pool(64);
    std::pmr::string text("a text that is long enough to need memory of the pool", &pool);
#ifndef FIXED
    pool.release(); // FREED
#endif
    std::cout << text << '\n'; // EXPECT: heap-use-after-free
    text = std::pmr::string(&pool);
}
