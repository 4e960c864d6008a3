// A thread's fresh stack is no zeros either: the unset pointer is not null.
// NATIVE: skip natively fresh stack is whatever it is
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) {
    int *volatile places[64];
    (void)unused;
    if (places[30]) *places[30] = 1; // EXPECT: SEGV
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    puts("not reached");
    return 0;
}
