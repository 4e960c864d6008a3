// A mapped file and memory shared with a child keep what is written, in order.
// STDOUT: 5 6
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { BYTES = 2 << 12 };

static int *map_file(void) {
    char name[] = "/tmp/mapped-XXXXXX";
    int file = mkstemp(name);
    if (file < 0 || unlink(name) || ftruncate(file, BYTES)) exit(1);
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (place == MAP_FAILED) exit(1);
    return place;
}

static void *worker(void *place) {
    *(int *)place = 5;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *file = map_file(), status;
    int *place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return 1;
    pid_t child = fork();
    if (child == 0) {
        place[3] = 6;
        kill(getpid(), SIGKILL); // no report of its own
    }
    waitpid(child, &status, 0);
    pthread_create(&thread, NULL, worker, file);
    pthread_join(thread, NULL);
    printf("%d %d\n", *file, place[3]);
    munmap(file, BYTES);
    munmap(place, BYTES);
    return 0;
}
