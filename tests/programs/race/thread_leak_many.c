// Three threads of one place are one finding, a thread of another place is its own.
#include <pthread.h>
#include <unistd.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t threads[5];
    for (volatile int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, work, NULL); // EXPECT: thread leak
    }
    pthread_create(&threads[3], NULL, work, NULL); // EXPECT: thread leak
    pthread_create(&threads[4], NULL, work, NULL);
    pthread_join(threads[4], NULL);
    sleep(1);
    return 0;
}
