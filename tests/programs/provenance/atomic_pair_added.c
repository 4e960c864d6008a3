// A pointer beside a count, to both of which 16 bytes are added at a time, keeps its object.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// CFLAGS: -mcx16
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;

struct cursor {
    long *at;
    uintptr_t count;
};

static union {
    struct cursor cursor;
    wide both;
} shared __attribute__((aligned(16)));

__attribute__((noinline)) static struct cursor next(uintptr_t step_bytes)
{
    union {
        wide both;
        struct cursor cursor;
    } old;
    wide step = (wide)1 << 64 | step_bytes;
    old.both = __atomic_fetch_add(&shared.both, step, __ATOMIC_SEQ_CST);
    return old.cursor;
}

int main(void)
{
    long *big = calloc(100000, sizeof(long));
    long *values = calloc(4, sizeof(long));
    shared.cursor = (struct cursor){values, 0};
    printf("%ld\n", *next(8).at);
    printf("%ld %lu\n", *next(8).at, (unsigned long)shared.cursor.count);
    volatile uintptr_t far = (uintptr_t)(big + 100) - (uintptr_t)shared.cursor.at;
    next(far);
    printf("%ld\n", *next(0).at); // EXPECT: access-outside-provenance read 8
    printf("%ld\n", *shared.cursor.at); // EXPECT: access-outside-provenance read 8
    return 0;
}
