// A packed record: the four-byte field lies across two words, and both threads write it.
#include <pthread.h>
#include <stdio.h>

struct __attribute__((packed)) packet {
    char tag[6];
    volatile int length;
    char rest[6];
};

static struct packet packet __attribute__((aligned(8)));

static void *worker(void *argument) {
    packet.length = 1; // PREVIOUS: write
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    packet.length = 2; // EXPECT: data race write
    pthread_join(thread, NULL);
    printf("%d\n", packet.length > 0);
    return 0;
}
