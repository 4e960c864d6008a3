// Two shared pointers count for themselves.
#include <cstdio>
#include <memory>

int main() {
    auto *value = new int(3);
    std::shared_ptr<int> first(value);
#ifdef FIXED
    std::shared_ptr<int> second(first);
#else
    std::shared_ptr<int> second(value);
#endif
    std::printf("%ld\n", first.use_count() + second.use_count());
} // EXPECT: double-free
