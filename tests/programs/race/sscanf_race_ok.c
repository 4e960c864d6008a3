// The twin of sscanf_race: each thread has a variable of its own, and reads the same format.
// STDOUT: 23
#include <pthread.h>
#include <stdio.h>

static long parsed[2];
static const char form[] = "%ld";

static void *parse(void *place) {
    const char *text = place == &parsed[0] ? "1" : "22";
    sscanf(text, form, place);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, parse, &parsed[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%ld\n", parsed[0] + parsed[1]);
    return 0;
}
