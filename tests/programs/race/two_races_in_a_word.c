// Two races on neighbours in one word: both must be reported, each with its own lines.
// NATIVE: miss the first report blanks the shadow of the whole word
#include <pthread.h>
#include <stdio.h>

static struct {
    volatile int first;
    volatile char second;
} word;

static void *worker(void *argument) {
    word.first = 1; // EXPECT: data race write 4
    word.second = 1; // EXPECT: data race write 1
    return argument;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL)) return 1;
    word.first = 2;
    word.second = 2;
    pthread_join(thread, NULL);
    printf("%d\n", word.first > 0 && word.second > 0);
    return 0;
}
