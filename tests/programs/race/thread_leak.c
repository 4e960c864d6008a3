// A thread has ended and is neither joined nor detached when the program ends.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *work(void *unused) {
    puts("worked");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL); // EXPECT: thread leak
    sleep(1);
    return 0;
}
