// A thread holds a thousand mutexes at once.
// NATIVE: skip a check of the tool fails there at the 65th lock
// STDOUT: 2
#include <pthread.h>
#include <stdio.h>
enum { N = 1000 };
static pthread_mutex_t locks[N];
static int shared;

static void *all(void *unused) {
    for (int i = 0; i < N; i++)
        pthread_mutex_lock(&locks[i]);
    shared++;
    for (int i = 0; i < N; i++)
        pthread_mutex_unlock(&locks[i]);
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&locks[i], NULL);
    pthread_create(&thread, NULL, all, NULL);
    all(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", shared);
    return 0;
}
