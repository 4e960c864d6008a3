// The twin of deque_popped: what is written is still there.
// STDOUT: 5
#include <cstdio>
#include <deque>

int main() {
    std::deque<int> waiting;
    for (int i = 0; i < 8; i++) waiting.push_back(i);
    volatile int *front = &waiting.front();
    for (int i = 0; i < 3; i++) waiting.pop_back();
    *front = 5;
    std::printf("%zu\n", waiting.size());
    return 0;
}
