// The program ends at once, and the thread that has not begun is detached.
// EXIT: 0
// FLAGS: TSAN_OPTIONS=atexit_sleep_ms=0
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    return 0;
}
