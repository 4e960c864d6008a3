// Variables of a function that pthread_exit has left, and of one that a cancellation has.
// FLAGS: ASAN_OPTIONS=halt_on_error=0
// NATIVE: skip no native tool follows pointers
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int *kept, *waiting;
static pthread_barrier_t both;

__attribute__((noinline)) static void leave(int depth)
{
    int own[4] = {depth, 1, 2, 3};
    if (depth == 0) {
        kept = own;
        printf("%d\n", kept[1]);
        pthread_exit(0);
    }
    leave(depth - 1);
    printf("%d\n", own[0]);
}

static void *run(void *argument)
{
    leave(3);
    return argument;
}

static void *wait_for_ever(void *argument)
{
    int own[4] = {4, 5, 6, 7};
    waiting = own;
    pthread_barrier_wait(&both);
    for (;;)
        sleep(1000);
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&first, 0, run, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, wait_for_ever, 0);
    pthread_barrier_wait(&both);
    printf("%d\n", waiting[1]);
    pthread_cancel(second);
    pthread_join(second, 0);
    printf("%d\n", kept[1]);    // EXPECT: use-of-dead-provenance read 4
    printf("%d\n", waiting[2]); // EXPECT: use-of-dead-provenance read 4
    return 0;
}
