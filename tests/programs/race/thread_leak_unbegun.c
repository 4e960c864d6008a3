// The program ends at once: one thread has not begun, and nobody could join it any more.
// FLAGS: TSAN_OPTIONS=atexit_sleep_ms=0
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL); // EXPECT: thread leak
    return 0;
}
