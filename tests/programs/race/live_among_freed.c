// Most blocks of a crowd are freed; two threads write one that is not: its history counts.
#include <pthread.h>
#include <stdlib.h>

enum { N = 4000, KEPT = 1500 };

static volatile char *volatile blocks[N];

static void *write_kept(void *unused) {
    blocks[KEPT][5] = 1; // PREVIOUS: write 1
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++) blocks[i] = malloc(40);
    pthread_create(&thread, NULL, write_kept, NULL);
    for (int i = 0; i < N; i++)
        if (i != KEPT) free((void *)blocks[i]);
    blocks[KEPT][5] = 2; // EXPECT: data race write 1
    pthread_join(thread, NULL);
    free((void *)blocks[KEPT]);
    return 0;
}
