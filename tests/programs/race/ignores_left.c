// A thread ends without the end of an annotation: from here on it ignored all of its accesses.
// NATIVE: skip it says so and ends, without the lines of a report
#include "annotations.h"
#include <pthread.h>
#include <stdio.h>

static void begin(void) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__); // EXPECT: thread finished with ignores enabled
}

static void *worker(void *unused) {
    begin();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
