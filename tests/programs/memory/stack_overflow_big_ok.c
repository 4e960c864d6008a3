// The twin of stack_overflow_big: 25 MiB of a stack of 64, then the largest stack that there is.
// STDOUT: 400 1
#include <pthread.h>
#include <stdio.h>

static int descend(int depth) {
    volatile char frame[65536];
    frame[depth & 65535] = 1;
    return depth == 400 ? depth : descend(depth + 1) + frame[depth & 65535] - 1;
}

static void *work(void *argument) { return (void *)(long)descend(argument == NULL); }

static void *touch(void *argument) { return argument; }

int main(void) {
    pthread_attr_t large;
    pthread_t thread;
    void *result, *touched;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 64u << 20);
    if (pthread_create(&thread, &large, work, NULL)) return 1;
    pthread_join(thread, &result);
    pthread_attr_setstacksize(&large, 1u << 30);
    if (pthread_create(&thread, &large, touch, (void *)1)) return 1;
    pthread_join(thread, &touched);
    printf("%ld %ld\n", (long)result, (long)touched);
    return 0;
}
