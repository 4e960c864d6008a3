// A region that is registered no more keeps nothing alive.
#include <stdlib.h>
#include <sys/mman.h>

void __lsan_register_root_region(const void *, size_t);
void __lsan_unregister_root_region(const void *, size_t);

static void **volatile region;

static void hide(void) {
    volatile char *block = malloc(83); // EXPECT: direct-leak 83
    block[0] = 1;
    region[5] = (void *)block;
}

int main(void) {
    region = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    __lsan_register_root_region(region, 64);
    __lsan_register_root_region(region, 4096);
    hide();
    __lsan_unregister_root_region(region, 4096);
    __lsan_unregister_root_region(region, 64);
    return 0;
}
