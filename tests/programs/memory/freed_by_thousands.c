// Four thousand blocks are freed while two threads run: a use of one of them still has both stacks.
#include <pthread.h>
#include <stdlib.h>

enum { N = 4000 };

static volatile char *volatile blocks[N];

static void *allocate_all(void *unused) {
    for (int i = 0; i < N; i++) blocks[i] = malloc(40); // ALLOCATED
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, allocate_all, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < N; i++) free((void *)blocks[i]); // FREED
    return blocks[N / 2][5]; // EXPECT: heap-use-after-free read 1
}
