// Blocks of a disabled scope are no leaks, nor is what they point to; scopes nest.
// EXIT: 0
#include <stdlib.h>

__attribute__((weak)) void __lsan_disable(void);
__attribute__((weak)) void __lsan_enable(void);

static void *volatile *lose(void) {
    void *volatile *block = malloc(70);
    block[0] = NULL;
    return block;
}

static void lose_with_inner(void) {
    void *volatile *block = lose();
    __lsan_enable();
    block[1] = malloc(71);
}

int main(void) {
    if (!__lsan_disable) return 0;
    __lsan_disable();
    __lsan_disable();
    lose();
    __lsan_enable();
    lose_with_inner();
    return 0;
}
