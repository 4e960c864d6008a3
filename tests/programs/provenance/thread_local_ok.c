// Every thread has thread-local variables of its own, new threads where others were.
// NATIVE: skip no native tool follows pointers
// STDOUT: 42
// EXIT: 0
#include <pthread.h>
#include <stdio.h>

static _Thread_local long counts[8];
static _Thread_local long *last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

__attribute__((noinline)) static void count(long *of, long index)
{
    of[index]++;
    last = &of[index];
}

static void *work(void *number)
{
    for (long i = 0; i < 20; i++)
        count(counts, i % 8);
    *last += (long)number;
    pthread_mutex_lock(&lock);
    sum += counts[3] + counts[19 % 8];
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    for (long round = 0; round < 3; round++) {
        pthread_t threads[2];
        for (long i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, work, (void *)i);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    printf("%ld\n", sum);
    return 0;
}
