// An annotated reader-writer lock, used rightly: many readers, one writer, made and destroyed.
// STDOUT: done
#include "annotations.h"
#include <pthread.h>
#include <stdio.h>
static pthread_rwlock_t inner = PTHREAD_RWLOCK_INITIALIZER;
static int outer, data;

static void *reader(void *sum) {
    pthread_rwlock_rdlock(&inner);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &outer, 0);
    *(int *)sum = data;
    AnnotateRWLockReleased(__FILE__, __LINE__, &outer, 0);
    pthread_rwlock_unlock(&inner);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int seen[2];
    AnnotateRWLockCreate(__FILE__, __LINE__, &outer);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, reader, &seen[i]);
    pthread_rwlock_wrlock(&inner);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &outer, 1);
    data = 1;
    AnnotateRWLockReleased(__FILE__, __LINE__, &outer, 1);
    pthread_rwlock_unlock(&inner);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    AnnotateRWLockDestroy(__FILE__, __LINE__, &outer);
    puts(seen[0] + seen[1] < 3 ? "done" : "wrong");
    return 0;
}
