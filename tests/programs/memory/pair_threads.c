// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=2
// NATIVE: miss it needs -fsanitize=pointer-compare, and knows no stacks of two other threads
// Variables of two threads lie in two objects, whoever asks.
#include <pthread.h>

static char *volatile places[2];
static volatile int is_before;
static pthread_barrier_t barrier;

static void *work(void *number) {
    char own = 0;
    places[(long)number] = &own;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return places[(long)number] == &own ? number : NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 3);
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    pthread_barrier_wait(&barrier);
    is_before = places[0] < places[1]; // EXPECT: invalid-pointer-pair
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
