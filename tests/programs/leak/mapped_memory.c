// Memory from mmap is no root: a block whose only pointer lies there is lost, as natively.
#include <stdlib.h>
#include <sys/mman.h>

static void **volatile region;

static void hide(void) {
    volatile char *block = malloc(82); // EXPECT: direct-leak 82
    block[0] = 1;
    region[5] = (void *)block;
}

int main(void) {
    region = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    hide();
    return 0;
}
