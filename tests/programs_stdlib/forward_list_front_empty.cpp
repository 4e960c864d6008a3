// The first element of a list without any.
#include <cstdio>
#include <forward_list>

int main() {
    std::forward_list<int> pending{5};
    pending.pop_front();
#ifdef FIXED
    pending.push_front(0);
#endif
    std::printf("%d\n", pending.front()); // EXPECT: library-precondition
}
