// Structures as arguments: copies, copies of copies, many members, variable arguments, recursion.
// NATIVE: skip no native tool follows pointers
// STDOUT: 55 6 9 120 14
// EXIT: 0
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>

struct big {
    long *data;
    long count;
    const char *name;
    long more[4];
};

__attribute__((noinline)) static long sum(big one)
{
    long total = 0;
    for (long i = 0; i < one.count; i++)
        total += one.data[i];
    one.data = nullptr;
    return total;
}

__attribute__((noinline)) static big twice(big one)
{
    long *data = static_cast<long *>(std::realloc(one.data, 2 * one.count * sizeof(long)));
    for (long i = 0; i < one.count; i++)
        data[one.count + i] = data[i];
    one.data = data;
    one.count *= 2;
    return one;
}

__attribute__((noinline)) static long recursive(big one)
{
    if (one.count == 0)
        return 1;
    long here = one.count--;
    one.data = &here;
    return one.data[0] * recursive(one);
}

static long variable(int count, ...)
{
    va_list list;
    va_start(list, count);
    long total = 0;
    for (int i = 0; i < count; i++)
        total += sum(va_arg(list, big));
    va_end(list);
    return total;
}

int main()
{
    big one = {static_cast<long *>(std::calloc(2, sizeof(long))), 2, "one", {1, 2, 3, 4}};
    one.data[0] = 1;
    one.data[1] = 2;
    long first = sum(one), second = variable(2, one, one);
    one = twice(one);
    std::function<long(big, long)> added = [one](big other, long n) { return sum(other) + n; };
    long third = added(one, 3);
    big five = one;
    five.count = 5;
    long fourth = recursive(five), fifth = first + variable(1, one) + 5;
    long values[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    big ten = {values, 10, "ten", {}};
    std::printf("%ld %ld %ld %ld %ld\n", sum(ten), second, third, fourth, fifth);
    std::free(one.data);
    return 0;
}
