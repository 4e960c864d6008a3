// Races that the program has announced, benign and expected ones, are not reported.
// STDOUT: done
#include "annotations.h"
#include <pthread.h>
#include <stdio.h>
static int statistics[4], hint;

static void *count(void *unused) {
    AnnotateThreadName(__FILE__, __LINE__, "counter");
    AnnotateNewMemory(__FILE__, __LINE__, &hint, sizeof hint);
    statistics[3]++;
    hint++;
    return unused;
}

int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, statistics, sizeof statistics, "only statistics");
    AnnotateExpectRace(__FILE__, __LINE__, &hint, "only a hint");
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    AnnotateFlushExpectedRaces(__FILE__, __LINE__);
    puts("done");
    return 0;
}
