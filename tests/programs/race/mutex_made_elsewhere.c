// A mutex is made by one thread and used by another that cannot know of it: the lock is too late.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex;
static int is_made, data;

static void *maker(void *unused) {
    pthread_mutex_init(&mutex, NULL); // PREVIOUS: write 1
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_mutex_unlock(&mutex);
    __atomic_store_n(&is_made, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, maker, NULL);
    while (!__atomic_load_n(&is_made, __ATOMIC_RELAXED)) {}
    pthread_mutex_lock(&mutex); // EXPECT: data race atomic read 1
    data++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
