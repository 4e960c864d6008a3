// What lies at an address, in the words of the race detector.
// STDOUT: heap 10 1 stack global number 4 1
// STDOUT: frames: 1, thread 0
#include <stdio.h>
#include <stdlib.h>
typedef unsigned long Word;
const char *__tsan_locate_address(void *p, char *name, Word limit, void **region, Word *n_bytes);
int __tsan_get_alloc_stack(void *p, void **trace, Word limit, int *tid, Word *os_tid);
int number;

int main(void) {
    char name[32] = "";
    void *region, *trace[8];
    Word n_bytes, os_tid;
    int local, tid = 7;
    volatile char *block = malloc(10);
    const char *kind =
        __tsan_locate_address((void *)(block + 3), name, sizeof name, &region, &n_bytes);
    printf("%s %lu %d ", kind, n_bytes, region == block);
    printf("%s ", __tsan_locate_address(&local, NULL, 0, &region, &n_bytes));
    kind = __tsan_locate_address(&number, name, sizeof name, &region, &n_bytes);
    printf("%s %s %lu %d\n", kind, name, n_bytes, region == &number);
    int n_frames = __tsan_get_alloc_stack((void *)block, trace, 8, &tid, &os_tid);
    printf("frames: %d, thread %d\n", n_frames > 0, tid);
    free((void *)block);
    return 0;
}
