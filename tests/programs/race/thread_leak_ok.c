// One thread is joined, one detached, one made detached, and one still runs at the end.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused) {
    return unused;
}

static void *wait_long(void *unused) {
    sleep(1000);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t detached;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, work, NULL);
    pthread_create(&thread, NULL, wait_long, NULL);
    sleep(1);
    puts("done");
    return 0;
}
