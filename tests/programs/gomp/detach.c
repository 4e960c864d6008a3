// What comes behind the event is not waited for.
// CFLAGS: -fopenmp
#include "parts/gomp.h"

struct captured {
    omp_event_handle_t event;
    int *x;
};
static int value;

static void body(void *data) {
    struct captured *own = data;
    *own->x = 3; // EXPECT: data race
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    omp_event_handle_t event;
    struct captured given = {0, data};
    GOMP_task(body, &given, NULL, sizeof given, 8, true, 1 << 13, NULL, 0, &event);
    value = 1;
    omp_fulfill_event(event);
    *(int *)data += 1; // EXPECT: data race
}

int main(void) {
    int x = 0;
    GOMP_parallel(part, &x, 0, 0);
    printf("%d\n", x + value > 0);
    return 0;
}
