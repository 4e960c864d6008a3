// The value of a key without a destructor is lost with its thread, main's is not.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void set(int size) {
    volatile char *block = malloc(size); // EXPECT: direct-leak 40
    block[0] = 1;
    pthread_setspecific(key, (void *)block);
}

static void *work(void *unused) {
    set(40);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    set(41);
    return 0;
}
