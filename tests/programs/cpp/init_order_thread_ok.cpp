// FLAGS: ASAN_OPTIONS=strict_init_order=1
// WITH: parts/init_order_late.cpp
// A thread that starts while variables are initialised ends the strict check of their order.
// EXIT: 0
#include <pthread.h>

volatile int two = 2;
int early = two;
int read_early() { return early; }
static int start() {
    pthread_t thread;
    auto nothing = [](void *argument) { return argument; };
    if (pthread_create(&thread, nullptr, nothing, nullptr) != 0) return 1;
    return pthread_join(thread, nullptr);
}
int started = start();

int main() {
    return started;
}
