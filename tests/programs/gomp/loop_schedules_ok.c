// Each schedule gives each iteration once.
// CFLAGS: -fopenmp
// FLAGS: OMP_SCHEDULE=guided,2
// STDOUT: 0
#include "parts/gomp.h"

enum { N = 60, KINDS = 16 };
static int done[KINDS][N + 1];

#define LOOP(kind, type, test, step, start, next) \
    do { \
        type from, to; \
        if (start) do \
            for (type i = from; test; i step) done[kind][i]++; \
        while (next(&from, &to)); \
        GOMP_loop_end_nowait(); \
    } while (0)
#define UP(kind, start, next) LOOP(kind, long, i < to, += 3, start, next)
#define DOWN(kind, start, next) LOOP(kind, long, i > to, -= 3, start, next)
#define ULL_UP(kind, start, next) LOOP(kind, ull, i < to, += 3, start, next)
#define ULL_DOWN(kind, start, next) LOOP(kind, ull, i > to, -= 3, start, next)
#define AT &from, &to

static void part(void *data) {
    UP(0, GOMP_loop_static_start(0, N, 3, 0, AT), GOMP_loop_static_next);
    UP(1, GOMP_loop_static_start(0, N, 3, 2, AT), GOMP_loop_static_next);
    UP(2, GOMP_loop_dynamic_start(0, N, 3, 2, AT), GOMP_loop_dynamic_next);
    UP(3, GOMP_loop_guided_start(0, N, 3, 1, AT), GOMP_loop_guided_next);
    UP(4, GOMP_loop_runtime_start(0, N, 3, AT), GOMP_loop_runtime_next);
    DOWN(5, GOMP_loop_nonmonotonic_dynamic_start(N - 3, -1, -3, 4, AT),
         GOMP_loop_nonmonotonic_dynamic_next);
    DOWN(6, GOMP_loop_nonmonotonic_guided_start(N - 3, -1, -3, 2, AT),
         GOMP_loop_nonmonotonic_guided_next);
    DOWN(7, GOMP_loop_static_start(N - 3, -1, -3, 1, AT), GOMP_loop_static_next);
    UP(8, GOMP_loop_nonmonotonic_runtime_start(0, N, 3, AT), GOMP_loop_nonmonotonic_runtime_next);
    UP(9, GOMP_loop_maybe_nonmonotonic_runtime_start(0, N, 3, AT),
       GOMP_loop_maybe_nonmonotonic_runtime_next);
    ULL_UP(10, GOMP_loop_ull_static_start(true, 0, N, 3, 0, AT), GOMP_loop_ull_static_next);
    ULL_UP(11, GOMP_loop_ull_dynamic_start(true, 0, N, 3, 2, AT), GOMP_loop_ull_dynamic_next);
    ULL_DOWN(12, GOMP_loop_ull_guided_start(false, N, 0, (ull)-3, 1, AT),
             GOMP_loop_ull_guided_next);
    ULL_UP(13, GOMP_loop_ull_runtime_start(true, 0, N, 3, AT), GOMP_loop_ull_runtime_next);
    UP(14, GOMP_loop_start(0, N, 3, 2, 2, AT, NULL, NULL), GOMP_loop_dynamic_next);
    ULL_UP(15, GOMP_loop_ull_start(true, 0, N, 3, 3, 1, AT, NULL, NULL), GOMP_loop_ull_guided_next);
    UP(0, GOMP_loop_dynamic_start(7, 7, 3, 1, AT), GOMP_loop_dynamic_next);
    UP(0, GOMP_loop_guided_start(7, 2, 3, 1, AT), GOMP_loop_guided_next);
    ULL_UP(0, GOMP_loop_ull_dynamic_start(true, 7, 0, 3, 1, AT), GOMP_loop_ull_dynamic_next);
}

int main(void) {
    int wrong = 0;
    done[12][0] = 1; // 60 to 3
    GOMP_parallel(part, NULL, 0, 0);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < N; i++) wrong += done[kind][i] != (i % 3 == 0);
    printf("%d\n", wrong);
    return 0;
}
