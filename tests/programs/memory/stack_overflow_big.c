// A stack of 32 MiB is as large as it was asked for, and then it ends.
#include <pthread.h>
#include <stdio.h>

static int descend(int depth) { volatile char frame[65536]; frame[depth & 65535] = 1; return depth < 0 ? 0 : descend(depth + 1) + frame[7]; } // EXPECT: stack-overflow

static void *work(void *argument) { return (void *)(long)descend(argument == NULL); }

int main(void) {
    pthread_attr_t large;
    pthread_t thread;
    void *result;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 32u << 20);
    if (pthread_create(&thread, &large, work, NULL)) return 1;
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
    return 0;
}
