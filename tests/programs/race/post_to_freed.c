// A request is freed by the thread that waits for it, which has given up; then it is answered.
// SANITIZE: thread
// NATIVE: miss ThreadSanitizer does not look at semaphores as memory
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct request {
    int answer;
    sem_t done;
};

static void *give_up(void *request) {
    free(request); // PREVIOUS: write 8
    return NULL;
}

int main(void) {
    pthread_t client;
    struct request *request = calloc(1, sizeof *request);
    if (!request || sem_init(&request->done, 0, 0)) return 1;
    sem_t *done = &request->done;
    if (pthread_create(&client, NULL, give_up, request)) return 1;
    pthread_join(client, NULL);
    sem_post(done); // EXPECT: heap-use-after-free atomic read 1
    return 0;
}
