// A block that is said to be none, and what it points to.
// EXIT: 0
#include <stdlib.h>

__attribute__((weak)) void __lsan_ignore_object(const void *);

static void lose(void) {
    void *volatile *block = malloc(80);
    block[1] = malloc(81);
    if (__lsan_ignore_object) __lsan_ignore_object((void *)block);
}

int main(void) {
    if (__lsan_ignore_object) lose();
    return 0;
}
