// A lock that the linker has made lives as long as the program, whatever a destructor says.
// STDOUT: done
#include "own_lock.h"
#include <stdio.h>
static OwnLock lock;

int main(void) {
    __tsan_mutex_create(&lock, LINKER_INIT);
    own_lock(&lock);
    __tsan_mutex_destroy(&lock, 0);
    own_unlock(&lock);
    puts("done");
    return 0;
}
