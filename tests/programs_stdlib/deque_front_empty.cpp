// One more job is taken than the queue has.
#include <cstdio>
#include <deque>

int main() {
    std::deque<int> jobs{1, 2, 3};
    int n = 4;
#ifdef FIXED
    n = 3;
#endif
    int total = 0;
    for (int i = 0; i < n; ++i) {
        total += jobs.front(); // EXPECT: library-precondition
        jobs.pop_front();
    }
    std::printf("%d\n", total);
}
