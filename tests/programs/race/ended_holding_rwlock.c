// A thread calls pthread_exit while it holds a lock for writing.
// NATIVE: miss what a thread still holds at its end is not looked at there
#include <pthread.h>
#include <stdio.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *forgetful(void *unused) {
    pthread_rwlock_wrlock(&lock); // EXPECT: mutex held at thread exit
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forgetful, NULL);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
