// The twin of rand_r_race: a state for each thread.
// STDOUT: 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned states[2] = {1, 1};

static void *roll(void *state) {
    rand_r(state);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, roll, &states[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", states[0] == states[1]);
    return 0;
}
