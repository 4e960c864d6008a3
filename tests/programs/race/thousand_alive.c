// A thousand threads alive at once: two of them, far apart, write one word that nothing protects.
// NATIVE: skip whether the first access is still known by then there depends on the machine's load
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 1000, FIRST = 3, SECOND = 997 };

static pthread_barrier_t everybody;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived;
static volatile int word;

static void *worker(void *argument) {
    long number = (long)argument;
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&everybody);
    if (number == FIRST || number == SECOND) word = (int)number; // EXPECT: data race write 4
    return NULL;
}

int main(void) {
    static pthread_t threads[THREADS];
    if (pthread_barrier_init(&everybody, NULL, THREADS)) return 1;
    for (long i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, worker, (void *)i)) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&everybody);
    printf("%d\n", arrived);
    return 0;
}
