// A lock of the program's own is destroyed while it is held.
#include "own_lock.h"
#include <stdio.h>

int main(void) {
    OwnLock lock = {0, 0};
    __tsan_mutex_create(&lock, 0);
    own_lock(&lock);
    __tsan_mutex_destroy(&lock, 0); // EXPECT: destroy of a locked mutex
    puts("done");
    return 0;
}
