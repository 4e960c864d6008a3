// The twin of free_sized_wrong.
// NATIVE: skip the native library of this version has no free_sized
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);

int main(int argc, char **argv) {
    (void)argv;
    void *volatile block = malloc(32);
    free_sized(block, 32 * (size_t)argc);
    puts("done");
    return 0;
}
