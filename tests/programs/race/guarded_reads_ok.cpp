// Loops read what a condition that never holds guards, while another thread writes it.
// CFLAGS: -mllvm -force-vector-width=4
// ONLY: -O1 -O2 LLVM moves and widens nothing below
// NATIVE: false-alarm LLVM reads both whatever the condition says
// STDOUT: 499500 3
#include <pthread.h>
#include <cstdio>

static int total;
static volatile int flags[64];
static int values[256], chosen[256], copies[256];

__attribute__((noinline)) static void add(int &sum, const volatile int *flag, int n) {
    for (int i = 0; i < n; i++)
        if (flag[i]) sum += i;
}

__attribute__((noinline)) static int sum_chosen() {
    int sum = 0;
    for (int i = 0; i < 256; i++)
        if (chosen[i]) sum += values[i];
    for (int i = 0; i < 256; i++) copies[i] = chosen[i] ? values[i] : 3;
    return sum;
}

static void *work(void *argument) {
    add(total, flags, 64);
    if (sum_chosen() != 0) std::puts("wrong");
    return argument;
}

int main() {
    pthread_t thread;
    for (int i = 0; i < 256; i += 2) chosen[i] = 1;
    if (pthread_create(&thread, nullptr, work, nullptr)) return 1;
    for (int i = 0; i < 1000; i++) total += i;
    for (int i = 1; i < 256; i += 2) values[i] = i;
    pthread_join(thread, nullptr);
    std::printf("%d %d\n", total, copies[3]);
}
