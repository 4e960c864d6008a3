// The twin of unaligned: two unaligned fields that touch and do not overlap.
// STDOUT: 1 2
#include <pthread.h>
#include <stdio.h>

struct __attribute__((packed)) packet {
    char tag[3];
    volatile int left;
    volatile int right;
    char rest[5];
};

static struct packet packet __attribute__((aligned(8)));

static void *worker(void *argument) {
    packet.left = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    packet.right = 2;
    pthread_join(thread, NULL);
    printf("%d %d\n", packet.left, packet.right);
    return 0;
}
