// The front of a deque is written after it was popped.
// NATIVE: miss the native library of this compiler does not annotate its containers
#include <cstdio>
#include <deque>

int main() {
    std::deque<int> waiting;
    for (int i = 0; i < 8; i++) waiting.push_back(i);
    volatile int *front = &waiting.front();
    for (int i = 0; i < 3; i++) waiting.pop_front();
    *front = 5; // EXPECT: container-overflow write 4
    std::printf("%zu\n", waiting.size());
    return 0;
}
