// An assertion that fails, with handle_abort=1.
// FLAGS: ASAN_OPTIONS=handle_abort=1
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int count = argc;
    assert(count == 2); // EXPECT: ABRT
    printf("%d\n", count);
    return 0;
}
