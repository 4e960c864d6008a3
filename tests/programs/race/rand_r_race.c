// rand_r is safe with a state for each thread; this one is shared.
// NATIVE: miss rand_r is not intercepted there
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned state = 1;

static void *roll(void *unused) {
    (void)unused;
    rand_r(&state); // EXPECT: data race write 4
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, roll, NULL); // THREAD-CREATED
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", state != 1);
    return 0;
}
