// Threads come and go, more of them over time than ever live at once; main sums up.
// STDOUT: 19900
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 50, AT_ONCE = 4 };

static int results[ROUNDS * AT_ONCE];

static void *worker(void *argument) {
    int *result = argument;
    *result = (int)(result - results);
    return NULL;
}

int main(void) {
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[AT_ONCE];
        int *mine = results + round * AT_ONCE;
        for (int i = 0; i < AT_ONCE; i++) {
            if (pthread_create(&threads[i], NULL, worker, mine + i)) return 1;
        }
        for (int i = 0; i < AT_ONCE; i++) pthread_join(threads[i], NULL);
        for (int i = 0; i < AT_ONCE; i++) sum += mine[i];
    }
    printf("%d\n", sum);
    return 0;
}
