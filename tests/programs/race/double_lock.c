// A thread locks a plain mutex that it holds already: it waits for ever.
// NATIVE: skip it hangs there
// EXIT: 66
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex); // EXPECT: double lock of a mutex|deadlock
    puts("never");
    return 0;
}
