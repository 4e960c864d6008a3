// Two threads fill the halves of one array, element by element, meeting in the middle of a word.
// STDOUT: 4950
#include <pthread.h>
#include <stdio.h>

static short numbers[100];

static void *upper(void *argument) {
    for (int i = 49; i < 100; i++) numbers[i] = (short)i;
    return argument;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    if (pthread_create(&thread, NULL, upper, NULL)) return 1;
    for (int i = 0; i < 49; i++) numbers[i] = (short)i;
    pthread_join(thread, NULL);
    for (int i = 0; i < 100; i++) sum += numbers[i];
    printf("%d\n", sum);
    return 0;
}
