// A condition variable is destroyed while another thread may still signal it.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static int is_done;

static void *signaller(void *unused) {
    pthread_mutex_lock(&mutex);
    is_done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition); // EXPECT: data race
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_cond_init(&condition, NULL);
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&mutex);
    while (!is_done) {
        pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition); // PREVIOUS: write 8
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
