// The top of a priority queue that is empty.
#include <cstdio>
#include <queue>

int main() {
    std::priority_queue<int> times;
    times.push(3);
    times.pop();
#ifdef FIXED
    times.push(0);
#endif
    std::printf("%d\n", times.top()); // EXPECT: library-precondition
}
