// Main's last lines race with threads that begin late, sleep a while, or compute for long.
#include <pthread.h>
#include <unistd.h>
static int begun, slept, computed;

static void *begin(void *unused) {
    begun++; // EXPECT: data race 4
    return unused;
}

static void *sleep_first(void *unused) {
    usleep(400000);
    slept++; // EXPECT: data race 4
    return unused;
}

static void *compute_first(void *unused) {
    for (volatile int i = 0; i < 50000; i++) {}
    computed++; // EXPECT: data race 4
    return unused;
}

static void detached(void *(*routine)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, routine, NULL);
    pthread_detach(thread);
}

int main(void) {
    detached(begin);
    detached(sleep_first);
    detached(compute_first);
    begun++;    // PREVIOUS: 4
    slept++;    // PREVIOUS: 4
    computed++; // PREVIOUS: 4
    return 0;
}
