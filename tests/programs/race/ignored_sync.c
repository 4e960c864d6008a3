// A mutex whose use is to be ignored orders nothing.
#include "annotations.h"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add(void *unused) {
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    pthread_mutex_lock(&mutex);
    data++; // PREVIOUS
    pthread_mutex_unlock(&mutex);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_mutex_lock(&mutex);
    data += 2; // EXPECT: data race
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    printf("%d\n", data);
    return 0;
}
