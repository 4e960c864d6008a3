// A signal handler counts in the same variable as the thread that it interrupts.
// KIND: signal handler against thread
// FAILS: exit 1
// WHEN: the signal comes between main's load and its store
// PREEMPTIONS: 1
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ROUNDS = 3 };

static atomic_int count;
static pthread_t main_thread;

static void note(int number) {
    (void)number;
    atomic_fetch_add(&count, 1);
}

static void *sender(void *unused) {
    pthread_kill(main_thread, SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = note};
    main_thread = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    if (pthread_create(&thread, NULL, sender, NULL)) return 2;
    for (int i = 0; i < ROUNDS; i++) {
#ifdef FIXED
        atomic_fetch_add(&count, 1);
#else
        int seen = atomic_load(&count);
        atomic_store(&count, seen + 1);
#endif
    }
    pthread_join(thread, NULL);
    printf("%d\n", atomic_load(&count));
    return atomic_load(&count) != ROUNDS + 1;
}
