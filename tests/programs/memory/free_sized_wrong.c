// free_sized is told less than malloc was asked for.
// NATIVE: skip the native library of this version has no free_sized
#include <stdio.h>
#include <stdlib.h>
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = malloc(32); // ALLOCATED
    free_sized(block, 31 * (size_t)argc); // EXPECT: free-size-mismatch
    puts("done");
    return 0;
}
