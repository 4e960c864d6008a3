// A thread's fresh stack holds no zeros either: the text without an end goes on behind the array.
// NATIVE: miss there a fresh stack holds zeros
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *work(void *unused) {
    char letters[300];
    (void)unused;
    memset(letters, 'A', 200);
    return (void *)strlen(letters); // EXPECT: stack-buffer-overflow read
}

int main(void) {
    pthread_t worker;
    void *length;
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, &length);
    printf("%zu\n", (size_t)length);
    return 0;
}
