// realloc refuses a size beyond the limit: the old block stays, and is freed in the end.
// FLAGS: ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=16
// FLAGS: LSAN_OPTIONS=use_stacks=0
// STDOUT: refused
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *volatile block = malloc(9);
    volatile size_t huge = (16u << 20) + 1;
    char *volatile grown = realloc(block, huge);
    if (grown != NULL) block = grown;
    free(block);
    puts(grown != NULL ? "grown" : "refused");
    return 0;
}
