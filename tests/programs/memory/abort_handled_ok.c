// The twin of abort_handled: nobody gives up.
// FLAGS: ASAN_OPTIONS=handle_abort=1
// STDOUT: on
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 3) abort();
    puts("on");
    return 0;
}
