// Assembly that only keeps the compiler from moving code orders no threads.
#include <pthread.h>
#include <stdio.h>

static int lock, counted;

static void keep(int *place) {
    __asm__ volatile("" : "+m"(*place) : : "memory");
}

static void *work(void *unused) {
    keep(&lock);
    counted++; // EXPECT: data race 4
    keep(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return counted != 2;
}
