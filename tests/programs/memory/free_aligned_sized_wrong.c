// free_aligned_sized is told another alignment.
// NATIVE: skip the native library of this version has no free_aligned_sized
#include <stdio.h>
#include <stdlib.h>
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = aligned_alloc(64, 128); // ALLOCATED
    free_aligned_sized(block, 32 * (size_t)argc, 128); // EXPECT: free-size-mismatch
    puts("done");
    return 0;
}
