// A thread is joined again, and one that was detached.
// NATIVE: miss ThreadSanitizer leaves joins to the C library
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(first, NULL); // EXPECT: join of an already joined thread
    pthread_detach(second);
    pthread_join(second, NULL); // EXPECT: join of a detached thread
    sleep(1);
    puts("done");
    return 0;
}
