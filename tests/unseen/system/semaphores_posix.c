// POSIX semaphores: unnamed between threads, named between processes, timeouts.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 3, ITEMS = 40 };
static int ring[SIZE], head, tail;
static sem_t room, filled, lock;

static void *producer(void *argument) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&room);
        sem_wait(&lock);
        ring[tail++ % SIZE] = *(int *)argument + i;
        sem_post(&lock);
        sem_post(&filled);
    }
    return NULL;
}

static void *consumer(void *argument) {
    long *sum = argument;
    for (int i = 0; i < ITEMS; i++) {
        while (sem_wait(&filled)) assert(errno == EINTR);
        sem_wait(&lock);
        *sum += ring[head++ % SIZE];
        sem_post(&lock);
        sem_post(&room);
    }
    return NULL;
}

int main(void) {
    sem_init(&room, 0, SIZE), sem_init(&filled, 0, 0), sem_init(&lock, 0, 1);
    pthread_t threads[4];
    int bases[2] = {0, 1000};
    long sums[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, producer, &bases[i]);
        pthread_create(&threads[2 + i], NULL, consumer, &sums[i]);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    int value;
    sem_getvalue(&room, &value);
    printf("%ld %d\n", sums[0] + sums[1], value);
    assert(sem_trywait(&filled) == -1 && errno == EAGAIN);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 3000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    assert(sem_timedwait(&filled, &until) == -1 && errno == ETIMEDOUT);
    sem_destroy(&room), sem_destroy(&filled), sem_destroy(&lock);

    char name[48];
    snprintf(name, sizeof name, "/sem_%d", (int)getpid());
    sem_t *gate = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    assert(gate != SEM_FAILED);
    pid_t child = fork();
    if (!child) {
        sem_t *mine = sem_open(name, 0);
        if (mine == SEM_FAILED) _exit(1);
        for (int i = 0; i < 3; i++) sem_post(mine);
        sem_close(mine);
        _exit(0);
    }
    for (int i = 0; i < 3; i++) assert(sem_wait(gate) == 0);
    int status;
    waitpid(child, &status, 0);
    assert(status == 0 && sem_getvalue(gate, &value) == 0);
    printf("%d\n", value);
    sem_close(gate), sem_unlink(name);
    assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
    return 0;
}
