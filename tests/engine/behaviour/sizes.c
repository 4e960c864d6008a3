#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char big[100 << 20];
static pthread_barrier_t all_here;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

__attribute__((noinline)) static int big_frame(int byte) {
    char room[4 << 20];
    memset(room, byte, sizeof room);
    return ((volatile char *)room)[byte] + ((volatile char *)room)[sizeof room - 1];
}

__attribute__((noinline)) static long deep(int n) {
    volatile char room[64];
    room[0] = (char)n;
    return n ? deep(n - 1) + room[0] : 0;
}

static void *add(void *number) {
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        total += (long)number;
        pthread_mutex_unlock(&lock);
    }
    return number;
}

int main(int argc, char **argv) {
    static pthread_t threads[1000];
    long sum = 0;
    for (size_t at = 0; at < sizeof big; at += 4096) big[at] = (char)argc;
    for (size_t at = 0; at < sizeof big; at += 4096) sum += big[at];
    printf("%ld %d %ld\n", sum, big_frame(argc), deep(30000));
    pthread_barrier_init(&all_here, NULL, 1000);
    for (long i = 0; i < 1000; i++)
        if (pthread_create(&threads[i], NULL, add, (void *)i)) return 2;
    for (long i = 0; i < 1000; i++) {
        void *result;
        pthread_join(threads[i], &result);
        if ((long)result != i) return 3;
    }
    printf("%ld\n", total);
    return 0;
}
