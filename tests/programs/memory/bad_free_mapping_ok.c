// The twin of bad_free_mapping: munmap is the inverse of mmap.
// STDOUT: 1 0
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    char *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return 1;
    mapped[0] = 1;
    printf("%d %d\n", mapped[0], mapped[4096]);
    return munmap(mapped, 8192);
}
