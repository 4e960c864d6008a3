// Double-checked locking shows the object before its fields are set.
// KIND: double-checked locking
// FAILS: exit 1
// WHEN: the maker is preempted between the two stores, and another thread takes the object
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { USERS = 3 };

struct service {
    atomic_int port;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct service *_Atomic service;
static atomic_int n_wrong;

static struct service *get_service(void) {
    struct service *found = atomic_load(&service);
    if (found) return found;
    pthread_mutex_lock(&lock);
    found = atomic_load(&service);
    if (!found) {
        found = calloc(1, sizeof *found);
#ifdef FIXED
        atomic_store(&found->port, 80);
        atomic_store(&service, found);
#else
        atomic_store(&service, found);
        atomic_store(&found->port, 80);
#endif
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *user(void *unused) {
    if (atomic_load(&get_service()->port) != 80) atomic_fetch_add(&n_wrong, 1);
    return unused;
}

int main(void) {
    pthread_t threads[USERS];
    for (int i = 0; i < USERS; i++)
        if (pthread_create(&threads[i], NULL, user, NULL)) return 2;
    for (int i = 0; i < USERS; i++) pthread_join(threads[i], NULL);
    free(atomic_load(&service));
    return atomic_load(&n_wrong) != 0;
}
