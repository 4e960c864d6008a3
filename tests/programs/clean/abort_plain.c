// abort is the program's own end: status 134, and no report unless handle_abort is set.
// EXIT: 134
#include <stdlib.h>

static volatile int broken = 1;

int main(void) {
    if (broken) abort();
    return 0;
}
