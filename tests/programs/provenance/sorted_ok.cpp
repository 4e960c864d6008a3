// Arrays with pointers in them are sorted: plain ones, packed ones, by comparators that sort
// themselves or throw; and numbers made of what was sorted.
// EXIT: 0
// STDOUT: 1 2 3 4 | 1 2 3 4 | 1 2 3 4 | thrown 10
// NATIVE: skip no native tool follows pointers
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct __attribute__((packed)) Tagged {
    char tag;
    long *value;
};

static long *made(long value)
{
    long *one = static_cast<long *>(std::malloc(sizeof *one));
    *one = value;
    return one;
}

static int by_value(const void *left, const void *right)
{
    long *a = *static_cast<long *const *>(left), *b = *static_cast<long *const *>(right);
    return (*a > *b) - (*a < *b);
}

static int by_sorting(const void *left, const void *right)
{
    long *both[] = {*static_cast<long *const *>(left), *static_cast<long *const *>(right)};
    std::qsort(both, 2, sizeof *both, by_value);
    return both[0] == *static_cast<long *const *>(left) ? -1 : 1;
}

static int by_packed_value(const void *left, const void *right)
{
    const Tagged *a = static_cast<const Tagged *>(left), *b = static_cast<const Tagged *>(right);
    return (*a->value > *b->value) - (*a->value < *b->value);
}

static int by_throwing(const void *, const void *)
{
    throw 1;
}

static void show(long *const *values)
{
    for (int i = 0; i < 4; i++) {
        uintptr_t number;
        std::memcpy(&number, &values[i], sizeof number);
        std::printf("%ld ", *reinterpret_cast<long *>(number ^ 0));
    }
    std::printf("| ");
}

int main()
{
    long *values[] = {made(3), made(1), made(4), made(2)};
    long *again[] = {values[0], values[1], values[2], values[3]};
    Tagged packed[4];
    for (int i = 0; i < 4; i++)
        packed[i] = {'t', values[i]};
    std::qsort(values, 4, sizeof *values, by_value);
    show(values);
    std::qsort(again, 4, sizeof *again, by_sorting);
    show(again);
    std::qsort(packed, 4, sizeof *packed, by_packed_value);
    for (int i = 0; i < 4; i++)
        again[i] = packed[i].value;
    show(again);
    try {
        std::qsort(again, 4, sizeof *again, by_throwing);
    } catch (int) {
        long sum = 0;
        for (long *one : again)
            sum += *one;
        std::printf("thrown %ld\n", sum);
    }
    for (long *one : values)
        std::free(one);
    return 0;
}
