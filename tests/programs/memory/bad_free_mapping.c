// free of memory that came from mmap.
#include <stdlib.h>
#include <sys/mman.h>

static char *volatile pages;

int main(void) {
    char *mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return 1;
    mapped[0] = 1;
    pages = mapped + 4096;
    free(pages); // EXPECT: bad-free
    return 0;
}
