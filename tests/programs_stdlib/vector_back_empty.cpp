// The last element of a vector that was emptied.
#include <cstdio>
#include <vector>

static int last_of(std::vector<int> &stack) {
#ifdef FIXED
    if (stack.empty()) return 0;
#endif
    return stack.back(); // EXPECT: library-precondition
}

int main() {
    std::vector<int> stack{1, 2, 3};
    while (!stack.empty()) stack.pop_back();
    std::printf("%d\n", last_of(stack));
}
