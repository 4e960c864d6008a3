// A benign race is announced for one variable; the race is on its neighbour.
#include "annotations.h"
#include <pthread.h>
#include <stdio.h>
static int pair[2];

static void *count(void *unused) {
    pair[1]++; // PREVIOUS
    return unused;
}

int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, pair, sizeof pair[0], "only statistics");
    pthread_create(&thread, NULL, count, NULL);
    pair[1] += 2; // EXPECT: data race
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
