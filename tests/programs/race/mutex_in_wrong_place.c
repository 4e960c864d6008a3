// The program promises to hold no lock where it calls out, and holds one.
#include <pthread.h>
#include <stdio.h>
void __tsan_check_no_mutexes_held(void);
static pthread_mutex_t mutex;

static void call_out(void) {
    __tsan_check_no_mutexes_held(); // EXPECT: mutex held in the wrong context
}

int main(void) {
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    call_out();
    pthread_mutex_unlock(&mutex);
    puts("done");
    return 0;
}
