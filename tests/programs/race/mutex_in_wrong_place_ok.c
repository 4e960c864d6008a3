// The program promises to hold no lock where it calls out, and another thread holds one.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
void __tsan_check_no_mutexes_held(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        sched_yield();
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, holder, NULL);
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        __tsan_check_no_mutexes_held();
        sched_yield();
    }
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
