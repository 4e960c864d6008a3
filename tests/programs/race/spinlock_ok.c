// pthread spinlocks, and one made of a compare-and-swap.
// STDOUT: 20 20
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_spinlock_t library_lock;
static atomic_int own_lock;
static int library_count, own_count;

static void *worker(void *argument) {
    for (int i = 0; i < 5; i++) {
        pthread_spin_lock(&library_lock);
        library_count++;
        pthread_spin_unlock(&library_lock);
        int expected = 0;
        while (!atomic_compare_exchange_strong_explicit(
            &own_lock, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
            expected = 0;
            sched_yield();
        }
        own_count++;
        atomic_store_explicit(&own_lock, 0, memory_order_release);
    }
    return argument;
}

int main(void) {
    pthread_t threads[4];
    pthread_spin_init(&library_lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 1;
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    pthread_spin_destroy(&library_lock);
    printf("%d %d\n", library_count, own_count);
    return 0;
}
