// A file view that was unmapped is still in use.
#include <stdio.h>
#include <sys/mman.h>

static volatile char *volatile view;

int main(void) {
    char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return 1;
    view = mapped;
    view[0] = 'x';
    if (munmap(mapped, 4096)) return 1;
    char first = view[0]; // EXPECT: SEGV read
    printf("%c\n", first);
    return 0;
}
