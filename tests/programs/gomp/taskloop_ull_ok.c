// taskloops of unsigned numbers, that count down, with a function that copies.
// CFLAGS: -fopenmp
// STDOUT: 0 6
#include "parts/gomp.h"

struct captured {
    ull from, to;
    int *a;
};
static int a[44], b[44], copies;

static void copy(void *to, void *from) {
    struct captured *own = to, *given = from;
    own->from = 0;
    own->to = 0;
    own->a = given->a;
    copies++;
}

static void down(void *data) {
    struct captured *own = data;
    for (ull i = own->from; i > own->to; i -= 3) own->a[i]++;
}

static void up(void *data) {
    struct captured *own = data;
    for (ull i = own->from; i < own->to; i++) own->a[i - (ull)-20]++;
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    struct captured given = {0, 0, a}, other = {0, 0, b};
    GOMP_taskloop_ull(down, &given, copy, sizeof given, 32, 1 << 10, 6, 0, 43, 1, (ull)-3);
    GOMP_taskloop_ull(up, &other, NULL, sizeof other, 8, 1 << 8, 0, 0, (ull)-20, (ull)-4, 1);
    GOMP_taskloop_ull(up, &other, NULL, sizeof other, 8, 1 << 10 | 1 << 8, 0, 0, 9, 0, 1);
}

int main(void) {
    int wrong = 0;
    GOMP_parallel(part, NULL, 0, 0);
    for (int i = 2; i < 44; i++) wrong += a[i] != (i % 3 == 1);
    for (int i = 0; i < 44; i++) wrong += b[i] != (i < 16);
    printf("%d %d\n", wrong, copies);
    return 0;
}
