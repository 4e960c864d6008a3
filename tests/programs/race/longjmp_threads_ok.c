// Two threads leave nested calls by longjmp, again and again, and lock properly in between.
// STDOUT: 20 caught
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int caught;

static _Noreturn void __attribute__((noinline)) throw_from(jmp_buf target, int depth) {
    if (depth > 0) throw_from(target, depth - 1);
    longjmp(target, 3);
}

static void *worker(void *argument) {
    for (volatile int i = 0; i < 10; i++) {
        jmp_buf target;
        if (setjmp(target) == 0) throw_from(target, 5);
        pthread_mutex_lock(&lock);
        caught += 1;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, worker, NULL)) return 1;
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d caught\n", caught);
    return 0;
}
