// The same, in bounds.
// EXIT: 0
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

__attribute__((noinline)) static int read_at(const char *from, int index) { return from[index]; }

static void *work(void *index) {
    char local[10] = {*(char *)index};
    return (void *)(long)read_at(local, *(int *)index);
}

int main(void) {
    int index = 9;
    sigset_t all;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&thread, NULL, work, &index);
    return pthread_join(thread, NULL);
}
