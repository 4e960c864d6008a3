// Two threads have one lock at the same time.
#include "annotations.h"
#include <pthread.h>
#include <stdio.h>
static int lock;

static void *second(void *unused) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1); // EXPECT: double lock of a mutex
    return unused;
}

int main(void) {
    pthread_t thread;
    AnnotateRWLockCreate(__FILE__, __LINE__, &lock);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
    pthread_create(&thread, NULL, second, NULL);
    pthread_join(thread, NULL);
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
    puts("done");
    return 0;
}
