// A thread ends while it holds a mutex.
// NATIVE: miss what a thread still holds at its end is not looked at there
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *forgetful(void *unused) {
    pthread_mutex_lock(&mutex); // EXPECT: mutex held at thread exit
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forgetful, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", pthread_mutex_trylock(&mutex) != 0);
    return 0;
}
