// A latch is counted down by more than it has.
#include <cstdio>
#include <latch>

int main() {
    std::latch ready(2);
    ready.count_down();
#ifdef FIXED
    ready.count_down();
#else
    ready.count_down(2); // EXPECT: library-precondition
#endif
    std::printf("%d\n", ready.try_wait());
}
