// The twin of abort_assertion.
// FLAGS: ASAN_OPTIONS=handle_abort=1
// STDOUT: 1
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    volatile int count = argc;
    assert(count == 1);
    printf("%d\n", count);
    return 0;
}
