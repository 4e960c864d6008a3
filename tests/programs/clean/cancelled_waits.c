// Waiting for a signal is a cancellation point, for one that comes and for one of a set.
// STDOUT: pause: cleaned up, cancelled
// STDOUT: sigsuspend: cleaned up, cancelled
// STDOUT: sigwait: cleaned up, cancelled
// STDOUT: sigtimedwait: cleaned up, cancelled
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void cleanup(void *name) { printf("%s: cleaned up, ", (const char *)name); }

static void *wait_for_signal(void *number) {
    static const char *const names[] = {"pause", "sigsuspend", "sigwait", "sigtimedwait"};
    struct timespec hour = {3600, 0};
    sigset_t none, some;
    int taken;
    sigemptyset(&none);
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &some, 0);
    pthread_cleanup_push(cleanup, (void *)names[(long)number]);
    switch ((long)number) {
    case 0: pause(); break;
    case 1: sigsuspend(&none); break;
    case 2: sigwait(&some, &taken); break;
    default: sigtimedwait(&some, 0, &hour);
    }
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    for (long number = 0; number < 4; number++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, 0, wait_for_signal, (void *)number);
        usleep(5000);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        puts(result == PTHREAD_CANCELED ? "cancelled" : "ended");
    }
    return 0;
}
