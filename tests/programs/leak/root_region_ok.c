// Mapped memory that is registered as a root region, some of it not readable.
// EXIT: 0
#include <stdlib.h>
#include <sys/mman.h>

__attribute__((weak)) void __lsan_register_root_region(const void *, size_t);

static void **volatile region;

static void hide(int where) {
    volatile char *block = malloc(82);
    block[0] = 1;
    region[where] = (void *)block;
}

int main(void) {
    if (!__lsan_register_root_region) return 0;
    region = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    __lsan_register_root_region(region, 12288);
    hide(5);
    hide(1200);
    mprotect(region + 512, 4096, PROT_NONE);
    return 0;
}
