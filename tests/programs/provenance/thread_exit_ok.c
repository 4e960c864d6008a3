// Threads that end in the middle: clean-up handlers and destructors still use their variables.
// NATIVE: skip no native tool follows pointers
// STDOUT: 3 7 9 45
// EXIT: 0
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_key_t key;
static int cleaned, destroyed, result;

static void clean(void *argument)
{
    cleaned += *(int *)argument;
}

static void destroy(void *argument)
{
    destroyed += *(int *)argument;
}

static void *leave(void *argument)
{
    int own = 3, other = 7;
    pthread_setspecific(key, &other);
    pthread_cleanup_push(clean, &own);
    *(int *)argument = 9;
    pthread_exit(argument);
    pthread_cleanup_pop(0);
    return 0;
}

static void *count(void *argument)
{
    int values[10], total = 0;
    for (int i = 0; i < 10; i++)
        values[i] = i;
    for (int i = 0; i < 10; i++)
        total += values[i];
    *(int *)argument += total;
    return 0;
}

int main(void)
{
    int mine = 0;
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, leave, &result);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, count, &mine);
    pthread_join(thread, 0);
    printf("%d %d %d %d\n", cleaned, destroyed, result, mine);
    return 0;
}
