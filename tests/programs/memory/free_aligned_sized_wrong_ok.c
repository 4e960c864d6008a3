// The twin of free_aligned_sized_wrong.
// NATIVE: skip the native library of this version has no free_aligned_sized
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = aligned_alloc(64, 128);
    free_aligned_sized(block, 64 * (size_t)argc, 128);
    puts("done");
    return 0;
}
