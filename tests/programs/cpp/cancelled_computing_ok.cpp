// A cancelled thread that computes unwinds its callers' objects.
// STDOUT: destroyed
// STDOUT: cancelled
#include <cstdio>
#include <pthread.h>
#include <unistd.h>

struct Told {
    ~Told() { std::puts("destroyed"); }
};

static void compute(volatile long &sum) {
    for (;;) sum = sum + 1;
}
static void (*volatile computing)(volatile long &) = compute;

static void *work(void *) {
    Told told;
    volatile long sum = 0;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
    computing(sum);
    return nullptr;
}

int main() {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, work, nullptr);
    usleep(1000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    std::puts(result == PTHREAD_CANCELED ? "cancelled" : "lives");
    return 0;
}
