// A function waits until its job has been read, not until the thread has ended, and returns: the
// thread writes its answer into a frame that is gone.
// KIND: missed join
// FAILS: stack-use-after-return|stack-use-after-scope
// WHEN: the thread is preempted between its post and its last write
// PREEMPTIONS: 1
// RACES: the frame ends while the thread writes
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct job {
    int input;
    volatile int answer;
    sem_t was_read;
};

static pthread_t thread;

static void *square(void *argument) {
    struct job *job = argument;
    int input = job->input;
#ifdef FIXED
    job->answer = input * input;
    sem_post(&job->was_read);
#else
    sem_post(&job->was_read);
    job->answer = input * input;
#endif
    return NULL;
}

static __attribute__((noinline)) int begin(int input) {
    struct job job = {.input = input};
    sem_init(&job.was_read, 0, 0);
    if (pthread_create(&thread, NULL, square, &job)) return 2;
    sem_wait(&job.was_read);
#ifdef FIXED
    pthread_join(thread, NULL);
#endif
    sem_destroy(&job.was_read);
    return 0;
}

int main(void) {
    if (begin(7)) return 2;
#ifndef FIXED
    pthread_join(thread, NULL);
#endif
    puts("ended");
    return 0;
}
