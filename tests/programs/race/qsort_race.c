// A comparison called back by qsort in two threads counts its calls without a lock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int comparisons;

static int ascending(const void *left, const void *right) {
    comparisons += 1; // EXPECT: data race
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static void *sorter(void *argument) {
    qsort(argument, 4, sizeof(int), ascending);
    return NULL;
}

int main(void) {
    int first[4] = {4, 3, 2, 1}, second[4] = {2, 1, 4, 3};
    pthread_t thread;
    if (pthread_create(&thread, NULL, sorter, first)) return 1;
    sorter(second);
    pthread_join(thread, NULL);
    printf("%d %d\n", first[0], second[0]);
    return 0;
}
