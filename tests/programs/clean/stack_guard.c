// pthread_getattr_np says the guard that was asked for, in whole pages.
// ONLY: -O1 the program has no bug
// STDOUT: 0 4096 8192 0
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static size_t guard_of_this(void) {
    pthread_attr_t mine;
    size_t guard = 1;
    pthread_getattr_np(pthread_self(), &mine);
    pthread_attr_getguardsize(&mine, &guard);
    pthread_attr_destroy(&mine);
    return guard;
}

static void *ask(void *argument) { (void)argument; return (void *)guard_of_this(); }

static size_t guard_with(const pthread_attr_t *attributes) {
    pthread_t thread;
    void *guard;
    if (pthread_create(&thread, attributes, ask, NULL)) return 1;
    pthread_join(thread, &guard);
    return (size_t)guard;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    size_t unasked = guard_with(NULL);
    pthread_attr_setguardsize(&attributes, 5000);
    size_t odd = guard_with(&attributes);
    pthread_attr_setguardsize(&attributes, 0);
    printf("%zu %zu %zu %zu\n", guard_of_this(), unasked, odd, guard_with(&attributes));
    return 0;
}
