// What tasks capture is copied, by a function or as bytes, as aligned as it asks.
// CFLAGS: -fopenmp
// STDOUT: 0 10 1
#include "parts/gomp.h"

struct captured {
    int *place;
    int values[8];
};
static int sums[20], copies;

static void copy(void *to, void *from) {
    struct captured *own = to, *given = from;
    own->place = given->place;
    for (int i = 0; i < 8; i++) own->values[i] = given->values[i] + 1;
    copies++;
}

static void body(void *data) {
    struct captured *own = data;
    for (int i = 0; i < 8; i++) *own->place += own->values[i];
    *own->place += (uintptr_t)data % 64 != 0;
}

static void nothing(void *data) { sums[0]++; }

static void part(void *data) {
    if (!GOMP_single_start()) return;
    for (int n = 1; n < 20; n++) {
        _Alignas(64) struct captured given = {&sums[n], {n, n, n, n, n, n, n, n}};
        copy_fn *how = n % 2 ? copy : NULL;
        GOMP_task(body, &given, how, sizeof given, 64, n % 5 != 0, 0, NULL, 0, NULL);
        given.place = &copies;
    }
    GOMP_task(nothing, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
}

int main(void) {
    int wrong = 0;
    GOMP_parallel(part, NULL, 0, 0);
    for (int n = 1; n < 20; n++) wrong += sums[n] != 8 * n + n % 2 * 8;
    printf("%d %d %d\n", wrong, copies, sums[0]);
    return 0;
}
