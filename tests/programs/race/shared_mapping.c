// Two threads write a mapped file, and memory that is shared with children.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
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
    ((int **)place)[0][100] = 1; // PREVIOUS: write 4
    ((int **)place)[1][200] = 1; // PREVIOUS: write 4
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *places[2] = {map_file()};
    places[1] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (places[1] == MAP_FAILED) return 1;
    pthread_create(&thread, NULL, worker, places);
    places[0][100] = 2; // EXPECT: data race write 4
    places[1][200] = 2; // EXPECT: data race write 4
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
