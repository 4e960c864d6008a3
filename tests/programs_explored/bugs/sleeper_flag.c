// A consumer that finds nothing says that it sleeps, and sleeps, without another look.
// KIND: lost wake-up
// FAILS: lost wakeup
// WHEN: the consumer is preempted between its look and its flag, and the producer runs
// PREEMPTIONS: 1
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int n_items, sleeps;
static sem_t wake_up;

static void *producer(void *unused) {
    for (int i = 0; i < 2; i++) {
        atomic_fetch_add(&n_items, 1);
        if (atomic_exchange(&sleeps, 0)) sem_post(&wake_up);
    }
    return unused;
}

static void take_one(void) {
    while (atomic_load(&n_items) == 0) {
        atomic_store(&sleeps, 1);
#ifdef FIXED
        if (atomic_load(&n_items) != 0 && atomic_exchange(&sleeps, 0)) break;
#endif
        sem_wait(&wake_up);
    }
    atomic_fetch_sub(&n_items, 1);
}

static void *consumer(void *unused) {
    for (int i = 0; i < 2; i++) take_one();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&wake_up, 0, 0);
    if (pthread_create(&threads[0], NULL, producer, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, consumer, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    sem_destroy(&wake_up);
    return 0;
}
