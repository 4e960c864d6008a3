// The thread pointer is another one in each thread, however it is read; it lasts as long as one.
// STDOUT: builtin differs, lasts
// STDOUT: assembly differs, lasts
// STDOUT: assembly without operands differs, lasts
// STDOUT: assembly at a place differs, lasts
// STDOUT: segment differs, lasts
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

enum { N_WAYS = 5 };
static const char *const names[N_WAYS] = {
    "builtin", "assembly", "assembly without operands", "assembly at a place", "segment"};

static inline uintptr_t slot(uintptr_t place) {
    uintptr_t word;
    __asm__("movq %%fs:%1, %0" : "=r"(word) : "m"(*(void **)place) :);
    return word;
}

static uintptr_t pointer(int way) {
    static volatile uintptr_t first_word = 0;
    uintptr_t word;
    switch (way) {
    case 0: return (uintptr_t)__builtin_thread_pointer();
    case 1: return slot(0);
    case 2: __asm__ volatile("mov %%fs:0, %0" : "=r"(word)); return word;
    case 3: return slot(first_word);
    default: return *(uintptr_t __seg_fs *)0;
    }
}

static void *read_all(void *out) {
    uintptr_t *words = out;
    for (int way = 0; way < N_WAYS; way++) words[way] = pointer(way);
    sched_yield();
    for (int way = 0; way < N_WAYS; way++)
        if (words[way] != pointer(way)) words[way] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    uintptr_t theirs[N_WAYS], own[N_WAYS];
    pthread_create(&thread, NULL, read_all, theirs);
    read_all(own);
    pthread_join(thread, NULL);
    for (int way = 0; way < N_WAYS; way++) {
        int lasts = own[way] != 0 && theirs[way] != 0;
        printf("%s %s, %s\n", names[way], own[way] != theirs[way] ? "differs" : "is the same",
               lasts ? "lasts" : "changes");
    }
    return 0;
}
