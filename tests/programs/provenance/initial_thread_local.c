// Each thread's copy of a variable begins with the pointer of its initial value.
// NATIVE: skip no native tool follows pointers
#include <pthread.h>
#include <stdio.h>

static int small[4] = {1};
static int large[1000] = {2};
static _Thread_local int *current = small;

static void *work(void *distance)
{
    int value = current[*(long *)distance]; // EXPECT: access-outside-provenance read 4
    printf("%d\n", value);
    return NULL;
}

int main(void)
{
    long distance = large - small;
    current += 1;
    printf("%d\n", current[2]);
    pthread_t thread;
    pthread_create(&thread, NULL, work, &distance);
    pthread_join(thread, NULL);
    return 0;
}
