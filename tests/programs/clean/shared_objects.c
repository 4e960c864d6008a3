// Objects in shared memory work between processes: each wait ends by what another process does.
// STDOUT: mutex 400 condition 3 semaphore 2 barrier 1 rwlock 200 spinlock 200 robust 1
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CHILDREN = 2, N_ROUNDS = 100 };
static struct shared {
    pthread_mutex_t mutex, robust;
    pthread_cond_t changed;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    sem_t ready, held;
    int by_mutex, by_rwlock, by_spin, n_serial, n_arrived;
} *all;

static void make(void) {
    pthread_mutexattr_t mutexes;
    pthread_condattr_t conditions;
    pthread_rwlockattr_t rwlocks;
    pthread_barrierattr_t barriers;
    pthread_mutexattr_init(&mutexes);
    pthread_mutexattr_setpshared(&mutexes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&all->mutex, &mutexes);
    pthread_mutexattr_setrobust(&mutexes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&all->robust, &mutexes);
    pthread_condattr_init(&conditions);
    pthread_condattr_setpshared(&conditions, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&all->changed, &conditions);
    pthread_rwlockattr_init(&rwlocks);
    pthread_rwlockattr_setpshared(&rwlocks, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&all->rwlock, &rwlocks);
    pthread_barrierattr_init(&barriers);
    pthread_barrierattr_setpshared(&barriers, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&all->barrier, &barriers, N_CHILDREN + 1);
    pthread_spin_init(&all->spin, PTHREAD_PROCESS_SHARED);
    sem_init(&all->ready, 1, 0);
    sem_init(&all->held, 1, 0);
}

static void count(void) {
    for (int i = 0; i < N_ROUNDS; i++) {
        pthread_mutex_lock(&all->mutex);
        all->by_mutex++;
        pthread_mutex_unlock(&all->mutex);
        pthread_rwlock_wrlock(&all->rwlock);
        all->by_rwlock++;
        pthread_rwlock_unlock(&all->rwlock);
        pthread_spin_lock(&all->spin);
        all->by_spin++;
        pthread_spin_unlock(&all->spin);
    }
}

static void *count_mutex(void *unused) {
    for (int i = 0; i < N_ROUNDS; i++) {
        pthread_mutex_lock(&all->mutex);
        all->by_mutex++;
        pthread_mutex_unlock(&all->mutex);
    }
    return unused;
}

static void arrive(void) {
    int is_serial = pthread_barrier_wait(&all->barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_mutex_lock(&all->mutex);
    all->n_serial += is_serial;
    all->n_arrived++;
    pthread_cond_broadcast(&all->changed);
    while (all->n_arrived < N_CHILDREN + 1) pthread_cond_wait(&all->changed, &all->mutex);
    pthread_mutex_unlock(&all->mutex);
}

static void child(void) {
    count();
    sem_post(&all->ready);
    arrive();
    kill(getpid(), SIGKILL);
}

static int take_from_the_dead(void) {
    pid_t owner = fork();
    if (owner == 0) {
        pthread_mutex_lock(&all->robust);
        sem_post(&all->held);
        for (;;) pause();
    }
    while (sem_wait(&all->held)) {}
    kill(owner, SIGKILL);
    int status = pthread_mutex_lock(&all->robust);
    pthread_mutex_consistent(&all->robust);
    pthread_mutex_unlock(&all->robust);
    waitpid(owner, NULL, 0);
    return status == EOWNERDEAD && pthread_mutex_trylock(&all->robust) == 0;
}

int main(void) {
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    make();
    pthread_t threads[2];
    for (int i = 0; i < N_CHILDREN; i++)
        if (fork() == 0) child();
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count_mutex, NULL);
    int n_ready = 0;
    while (n_ready < N_CHILDREN) n_ready += sem_wait(&all->ready) == 0;
    arrive();
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    while (wait(NULL) > 0) {}
    int is_passed_on = take_from_the_dead();
    printf("mutex %d condition %d semaphore %d barrier %d rwlock %d spinlock %d robust %d\n",
           all->by_mutex, all->n_arrived, n_ready, all->n_serial, all->by_rwlock, all->by_spin,
           is_passed_on);
    return 0;
}
