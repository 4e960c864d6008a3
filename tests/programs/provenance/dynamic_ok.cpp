// Variables that are made in loops, and functions that are left by jumps and exceptions.
// NATIVE: skip no native tool follows pointers
// STDOUT: 700 10 15 28 12
// EXIT: 0
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

__attribute__((noinline)) static int sum(const int *values, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

__attribute__((noinline)) static int rounds(int count)
{
    int total = 0, outer[4] = {1, 1, 1, 1};
    for (int round = 1; round <= count; round++) {
        int values[round];
        for (int i = 0; i < round; i++) {
            int inner[i + 1];
            inner[i] = i;
            values[i] = sum(&inner[i], 1) + sum(outer, 2);
        }
        total += sum(values, round);
    }
    return total;
}

struct node {
    node *next;
    int value;
};

__attribute__((noinline)) static int chain(int count)
{
    node *first = nullptr;
    for (int i = 0; i < count; i++) {
        auto *made = static_cast<node *>(__builtin_alloca(sizeof(node)));
        *made = {first, i};
        first = made;
    }
    int total = 0;
    for (node *at = first; at != nullptr; at = at->next)
        total += at->value;
    return total;
}

static std::jmp_buf back;

__attribute__((noinline)) static int jump(int depth, int *total)
{
    int own[8] = {depth};
    *total += sum(own, 8);
    if (depth == 0)
        std::longjmp(back, 1);
    int result = jump(depth - 1, total);
    return result + sum(own, 1);
}

__attribute__((noinline)) static int fail(int depth)
{
    int own[8] = {depth};
    std::string text = "depth " + std::to_string(sum(own, 8));
    if (depth == 0)
        throw std::runtime_error(text);
    try {
        return fail(depth - 1) + sum(own, 8);
    } catch (const std::logic_error &) {
        return 0;
    }
}

int main()
{
    volatile int count = 10;
    int total = 0;
    int *kept = &total;
    if (setjmp(back) == 0)
        jump(count / 2, kept);
    int caught = 0, numbers[2] = {14, 14};
    for (int i = 0; i < 2; i++) {
        try {
            caught += fail(3) + std::stoi("x");
        } catch (const std::exception &one) {
            caught += sum(&numbers[i], 1);
        }
    }
    int parsed = 12;
    try {
        parsed += std::stoi("none");
    } catch (const std::invalid_argument &) {
        parsed += sum(numbers, 2) - 28;
    }
    std::printf("%d %d %d %d %d\n", rounds(count) + 425, chain(5), *kept, caught, parsed);
    return 0;
}
