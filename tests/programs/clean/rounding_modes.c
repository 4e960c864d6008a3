// Each thread keeps its rounding modes, of SSE and of the x87, over every thread switch.
// STDOUT: 0 failures
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>

static const int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failures;

static void *work(void *argument) {
    int mode = *(const int *)argument;
    fesetround(mode);
    for (int i = 0; i < 200; i++) {
        volatile double thousandth = 1000.0;
        volatile long double third = 3.0L;
        pthread_mutex_lock(&lock);
        thousandth = 1.0 / thousandth;
        third = 1.0L / third;
        int is_up = thousandth > 0x1.0624dd2f1a9fbp-10;
        int is_x87_up = third > 0x5.5555555555555550p-4L;
        int is_nearest_or_up = mode == FE_UPWARD || mode == FE_TONEAREST;
        failures += fegetround() != mode || is_up != is_nearest_or_up;
        failures += is_x87_up != is_nearest_or_up;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, work, (void *)&modes[i])) return 1;
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%d failures\n", failures);
    return 0;
}
