// The twin of big_stack: one thread after another in the same place, each as large as it asks for.
// ONLY: -O0 -O1 variables may share a place
// STDOUT: 24 64
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *reader(void *argument) { return (void *)(long)*(volatile int *)argument; }

static void *owner(void *argument) {
    volatile char room[20 << 20];
    volatile int value = 8;
    pthread_t thread;
    void *seen = NULL;
    memset((char *)room, (int)(long)argument, 4096);
    if (pthread_create(&thread, NULL, reader, (void *)&value)) return NULL;
    pthread_join(thread, &seen);
    value = room[4095];
    return seen;
}

static int bytes_of_stack(void) {
    pthread_attr_t mine;
    size_t size = 0;
    pthread_getattr_np(pthread_self(), &mine);
    pthread_attr_getstacksize(&mine, &size);
    pthread_attr_destroy(&mine);
    return (int)(size >> 20);
}

static void *measure(void *argument) { (void)argument; return (void *)(long)bytes_of_stack(); }

int main(void) {
    pthread_attr_t large;
    pthread_t thread;
    void *seen;
    long sum = 0;
    pthread_attr_init(&large);
    for (int i = 1; i <= 3; i++) {
        pthread_attr_setstacksize(&large, (size_t)i * (100u << 20));
        if (pthread_create(&thread, &large, owner, (void *)(long)i)) return 1;
        pthread_join(thread, &seen);
        sum += (long)seen;
    }
    pthread_attr_setstacksize(&large, 64u << 20);
    if (pthread_create(&thread, &large, measure, NULL)) return 1;
    pthread_join(thread, &seen);
    printf("%ld %ld\n", sum, (long)seen);
    return 0;
}
