// An exit handler frees a table, and closes what it stands for, under a thread that still looks.
// NATIVE: skip a free under a reader is a data race there, on the same line as the use after free
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int *table, is_open = 1;

static void close_table(void) {
    is_open = 0; // PREVIOUS: write
    free(table);
}

static void *look(void *unused) {
    usleep(1000);
    int seen = is_open; // EXPECT: data race read
    return table[seen] ? unused : table; // EXPECT: heap-use-after-free read 4
}

int main(void) {
    pthread_t thread;
    table = calloc(16, sizeof *table);
    atexit(close_table);
    pthread_create(&thread, NULL, look, NULL);
    pthread_detach(thread);
    return 0;
}
