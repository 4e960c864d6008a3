// What comes before an event is fulfilled is there behind taskwait.
// CFLAGS: -fopenmp
// STDOUT: 8
#include "parts/gomp.h"

struct captured {
    omp_event_handle_t event;
    int *x;
};
static int value;

static void body(void *data) {
    struct captured *own = data;
    *own->x = 3;
    value = 4;
    omp_fulfill_event(own->event);
}

static void part(void *data) {
    if (!GOMP_single_start()) return;
    omp_event_handle_t event;
    struct captured given = {0, data};
    GOMP_task(body, &given, NULL, sizeof given, 8, true, 1 << 13, NULL, 0, &event);
    GOMP_taskwait();
    value++;
}

int main(void) {
    int x = 0;
    GOMP_parallel(part, &x, 0, 0);
    printf("%d\n", x + value);
    return 0;
}
