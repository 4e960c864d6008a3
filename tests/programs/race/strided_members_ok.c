// One thread has the even elements and the first members, the other one the rest.
// ONLY: -O2 LLVM makes no vectors below
// STDOUT: 0 15876 1.0 2.0
#include <pthread.h>
#include <stdio.h>

static int numbers[256];
static struct point { float x, y; } points[256];

__attribute__((noinline)) static int sum_even(const int *from) {
    int sum = 0;
    for (int i = 0; i < 256; i += 2) sum += from[i];
    return sum;
}

__attribute__((noinline)) static void set_x(struct point *all, int n) {
    for (int i = 0; i < n; i++) all[i].x = all[i].x * 2 + 1;
}

__attribute__((noinline)) static void set_y(struct point *all, int n) {
    for (int i = 0; i < n; i++) all[i].y = all[i].y * 2 + 2;
}

static void *work(void *argument) {
    *(int *)argument = sum_even(numbers);
    set_x(points, 256);
    return argument;
}

int main(void) {
    pthread_t thread;
    int even = 1, odd = 0;
    if (pthread_create(&thread, NULL, work, &even)) return 1;
    for (int i = 1; i < 256; i += 2) numbers[i] = i < 253 ? i : 0;
    set_y(points, 256);
    pthread_join(thread, NULL);
    for (int i = 1; i < 256; i += 2) odd += numbers[i];
    printf("%d %d %.1f %.1f\n", even, odd, points[7].x, points[200].y);
    return 0;
}
