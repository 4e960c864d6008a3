// abort with handle_abort=1 becomes a report.
// FLAGS: ASAN_OPTIONS=handle_abort=1
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *why) {
    fprintf(stderr, "giving up: %s\n", why);
    abort(); // EXPECT: ABRT
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 0) give_up("no reason");
    return 0;
}
