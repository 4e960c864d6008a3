// A wait on a condition (or, with an argument, on a futex) that is not made again in a loop.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int *item;
static _Atomic int word;

static void *produce(void *argument) {
    usleep(1000);  // main waits by now
    int *made = malloc(sizeof *made);
    *made = 7;
    pthread_mutex_lock(&lock);
    item = made;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return argument;
}

static void await_item(void) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!item)
#else
    if (!item)
#endif
        pthread_cond_wait(&full, &lock);
    pthread_mutex_unlock(&lock);
}

static void await_word(void) {
#ifdef FIXED
    while (!word)
#else
    if (!word)
#endif
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    (argc > 1 ? await_word : await_item)();
    int missing = argc > 1 ? !word : !item;
    if (missing)
        abort();
    pthread_join(thread, NULL);
    free(item);
    return 0;
}
