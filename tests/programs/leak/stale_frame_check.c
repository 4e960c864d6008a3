// The copies lie below the frame that asks for leaks.
// EXIT: 0
// NATIVE: miss the search itself stands where the dead frame was, and scans it
#include <stdlib.h>

int __lsan_do_recoverable_leak_check(void);

static __attribute__((noinline)) int lose(void) {
    void *volatile slots[20000];
    volatile char *block = malloc(52); // EXPECT: direct-leak 52
    block[0] = 1;
    for (int i = 0; i < 20000; i++) slots[i] = (void *)block;
    return slots[7] == NULL;
}

int main(void) {
    if (lose()) return 1;
    if (!__lsan_do_recoverable_leak_check()) return 2;
    _Exit(0);
}
