// Each thread has a number of its own, which the calls take that concern a thread.
// STDOUT: 6 different
// STDOUT: signals 1 1 1 0
// STDOUT: failed 0, unknown 3, wrong 22
// STDOUT: timer 1
// STDOUT: child 1 parent 1
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4
static pthread_barrier_t barrier;
static pid_t numbers[THREADS];
static volatile int signals[THREADS];
static int failed;
static __thread int own;

static void handler(int number) {
    signals[own] += number == SIGUSR1;
}

static void expect(int is_good) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    failed += !is_good;
    pthread_mutex_unlock(&lock);
}

static void ask_system(pid_t number) {
    cpu_set_t processors;
    struct sched_param parameter;
    expect(sched_getaffinity(number, sizeof processors, &processors) == 0);
    expect(sched_setaffinity(number, sizeof processors, &processors) == 0);
    expect(syscall(SYS_sched_getscheduler, number) == sched_getscheduler(number));
    expect(sched_getparam(number, &parameter) == 0);
    expect(sched_setparam(number, &parameter) == 0);
    expect(sched_setscheduler(number, sched_getscheduler(number), &parameter) == 0);
    errno = 0;
    int priority = getpriority(PRIO_PROCESS, number);
    expect(errno == 0);
    expect(setpriority(PRIO_PROCESS, number, priority) == 0);
    expect(syscall(SYS_setpriority, PRIO_PROCESS, number, priority) == 0);
}

static void *work(void *argument) {
    own = (int)(long)argument;
    numbers[own] = gettid();
    expect(syscall(SYS_gettid) == numbers[own]);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    ask_system(numbers[own]);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static int rings_here(void) {
    struct sigevent event;
    struct itimerspec soon = {{0, 0}, {0, 1000000}};
    timer_t timer;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGUSR1;
    event._sigev_un._tid = gettid();
    int before = signals[own];
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &soon, NULL))
        return -1;
    while (signals[own] == before)
        usleep(1000);
    return timer_delete(timer) == 0 ? signals[own] - before : -1;
}

int main(void) {
    pthread_t threads[THREADS];
    numbers[0] = gettid();
    expect(numbers[0] == getpid());
    pthread_barrier_init(&barrier, NULL, THREADS);
    signal(SIGUSR1, handler);
    for (long i = 1; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    pthread_barrier_wait(&barrier);
    int different = 0;
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < i; j++)
            different += numbers[i] != numbers[j];
    expect(syscall(SYS_tgkill, getpid(), numbers[2], SIGUSR1) == 0);
    expect(tgkill(getpid(), numbers[1], SIGUSR1) == 0);
    expect(syscall(SYS_tkill, numbers[0], SIGUSR1) == 0);
    int unknown = tgkill(getpid(), 0x7ffffff0, SIGUSR1) == -1 ? errno : 0;
    int wrong = tgkill(0, numbers[1], SIGUSR1) == -1 ? errno : 0;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d different\n", different);
    printf("signals %d %d %d %d\n", signals[0], signals[1], signals[2], signals[3]);
    printf("failed %d, unknown %d, wrong %d\n", failed, unknown, wrong);
    printf("timer %d\n", rings_here());
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(gettid() == getpid());
    int status = 0;
    waitpid(child, &status, 0);
    printf("child %d parent %d\n", WEXITSTATUS(status), gettid() == getpid());
    return 0;
}
