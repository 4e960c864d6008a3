// The twin of post_to_freed: who answers frees the request.
// STDOUT: 42
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    int answer;
    sem_t done;
};

static void *await_answer(void *argument) {
    struct request *request = argument;
    while (sem_wait(&request->done)) {}
    printf("%d\n", request->answer);
    return NULL;
}

int main(void) {
    pthread_t client;
    struct request *request = calloc(1, sizeof *request);
    if (!request || sem_init(&request->done, 0, 0)) return 1;
    if (pthread_create(&client, NULL, await_answer, request)) return 1;
    request->answer = 42;
    sem_post(&request->done);
    pthread_join(client, NULL);
    free(request);
    return 0;
}
