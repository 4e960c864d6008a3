// Two threads parse their texts into one variable.
#include <pthread.h>
#include <stdio.h>

static long parsed;

static void *parse(void *text) {
    sscanf(text, "%ld", &parsed); // EXPECT: data race write 8
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    static char *const texts[2] = {"1", "22"};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, parse, texts[i]); // THREAD-CREATED
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d\n", parsed > 0);
    return 0;
}
