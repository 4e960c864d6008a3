// pthread keys with destructors, once, names, attributes, detach state, self and equal.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_key_t buffer_key, chain_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int freed, chained, initialised;

static void free_buffer(void *value) {
    pthread_mutex_lock(&mutex);
    freed++;
    pthread_mutex_unlock(&mutex);
    free(value);
}
static void chain(void *value) {
    pthread_mutex_lock(&mutex);
    chained++;
    pthread_mutex_unlock(&mutex);
    long left = (long)value - 1;
    if (left) pthread_setspecific(chain_key, (void *)left);
}
static void make_keys(void) {
    assert(pthread_key_create(&buffer_key, free_buffer) == 0 && pthread_key_create(&chain_key, chain) == 0);
    initialised++;
}

static char *buffer(void) {
    pthread_once(&once, make_keys);
    char *own = pthread_getspecific(buffer_key);
    if (!own) {
        own = calloc(1, 64);
        pthread_setspecific(buffer_key, own);
    }
    return own;
}

static void *work(void *argument) {
    long id = (long)argument;
    for (int i = 0; i < 5; i++) {
        size_t used = strlen(buffer());
        snprintf(buffer() + used, 64 - used, "%ld.%d ", id, i);
    }
    pthread_setspecific(chain_key, (void *)3L);
    return strdup(buffer());
}

static void *name_self(void *argument) {
    char name[16];
    assert(pthread_setname_np(pthread_self(), "worker") == 0 && pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    pthread_exit(strcmp(name, "worker") == 0 ? argument : NULL);
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) assert(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < 4; i++) {
        void *text;
        assert(pthread_join(threads[i], &text) == 0);
        puts(text);
        free(text);
    }
    printf("%d freed %d chained %d initialised\n", freed, chained, initialised);
    pthread_attr_t attributes;
    size_t size;
    int state;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0 && pthread_attr_getstacksize(&attributes, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setstacksize(&attributes, 100) == EINVAL);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    void *result;
    pthread_create(&threads[0], &attributes, name_self, &state);
    pthread_join(threads[0], &result);
    assert(result == &state);
    pthread_attr_destroy(&attributes);
    pthread_key_delete(buffer_key);
    assert(pthread_equal(pthread_self(), pthread_self()) && pthread_getspecific(chain_key) == NULL);
    pthread_key_delete(chain_key);
    return 0;
}
