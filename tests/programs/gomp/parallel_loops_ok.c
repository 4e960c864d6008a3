// Regions that are a loop, with each schedule.
// CFLAGS: -fopenmp
// STDOUT: 0
#include "parts/gomp.h"

enum { N = 40 };
static int done[12][N];

static bool (*const next[])(long *, long *) = {
    GOMP_loop_static_next, GOMP_loop_dynamic_next, GOMP_loop_guided_next, GOMP_loop_runtime_next,
    GOMP_loop_static_next, GOMP_loop_dynamic_next, GOMP_loop_guided_next, GOMP_loop_runtime_next,
    GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_nonmonotonic_guided_next,
    GOMP_loop_nonmonotonic_runtime_next, GOMP_loop_maybe_nonmonotonic_runtime_next,
};

static void part(void *data) {
    int kind = *(int *)data;
    long from, to;
    while (next[kind](&from, &to))
        for (long i = from; i < to; i++) done[kind][i]++;
    GOMP_loop_end_nowait();
}

#define START(kind, call) \
    do { \
        int number = kind; \
        call; \
        part(&number); \
        GOMP_parallel_end(); \
    } while (0)
#define WHOLE(kind, call) \
    do { \
        int number = kind; \
        call; \
    } while (0)
#define ARGUMENTS part, &number, 0, 0, N, 1

int main(void) {
    int wrong = 0;
    START(0, GOMP_parallel_loop_static_start(ARGUMENTS, 0));
    START(1, GOMP_parallel_loop_dynamic_start(ARGUMENTS, 3));
    START(2, GOMP_parallel_loop_guided_start(ARGUMENTS, 1));
    START(3, GOMP_parallel_loop_runtime_start(ARGUMENTS));
    WHOLE(4, GOMP_parallel_loop_static(ARGUMENTS, 2, 0));
    WHOLE(5, GOMP_parallel_loop_dynamic(ARGUMENTS, 3, 0));
    WHOLE(6, GOMP_parallel_loop_guided(ARGUMENTS, 1, 0));
    WHOLE(7, GOMP_parallel_loop_runtime(ARGUMENTS, 0));
    WHOLE(8, GOMP_parallel_loop_nonmonotonic_dynamic(ARGUMENTS, 1, 0));
    WHOLE(9, GOMP_parallel_loop_nonmonotonic_guided(ARGUMENTS, 1, 0));
    WHOLE(10, GOMP_parallel_loop_nonmonotonic_runtime(ARGUMENTS, 0));
    WHOLE(11, GOMP_parallel_loop_maybe_nonmonotonic_runtime(ARGUMENTS, 0));
    for (int kind = 0; kind < 12; kind++)
        for (int i = 0; i < N; i++) wrong += done[kind][i] != 1;
    printf("%d\n", wrong);
    return 0;
}
