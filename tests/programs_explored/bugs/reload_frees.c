// A reload puts new settings in place and frees the old ones, which a reader has just taken.
// KIND: use after free by race
// FAILS: heap-use-after-free
// WHEN: the reader is preempted between its load of the pointer and its use, and the reload runs
// PREEMPTIONS: 1
// RACES: free is not ordered after the use
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    atomic_int level;
};

static struct settings *_Atomic settings;
#ifdef FIXED
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#endif

static struct settings *new_settings(int level) {
    struct settings *made = malloc(sizeof *made);
    atomic_init(&made->level, level);
    return made;
}

static void *reader(void *unused) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
#ifdef FIXED
        pthread_rwlock_rdlock(&lock);
#endif
        sum += atomic_load(&atomic_load(&settings)->level);
#ifdef FIXED
        pthread_rwlock_unlock(&lock);
#endif
    }
    if (sum < 3) abort();
    return unused;
}

static void *reload(void *unused) {
    struct settings *made = new_settings(2);
#ifdef FIXED
    pthread_rwlock_wrlock(&lock);
    free(atomic_exchange(&settings, made));
    pthread_rwlock_unlock(&lock);
#else
    free(atomic_exchange(&settings, made));
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    atomic_store(&settings, new_settings(1));
    if (pthread_create(&threads[0], NULL, reader, NULL)) return 2;
    if (pthread_create(&threads[1], NULL, reload, NULL)) return 2;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    free(atomic_load(&settings));
    return 0;
}
