// Both sides of the race lie thirty calls deep: the stacks must be whole.
#include <pthread.h>
#include <stdio.h>

static volatile int shared;

static int __attribute__((noinline)) descend(int depth, int value) {
    if (depth == 0) {
        shared = value; // EXPECT: data race write 4
        return value;
    }
    volatile int kept = descend(depth - 1, value);
    return kept + 1;
}

static void *worker(void *argument) {
    *(int *)argument = descend(30, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result = 0;
    if (pthread_create(&thread, NULL, worker, &result)) return 1;
    int mine = descend(30, 2);
    pthread_join(thread, NULL);
    printf("%d\n", mine + result);
    return 0;
}
