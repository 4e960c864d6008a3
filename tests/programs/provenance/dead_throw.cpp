// A variable of a function that an exception has left is used by the handler.
// NATIVE: skip no native tool follows pointers
#include <cstdio>

struct failure {
    const int *where;
};

__attribute__((noinline)) static int parse(const int *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] < 0)
            throw failure{values + i};
    return values[0];
}

__attribute__((noinline)) static int attempt(int last)
{
    int values[4] = {1, 2, 3, last};
    return parse(values, 4) + values[last & 3];
}

int main()
{
    volatile int good = 1, bad = -1;
    std::printf("%d\n", attempt(good));
    try {
        std::printf("%d\n", attempt(bad));
    } catch (const failure &found) {
        std::printf("%d\n", *found.where); // EXPECT: use-of-dead-provenance read 4
    }
    return 0;
}
