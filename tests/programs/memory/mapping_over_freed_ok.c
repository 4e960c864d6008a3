// EXIT: 0
// FLAGS: ASAN_OPTIONS=quarantine_size_mb=0
// NATIVE: skip whether the pages are given back before they are mapped again depends on its version
// A mapping made where a freed block was is new memory, and its end gives nothing else away.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
    void *block = NULL;
    if (posix_memalign(&block, 4096, 1 << 20)) return 1;
    void *volatile place = block;
    free(block);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    char *mapping = mmap(place, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    memset(mapping, 42, 4096);
    int is_set = mapping[4095] == 42;
    munmap(mapping, 4096);
    for (int i = 0; i < 3; i++) {
        char *again = malloc(1 << 20);
        memset(again, i, 1 << 20);
        free(again);
    }
    return !is_set;
}
