// Values of keys: destroyed at the end of a thread, alive in main.
// EXIT: 0
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *unused) {
    pthread_setspecific(key, malloc(40));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_setspecific(key, malloc(41));
    return 0;
}
