// What another thread sends to the main thread, which blocks it, is read from a signalfd; a signal
// that pthread_sigqueue sends keeps its value.
// STDOUT: pthread_kill 23 code -6
// STDOUT: tgkill 23 code -6
// STDOUT: pthread_sigqueue 23 code -1 value 7
// STDOUT: to itself: pending 1, awaited 10 with 42
// STDOUT: handled with 43
// STDOUT: from a thread: awaited 10 with 44
// STDOUT: no such signal: 22
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_t main_thread;
static volatile int handled;
static int main_id;

static void handler(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    handled = info->si_value.sival_int;
}

static void *sender(void *argument) {
    union sigval value = {.sival_int = 7};
    const char *way = argument;
    if (strcmp(way, "pthread_kill") == 0) pthread_kill(main_thread, SIGURG);
    if (strcmp(way, "tgkill") == 0) syscall(SYS_tgkill, getpid(), main_id, SIGURG);
    if (strcmp(way, "pthread_sigqueue") == 0) pthread_sigqueue(main_thread, SIGURG, value);
    if (strcmp(way, "later") == 0) {
        value.sival_int = 44;
        pthread_sigqueue(main_thread, SIGUSR1, value);
    }
    return NULL;
}

static void read_one(int descriptor, char *way) {
    struct signalfd_siginfo info;
    struct pollfd one = {descriptor, POLLIN, 0};
    pthread_t thread;
    memset(&info, 0, sizeof info);
    pthread_create(&thread, NULL, sender, way);
    poll(&one, 1, 5000);
    if (read(descriptor, &info, sizeof info) < 0) perror("read");
    pthread_join(thread, NULL);
    printf("%s %d code %d", way, (int)info.ssi_signo, info.ssi_code);
    if (info.ssi_int != 0) printf(" value %d", info.ssi_int);
    puts("");
}

int main(void) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    struct timespec second = {1, 0};
    union sigval value = {.sival_int = 42};
    sigset_t set, pending;
    siginfo_t info;
    pthread_t thread;
    main_thread = pthread_self();
    main_id = (int)syscall(SYS_gettid);
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigdelset(&set, SIGUSR1);
    int descriptor = signalfd(-1, &set, SFD_NONBLOCK);
    read_one(descriptor, "pthread_kill");
    read_one(descriptor, "tgkill");
    read_one(descriptor, "pthread_sigqueue");

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigqueue(main_thread, SIGUSR1, value);
    sigpending(&pending);
    int awaited = sigtimedwait(&set, &info, &second);
    printf("to itself: pending %d, awaited %d with %d\n", sigismember(&pending, SIGUSR1), awaited,
           info.si_value.sival_int);
    sigaction(SIGUSR1, &action, NULL);
    value.sival_int = 43;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    pthread_sigqueue(main_thread, SIGUSR1, value);
    usleep(1000);  // TSan calls handlers when a call blocks
    printf("handled with %d\n", handled);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, sender, "later");
    awaited = sigtimedwait(&set, &info, &second);
    pthread_join(thread, NULL);
    printf("from a thread: awaited %d with %d\n", awaited, info.si_value.sival_int);
    printf("no such signal: %d\n", pthread_sigqueue(main_thread, 1000, value));
    return 0;
}
