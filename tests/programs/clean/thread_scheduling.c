// Threads have policies, processors and clocks of their own, which started threads inherit.
// STDOUT: main 0 0, batch 0, thread 3 0, one processor 1, clock 0 1, joined 0, none 22
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static void *work(void *unused) {
    int policy = -1;
    struct sched_param parameter = {-1};
    cpu_set_t processors;
    clockid_t clock;
    struct timespec used = {-1, -1};
    pthread_getschedparam(pthread_self(), &policy, &parameter);
    printf("thread %d %d, ", policy, parameter.sched_priority);
    pthread_getaffinity_np(pthread_self(), sizeof processors, &processors);
    printf("one processor %d, ", CPU_COUNT(&processors));
    int status = pthread_getcpuclockid(pthread_self(), &clock);
    printf("clock %d %d, ", status, clock_gettime(clock, &used) == 0 && used.tv_sec >= 0);
    return unused;
}

int main(void) {
    int policy = -1;
    struct sched_param parameter = {-1};
    struct timespec later;
    cpu_set_t processors, one;
    pthread_t self = pthread_self(), thread;
    pthread_getschedparam(self, &policy, &parameter);
    printf("main %d %d, ", policy, parameter.sched_priority);
    printf("batch %d, ", pthread_setschedparam(self, SCHED_BATCH, &parameter));
    pthread_getaffinity_np(self, sizeof processors, &processors);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &processors)) CPU_SET(i, &one);
    pthread_setaffinity_np(self, sizeof one, &one);
    pthread_create(&thread, NULL, work, NULL);
    clock_gettime(CLOCK_MONOTONIC, &later);
    later.tv_sec += 100;
    int status = pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &later);
    CPU_ZERO(&one);
    printf("joined %d, none %d\n", status, pthread_setaffinity_np(self, sizeof one, &one));
    return 0;
}
