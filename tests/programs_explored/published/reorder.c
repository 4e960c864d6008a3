// N setters each set two variables; the checker, which is made last, wants both set or none.
// KIND: ordering
// FAMILY: reorder
// DEFINES: N=3 N=5 N=10
// FAILS: assert
// WHEN: the checker runs when setters have set the first variable and none the second
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int first, second;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *setter(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    atomic_store(&first, 1);
    atomic_store(&second, -1);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

static void *checker(void *unused) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int one = atomic_load(&first);
    int other = atomic_load(&second);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    assert(!(one == 1 && other == 0));
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
    for (int i = 0; i < N; i++)
        if (pthread_create(&threads[i], NULL, setter, NULL)) return 2;
    if (pthread_create(&threads[N], NULL, checker, NULL)) return 2;
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
    return 0;
}
