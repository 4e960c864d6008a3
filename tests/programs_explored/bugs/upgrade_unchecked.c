// A key is looked up under the read lock and put in under the write lock, without another look.
// KIND: atomicity violation
// FAILS: assert
// WHEN: a thread is preempted between its two locks, and another one puts the key in
// PREEMPTIONS: 1
#include <assert.h>
#include <pthread.h>

enum { KEY = 5, ROOM = 4 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int keys[ROOM];
static int n_keys;

static int has_key(int key) {
    for (int i = 0; i < n_keys; i++)
        if (keys[i] == key) return 1;
    return 0;
}

static void *inserter(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int is_there = has_key(KEY);
    pthread_rwlock_unlock(&lock);
    if (is_there) return unused;
    pthread_rwlock_wrlock(&lock);
#ifdef FIXED
    if (has_key(KEY)) {
        pthread_rwlock_unlock(&lock);
        return unused;
    }
#endif
    keys[n_keys++] = KEY;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, inserter, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(n_keys == 1);
    return 0;
}
