// A mutex is made by one thread, which then says so to the other.
// STDOUT: 2
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex;
static int is_made, data;

static void *maker(void *unused) {
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_mutex_unlock(&mutex);
    __atomic_store_n(&is_made, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, maker, NULL);
    while (!__atomic_load_n(&is_made, __ATOMIC_ACQUIRE)) {}
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    printf("%d\n", data);
    return 0;
}
