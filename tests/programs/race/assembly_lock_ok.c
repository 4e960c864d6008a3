// A lock, a flag and a counter in inline assembly order threads as atomic operations do.
// NATIVE: skip ThreadSanitizer does not see assembly, and reports what the lock protects
// STDOUT: 200 5 2
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int lock, counted, ready, box, n_done;

static int exchange(int *place, int value) {
    __asm__ volatile("xchgl %0, %1" : "+m"(*place), "+q"(value) : : "memory");
    return value;
}

static int add(int *place, int value) {
    __asm__ volatile("lock; xaddl %0, (%1)" : "+r"(value) : "r"(place) : "memory");
    return value;
}

static void store(int *place, int value) {
    __asm__ volatile("movl %1, %0" : "=m"(*place) : "q"(value) : "memory");
}

static int load(const int *place) {
    int value;
    __asm__ volatile("movl %1, %0" : "=q"(value) : "m"(*place) : "memory");
    return value;
}

static void *work(void *sum) {
    for (int i = 0; i < 100; i++) {
        while (exchange(&lock, 1)) sched_yield();
        counted++;
        store(&lock, 0);
    }
    while (!load(&ready)) sched_yield();
    *(int *)sum = box;
    add(&n_done, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int sums[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &sums[i]);
    box = 5;
    store(&ready, 1);
    while (add(&n_done, 0) != 2) sched_yield();
    printf("%d %d %d\n", counted, sums[0], n_done);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return sums[1] - sums[0];
}
