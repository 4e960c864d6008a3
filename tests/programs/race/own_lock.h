/* A spinning lock that tells the race detector what it does. */
#ifndef OWN_LOCK_H
#define OWN_LOCK_H
#include <sched.h>
enum { LINKER_INIT = 1, WRITE_REENTRANT = 2, TRY_LOCK = 16, TRY_LOCK_FAILED = 32,
       RECURSIVE_LOCK = 64, RECURSIVE_UNLOCK = 128 };
void __tsan_mutex_create(void *lock, unsigned flags);
void __tsan_mutex_destroy(void *lock, unsigned flags);
void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
void __tsan_mutex_post_unlock(void *lock, unsigned flags);

typedef struct { int is_taken, n_locked; } OwnLock;
static int n_uses; /* of all locks: what orders these orders nothing else */

static inline void own_lock(OwnLock *lock) {
    __tsan_mutex_pre_lock(lock, 0);
    while (__atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_SEQ_CST)) sched_yield();
    lock->n_locked++;
    __atomic_fetch_add(&n_uses, 1, __ATOMIC_SEQ_CST);
    __tsan_mutex_post_lock(lock, 0, 0);
}

static inline void own_unlock(OwnLock *lock) {
    __tsan_mutex_pre_unlock(lock, 0);
    __atomic_fetch_add(&n_uses, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&lock->is_taken, 0, __ATOMIC_SEQ_CST);
    __tsan_mutex_post_unlock(lock, 0);
}
#endif
