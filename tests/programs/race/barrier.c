// Work goes on after the barrier without another one: the next round races.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static volatile int cells[2];

static void *worker(void *argument) {
    cells[1] = 1;
    pthread_barrier_wait(&barrier);
    cells[0] = 2; // PREVIOUS: write 4
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    cells[0] = 1;
    pthread_barrier_wait(&barrier);
    int sum = cells[1];
    sum += cells[0]; // EXPECT: data race read 4
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    printf("%d\n", sum > 1);
    return 0;
}
