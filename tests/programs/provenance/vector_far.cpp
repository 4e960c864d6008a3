// An index into one vector's storage reaches another's.
// NATIVE: skip no native tool follows pointers
#include <cstdio>
#include <vector>

__attribute__((noinline)) static int at(const std::vector<int> &values, long index)
{
    return values[index]; // EXPECT: access-outside-provenance read 4
}

int main()
{
    std::vector<int> first(10, 1), second(2000, 2);
    volatile long distance = second.data() - first.data();
    std::printf("%d\n", at(second, 5));
    std::printf("%d\n", at(first, distance + 50));
    return 0;
}
