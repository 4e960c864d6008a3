// The program asks about the report that is being told, and says at the end that nothing is wrong.
// STDOUT: data-race: 2 accesses, 1 places, 2 threads
// STDOUT: T0 write 4 at the variable, in a stack of its own
// STDOUT: T1 write 4 at the variable, in a stack of its own
// STDOUT: global of T0, no other report: 1
// STDOUT: done
// STDOUT: failed: 1
// EXIT: 0
#include <pthread.h>
#include <stdio.h>
typedef unsigned long Word;
void *__tsan_get_current_report(void);
int __tsan_get_report_data(void *report, const char **kind, int *count, int *n_stacks,
                           int *n_accesses, int *n_places, int *n_mutexes, int *n_threads,
                           int *n_tids, void **sleep, Word limit);
int __tsan_get_report_mop(void *report, Word index, int *tid, void **at, int *n_bytes, int *write,
                          int *atomic, void **trace, Word limit);
int __tsan_get_report_loc(void *report, Word index, const char **type, void **at, Word *start,
                          Word *n_bytes, int *tid, int *fd, int *is_hidden, void **trace,
                           Word limit);
static volatile int value;
static int is_written;

void __tsan_on_report(void *report) {
    const char *kind;
    int count, n_stacks, n_accesses, n_places, n_mutexes, n_threads, n_tids;
    void *trace[8] = {0};
    __tsan_get_report_data(report, &kind, &count, &n_stacks, &n_accesses, &n_places, &n_mutexes,
                           &n_threads, &n_tids, trace, 8);
    printf("%s: %d accesses, %d places, %d threads\n", kind, n_accesses, n_places, n_threads);
    for (int i = 0; i < n_accesses; i++) {
        int tid, n_bytes, is_write, is_atomic;
        void *at;
        __tsan_get_report_mop(report, i, &tid, &at, &n_bytes, &is_write, &is_atomic, trace, 8);
        printf("T%d %s %d at %s, in %s\n", tid, is_write ? "write" : "read", n_bytes,
               at == &value ? "the variable" : "?", trace[0] ? "a stack of its own" : "no stack");
    }
    const char *type;
    void *at;
    Word start, n_bytes;
    int tid, fd, is_hidden;
    __tsan_get_report_loc(report, 0, &type, &at, &start, &n_bytes, &tid, &fd, &is_hidden, trace, 8);
    printf("%s of T%d, no other report: %d\n", at == &value ? type : "?", tid,
           __tsan_get_current_report() == report);
}

int __tsan_on_finalize(int has_failed) {
    printf("failed: %d\n", has_failed);
    fflush(stdout);
    return 0;
}

static void *worker(void *unused) {
    value = 1; // PREVIOUS: write 4
    __atomic_store_n(&is_written, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    while (!__atomic_load_n(&is_written, __ATOMIC_RELAXED)) {}
    value = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    puts(__tsan_get_current_report() ? "wrong" : "done");
    return 0;
}
