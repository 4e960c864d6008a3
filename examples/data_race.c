/* A flag says that the result is there, but nothing makes the result visible.
 *
 *     irsan run examples/data_race.c
 *
 * What to see: a data race on `done` with the stacks of BOTH accesses and the place where the thread
 * was created. Under schedules in which main sees the flag there is a second one, on `result`: try
 * `--seed 1`, `--seed 2`, ... The same seed gives the same report, always.
 */
#include <pthread.h>
#include <stdio.h>

static int result;
static int done;

static void *compute(void *input) {
    result = *(int *)input * 2;
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int input = 21;
    if (pthread_create(&thread, NULL, compute, &input)) return 1;
    if (done) {
        printf("early: %d\n", result);
    } else {
        puts("not yet");
    }
    pthread_join(thread, NULL);
    printf("after join: %d\n", result);
    return 0;
}
