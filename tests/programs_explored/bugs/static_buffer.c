// A formatter locks its static buffer while it writes, and returns it: the caller reads what
// another thread has written since.
// KIND: atomicity violation
// FAILS: output
// STDOUT: 0 wrong
// WHEN: a thread is preempted between the formatter's return and its copy, and another one formats
// PREEMPTIONS: 1
// RACES: the copy is not locked
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[16];
static int n_wrong;

static void format(int number, char *copy) {
    pthread_mutex_lock(&lock);
    snprintf(buffer, sizeof buffer, "number %d", number);
#ifdef FIXED
    strcpy(copy, buffer);
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_unlock(&lock);
    strcpy(copy, buffer);
#endif
}

static void *worker(void *argument) {
    int number = *(int *)argument;
    char copy[16];
    format(number, copy);
    pthread_mutex_lock(&lock);
    n_wrong += copy[7] != '0' + number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d wrong\n", n_wrong);
    return n_wrong != 0;
}
